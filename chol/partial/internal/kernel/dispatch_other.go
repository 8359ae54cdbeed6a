//go:build !amd64 || noasm

package kernel

func forward(n int, ptr *int, node, rows *int32, u, x *float64) {
	forwardGo(n, ptr, node, rows, u, x)
}

func backward(n int, ptr *int, node, rows *int32, u, pivot, x *float64) {
	backwardGo(n, ptr, node, rows, u, pivot, x)
}

func backwardMultiply(n int, ptr *int, rows *int32, u, pivot, w, diag, x, y, r, sums *float64) {
	backwardMultiplyGo(n, ptr, rows, u, pivot, w, diag, x, y, r, sums)
}

func multiply(n int, ptr *int, rows *int32, w, diag, x, y, r, sums *float64) {
	multiplyGo(n, ptr, rows, w, diag, x, y, r, sums)
}

func update(n int, alpha, beta, u, w, x, r, p, s, squares *float64) {
	updateGo(n, alpha, beta, u, w, x, r, p, s, squares)
}

func forwardOne(n int, ptr *int, node, rows *int32, u, x *float64) {
	forwardOneGo(n, ptr, node, rows, u, x)
}

func backwardOne(n int, ptr *int, node, rows *int32, u, pivot, x *float64) {
	backwardOneGo(n, ptr, node, rows, u, pivot, x)
}

func backwardMultiplyOne(n int, ptr *int, rows *int32, u, pivot, w, diag, x, y, r, sums *float64) {
	backwardMultiplyOneGo(n, ptr, rows, u, pivot, w, diag, x, y, r, sums)
}

func multiplyOne(n int, ptr *int, rows *int32, w, diag, x, y, r, sums *float64) {
	multiplyOneGo(n, ptr, rows, w, diag, x, y, r, sums)
}

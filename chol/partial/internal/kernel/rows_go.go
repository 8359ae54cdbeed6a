package kernel

import "unsafe"

type lanes = [Lanes]float64

// item is element k of the array at p.
func item[T any](p *T, k int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), uintptr(k)*unsafe.Sizeof(*p)))
}

// row is row i of the vectors at x.
func row(x *float64, i int) *lanes {
	return (*lanes)(unsafe.Add(unsafe.Pointer(x), uintptr(i)*Lanes*8))
}

func forwardGo(n int, ptr *int, node, rows *int32, u, x *float64) {
	for k := range n {
		i := k
		if node != nil {
			i = int(*item(node, k))
		}
		v := *row(x, i)
		for e := *item(ptr, k); e < *item(ptr, k+1); e++ {
			s, r := *item(u, e), row(x, int(*item(rows, e)))
			for q := range r {
				r[q] += s * v[q]
			}
		}
	}
}

func backwardGo(n int, ptr *int, node, rows *int32, u, pivot, x *float64) {
	for k := n - 1; k >= 0; k-- {
		i := k
		if node != nil {
			i = int(*item(node, k))
		}
		var sum lanes
		for e := *item(ptr, k); e < *item(ptr, k+1); e++ {
			s, r := *item(u, e), row(x, int(*item(rows, e)))
			for q := range r {
				sum[q] += s * r[q]
			}
		}
		inv, v := 1 / *item(pivot, k), row(x, i)
		for q := range v {
			v[q] = inv*v[q] + sum[q]
		}
	}
}

func backwardMultiplyGo(n int, ptr *int, rows *int32, u, pivot, w, diag, x, y, r, sums *float64) {
	out := (*[2 * Lanes]float64)(unsafe.Pointer(sums))
	*out = [2 * Lanes]float64{}
	for k := n - 1; k >= 0; k-- {
		var sumU, sumW lanes
		for e := *item(ptr, k); e < *item(ptr, k+1); e++ {
			a, b, v := *item(u, e), *item(w, e), row(x, int(*item(rows, e)))
			for q := range v {
				sumU[q] += a * v[q]
				sumW[q] += b * v[q]
			}
		}
		inv, v := 1 / *item(pivot, k), row(x, k)
		for q := range v {
			v[q] = inv*v[q] + sumU[q]
		}
		finishRow(k, ptr, rows, w, *item(diag, k), v, &sumW, y, row(r, k), out)
	}
}

func multiplyGo(n int, ptr *int, rows *int32, w, diag, x, y, r, sums *float64) {
	out := (*[2 * Lanes]float64)(unsafe.Pointer(sums))
	*out = [2 * Lanes]float64{}
	for k := n - 1; k >= 0; k-- {
		var sumW lanes
		for e := *item(ptr, k); e < *item(ptr, k+1); e++ {
			b, v := *item(w, e), row(x, int(*item(rows, e)))
			for q := range v {
				sumW[q] += b * v[q]
			}
		}
		finishRow(k, ptr, rows, w, *item(diag, k), row(x, k), &sumW, y, row(r, k), out)
	}
}

// finishRow completes row k of the product, given what the entries below the
// diagonal contribute to it, and adds its part to the rows below.
func finishRow(k int, ptr *int, rows *int32, w *float64, d float64, v, sumW *lanes, y *float64, r *lanes, out *[2 * Lanes]float64) {
	yk := row(y, k)
	for q := range v {
		t := d*v[q] - sumW[q]
		yk[q] = t
		out[q] += r[q] * v[q]
		out[Lanes+q] += v[q] * (t - sumW[q])
	}
	for e := *item(ptr, k); e < *item(ptr, k+1); e++ {
		b, z := *item(w, e), row(y, int(*item(rows, e)))
		for q := range z {
			z[q] -= b * v[q]
		}
	}
}

func updateGo(n int, alpha, beta, u, w, x, r, p, s, squares *float64) {
	a, b, sq := *row(alpha, 0), *row(beta, 0), row(squares, 0)
	*sq = lanes{}
	for k := range n {
		uk, wk, xk, rk, pk, sk := row(u, k), row(w, k), row(x, k), row(r, k), row(p, k), row(s, k)
		for q := range a {
			pk[q] = uk[q] + b[q]*pk[q]
			sk[q] = wk[q] + b[q]*sk[q]
			xk[q] += a[q] * pk[q]
			t := rk[q] - a[q]*sk[q]
			rk[q] = t
			sq[q] += t * t
		}
	}
}

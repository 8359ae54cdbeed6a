package kernel

// ForwardOne is Forward for one vector.
func (c *Columns) ForwardOne(x []float64) {
	if c.check(x, 1) {
		forwardOne(len(c.Pivot), &c.Ptr[0], first(c.Node), first(c.Rows), first(c.U), &x[0])
	}
}

// BackwardOne is Backward for one vector.
func (c *Columns) BackwardOne(x []float64) {
	if c.check(x, 1) {
		backwardOne(len(c.Pivot), &c.Ptr[0], first(c.Node), first(c.Rows), first(c.U), &c.Pivot[0], &x[0])
	}
}

// BackwardMultiplyOne is BackwardMultiply for one vector.
func (c *Columns) BackwardMultiplyOne(w, diag, x, y, r []float64, sums *[2]float64) {
	if !c.check(x, 1) {
		*sums = [2]float64{}
		return
	}
	n := len(c.Pivot)
	checkMultiply(n, c.Ptr, c.Rows, w, diag, x, y, r, 1)
	backwardMultiplyOne(n, &c.Ptr[0], first(c.Rows), first(c.U), &c.Pivot[0], first(w), &diag[0], &x[0], &y[0], &r[0], &sums[0])
}

// MultiplyOne is Multiply for one vector.
func MultiplyOne(ptr []int, rows []int32, w, diag, x, y, r []float64, sums *[2]float64) {
	n := len(diag)
	if n == 0 {
		*sums = [2]float64{}
		return
	}
	checkMultiply(n, ptr, rows, w, diag, x, y, r, 1)
	multiplyOne(n, &ptr[0], first(rows), first(w), &diag[0], &x[0], &y[0], &r[0], &sums[0])
}

func forwardOneGo(n int, ptr *int, node, rows *int32, u, x *float64) {
	for k := range n {
		i := k
		if node != nil {
			i = int(*item(node, k))
		}
		v := *item(x, i)
		for e := *item(ptr, k); e < *item(ptr, k+1); e++ {
			*item(x, int(*item(rows, e))) += *item(u, e) * v
		}
	}
}

func backwardOneGo(n int, ptr *int, node, rows *int32, u, pivot, x *float64) {
	for k := n - 1; k >= 0; k-- {
		i := k
		if node != nil {
			i = int(*item(node, k))
		}
		sum := 0.0
		for e := *item(ptr, k); e < *item(ptr, k+1); e++ {
			sum += *item(u, e) * *item(x, int(*item(rows, e)))
		}
		v := item(x, i)
		*v = *v / *item(pivot, k) + sum
	}
}

func backwardMultiplyOneGo(n int, ptr *int, rows *int32, u, pivot, w, diag, x, y, r, sums *float64) {
	a, b := 0.0, 0.0
	for k := n - 1; k >= 0; k-- {
		sum := 0.0
		for e := *item(ptr, k); e < *item(ptr, k+1); e++ {
			sum += *item(u, e) * *item(x, int(*item(rows, e)))
		}
		v := item(x, k)
		*v = *v / *item(pivot, k) + sum
		finishOne(k, ptr, rows, w, *item(diag, k), x, y, *item(r, k), &a, &b)
	}
	*item(sums, 0), *item(sums, 1) = a, b
}

func multiplyOneGo(n int, ptr *int, rows *int32, w, diag, x, y, r, sums *float64) {
	a, b := 0.0, 0.0
	for k := n - 1; k >= 0; k-- {
		finishOne(k, ptr, rows, w, *item(diag, k), x, y, *item(r, k), &a, &b)
	}
	*item(sums, 0), *item(sums, 1) = a, b
}

// finishOne writes row k of the product and adds its part to the rows below.
func finishOne(k int, ptr *int, rows *int32, w *float64, d float64, x, y *float64, r float64, a, b *float64) {
	v, sum := *item(x, k), 0.0
	for e := *item(ptr, k); e < *item(ptr, k+1); e++ {
		i := int(*item(rows, e))
		sum += *item(w, e) * *item(x, i)
		*item(y, i) -= *item(w, e) * v
	}
	t := d*v - sum
	*item(y, k) = t
	*a += r * v
	*b += v * (t - sum)
}

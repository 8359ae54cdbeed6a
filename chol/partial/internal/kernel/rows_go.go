package kernel

import "unsafe"

func row(x *float64, i int32) *[Lanes]float64 {
	return (*[Lanes]float64)(unsafe.Add(unsafe.Pointer(x), uintptr(i)*Lanes*8))
}

func scatterGo(n int, rows *int32, u, x, v *float64) {
	a := *(*[Lanes]float64)(unsafe.Pointer(v))
	for k, i := range unsafe.Slice(rows, n) {
		s := *(*float64)(unsafe.Add(unsafe.Pointer(u), uintptr(k)*8))
		r := row(x, i)
		for q := range r {
			r[q] += s * a[q]
		}
	}
}

func gatherGo(n int, rows *int32, u, x, sum *float64) {
	a := (*[Lanes]float64)(unsafe.Pointer(sum))
	for k, i := range unsafe.Slice(rows, n) {
		s := *(*float64)(unsafe.Add(unsafe.Pointer(u), uintptr(k)*8))
		r := row(x, i)
		for q := range r {
			a[q] += s * r[q]
		}
	}
}

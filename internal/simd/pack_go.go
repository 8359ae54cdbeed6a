package simd

// packStripsGo copies the m×k matrix a into strips of w rows: element (i,p) to
// dst[(i/w)*w*k + p*w + i%w]. Lanes beyond m in the last strip are unspecified.
func packStripsGo(m, k int, ap *float64, lda int, dp *float64, w int) {
	a := view(ap, extent(m, k, 1, lda))
	dst := view(dp, (m+w-1)/w*w*k)
	for i := 0; i < m; i += w {
		d := dst[i*k:]
		rows := min(w, m-i)
		for p := range k {
			copy(d[p*w:p*w+rows], a[i+p*lda:i+p*lda+rows])
		}
	}
}

// packRowsGo packs c ≤ NR rows of an operand, one column after the other ldd
// elements apart in dst: n1 plain columns from src1 (element (i,p) at
// src1[i+p*ld]); if diag ≠ 0 the c×c diagonal block of a symmetric matrix,
// lower triangle at srcd; n2 columns from the transpose of src2 (element (i,p)
// at src2[p+i*ld]). NR elements of each column are written, those from c on
// unspecified.
func packRowsGo(c, n1 int, src1 *float64, diag int, srcd *float64, n2 int, src2 *float64, ld int, dp *float64, ldd int) {
	cols := n1 + n2
	if diag != 0 {
		cols += c
	}
	dst := view(dp, extent(c, cols, 1, ldd))
	q := 0
	a := view(src1, extent(c, n1, 1, ld))
	for p := range n1 {
		copy(dst[q:q+c], a[p*ld:p*ld+c])
		q += ldd
	}
	if diag != 0 {
		a = view(srcd, extent(c, c, 1, ld))
		for p := range c {
			for i := range c {
				dst[q+i] = a[max(i, p)+min(i, p)*ld]
			}
			q += ldd
		}
	}
	a = view(src2, extent(n2, c, 1, ld))
	for i := range c {
		for p := range n2 {
			dst[q+p*ldd+i] = a[p+i*ld]
		}
	}
}

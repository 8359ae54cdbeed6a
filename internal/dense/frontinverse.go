package dense

import "github.com/gcrfbc/gcrfbc/internal/simd"

// Potri writes the lower triangle of (L Lᵀ)⁻¹ to z: L n×n lower; z may not
// overlap l.
func Potri(ws *Workspace, n int, l []float64, ldl int, z []float64, ldz int) {
	FrontInverse(ws, n, n, l, ldl, z, ldz)
}

// FrontInverse continues a selected inverse through a front. l is the nr×w
// panel of FrontFactor (its strictly upper part is not read), z nr×nr lower:
// on entry z[w:,w:] holds the inverse's block Z22, on return all of z is
// filled:
//
//	Y = L21 L11⁻¹,  Z21 = −Z22 Y,  Z11 = (L11 L11ᵀ)⁻¹ − Yᵀ Z21
//
// (Takahashi, Fagan and Chin 1973; Erisman and Tinney 1975; Lin et al. 2011.)
// z may not overlap l.
func FrontInverse(ws *Workspace, nr, w int, l []float64, ldl int, z []float64, ldz int) {
	checkMat(nr, w, l, ldl)
	checkMat(nr, nr, z, ldz)
	if w > nr {
		panic("dense: front wider than tall")
	}
	if w == 0 {
		return
	}
	if w == 1 && nr <= tiny {
		columnInverse(nr, l, z, ldz)
		return
	}
	if w <= simd.MR() && nr-w <= kBlock {
		narrowInverse(ws, nr, w, l, ldl, z, ldz)
		return
	}
	nb := split(w, inverseBlock(nr), simd.MR())
	for j := (w - 1) / nb * nb; j >= 0; j -= nb {
		inversePanel(ws, nr-j, min(nb, w-j), l[j+j*ldl:], ldl, z[j+j*ldz:], ldz)
	}
}

// inverseBlock is the greatest width of FrontInverse's panels: each packs Z22
// once, and does work of its own on its diagonal block.
func inverseBlock(nr int) int {
	if nr > 800 {
		return 240
	}
	return 120
}

// inversePanel is FrontInverse for one panel. t is [Mᵀ Yᵀ], M = L11⁻¹, w×nr
// with leading dimension wp: transposed, because Yᵀ is the left factor of
// YᵀZ21, and as the right factor of Z22 Y a tile then reads contiguous elements.
// Mᵀ = I L11⁻ᵀ is upper triangular, so its columns end at the diagonal.
func inversePanel(ws *Workspace, nr, w int, l []float64, ldl int, z []float64, ldz int) {
	nb, r := simd.NR(), nr-w
	wp := (w + nb - 1) / nb * nb
	t := ws.temp(wp * nr)
	invertTransposed(w, l, ldl, t, wp)
	if r > 0 {
		y := t[w*wp:]
		for q := 0; q < w; q += rowsY { // Yᵀ = Mᵀ L21ᵀ
			product(ws, min(rowsY, w-q), r, w-q, 1, operand{form: plain, a: t[q+q*wp:], ld: wp},
				l[w+q*ldl:], ldl, 1, y[q:], wp, simd.Overwrite)
		}
		product(ws, r, w, r, -1, operand{form: symmetric, a: z[w+w*ldz:], ld: ldz}, // Z21 = −Z22 Y
			y, wp, 1, z[w:], ldz, simd.Overwrite)
	}
	// The lower triangle of Z11 = MᵀM − YᵀZ21.
	for j := 0; j < w; j += nb {
		// Column p of Mᵀ ends at its diagonal: the sum over p begins at j.
		product(ws, w-j, min(nb, w-j), w-j, 1, operand{form: plain, a: t[j+j*wp:], ld: wp},
			t[j+j*wp:], wp, 1, z[j+j*ldz:], ldz, simd.Lower|simd.Overwrite)
	}
	if r > 0 {
		product(ws, w, w, r, -1, operand{form: plain, a: t[w*wp:], ld: wp}, z[w:], 1, ldz, z, ldz, simd.Lower)
	}
}

// rowsY is how many rows of Yᵀ are computed at a time: later ones have shorter
// sums.
const rowsY = 48

// invertTransposed writes L⁻ᵀ to t with zeros below its diagonal; L is w×w.
func invertTransposed(w int, l []float64, ldl int, t []float64, ldt int) {
	if w <= simd.MR() {
		simd.InvertLower(w, &l[0], ldl, &t[0], ldt)
		return
	}
	nb := simd.NR()
	clear(t[:ldt*w])
	for j := range w {
		t[j+j*ldt] = 1
	}
	for j := 0; j < w; j += nb {
		n := min(nb, w-j)
		simd.TrsmPanel(j+n, n, j, &t[0], ldt, &l[j], ldl, 1, &t[j*ldt], ldt, &l[j+j*ldl], ldl)
	}
}

// narrowInverse is inversePanel for w ≤ MR and at most kBlock rows below, where
// each step is a call or two.
func narrowInverse(ws *Workspace, nr, w int, l []float64, ldl int, z []float64, ldz int) {
	mr, nb, r := simd.MR(), simd.NR(), nr-w
	wp := (w + nb - 1) / nb * nb
	t := ws.temp(wp * nr)
	invertTransposed(w, l, ldl, t, wp)
	simd.GemmBlock(w, w, w, 1, &t[0], wp, mr, &t[0], wp, 1, nb, &z[0], ldz, simd.Lower|simd.Overwrite)
	if r == 0 {
		return
	}
	y := &t[w*wp]
	half := 2 * nb
	for q := 0; q < w; q += half {
		simd.GemmBlock(min(half, w-q), r, w-q, 1, &t[q+q*wp], wp, mr, &l[w+q*ldl], ldl, 1, nb, offset(y, q), wp, simd.Overwrite)
	}
	pa := ws.packA(strips(r, r))
	o := operand{form: symmetric, a: z[w+w*ldz:], ld: ldz}
	o.pack(0, r, 0, r, pa)
	simd.GemmBlock(r, w, r, -1, &pa[0], mr, mr*r, y, wp, 1, nb, &z[w], ldz, simd.Overwrite)
	simd.GemmBlock(w, w, r, -1, y, wp, mr, &z[w], 1, ldz, nb*ldz, &z[0], ldz, simd.Lower)
}

// columnInverse is FrontInverse for w = 1, nr ≤ tiny.
func columnInverse(nr int, l, z []float64, ldz int) {
	d := 1 / l[0]
	var y, s [tiny]float64
	l = l[:nr]
	for i := 1; i < nr; i++ {
		y[i] = l[i] * d
	}
	for j := 1; j < nr; j++ {
		zj := z[j*ldz : j*ldz+nr]
		t, v := s[j]+zj[j]*y[j], y[j]
		for i := j + 1; i < nr; i++ {
			t += zj[i] * y[i]
			s[i] += zj[i] * v
		}
		s[j] = t
	}
	q := d * d
	for i := 1; i < nr; i++ {
		z[i] = -s[i]
		q += y[i] * s[i]
	}
	z[0] = q
}

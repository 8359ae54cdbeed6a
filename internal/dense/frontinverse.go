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
	switch {
	case w == 0:
	case w == 1 && nr <= tiny:
		columnInverse(nr, l, z, ldz)
	case narrow(nr, w):
		t := ws.temp(padded(w) * nr)
		narrowForward(nr, w, l, ldl, t)
		narrowBackward(ws, nr, w, t, z, ldz)
	default:
		nb := panelWidth(nr, w)
		for j := (w - 1) / nb * nb; j >= 0; j -= nb {
			wj := min(nb, w-j)
			t := ws.temp(padded(wj) * (nr - j))
			panelForward(ws, nr-j, wj, l[j+j*ldl:], ldl, t)
			panelBackward(ws, nr-j, wj, t, z[j+j*ldz:], ldz)
		}
	}
}

// FrontForward does the part of FrontInverse that does not need z and writes it to
// t, of length ForwardLen: for each panel of columns [Mᵀ Yᵀ], where M = L11⁻¹.
func FrontForward(ws *Workspace, nr, w int, l []float64, ldl int, t []float64) {
	checkMat(nr, w, l, ldl)
	checkForward(nr, w, t)
	switch {
	case len(t) == 0:
	case narrow(nr, w):
		narrowForward(nr, w, l, ldl, t)
	default:
		nb := panelWidth(nr, w)
		for j := 0; j < w; j += nb {
			wj := min(nb, w-j)
			n := padded(wj) * (nr - j)
			panelForward(ws, nr-j, wj, l[j+j*ldl:], ldl, t[:n])
			t = t[n:]
		}
	}
}

// FrontBackward is FrontInverse after FrontForward. If t is empty it is
// FrontInverse; otherwise l is not read.
func FrontBackward(ws *Workspace, nr, w int, l []float64, ldl int, t, z []float64, ldz int) {
	if len(t) == 0 {
		FrontInverse(ws, nr, w, l, ldl, z, ldz)
		return
	}
	checkMat(nr, nr, z, ldz)
	checkForward(nr, w, t)
	if narrow(nr, w) {
		narrowBackward(ws, nr, w, t, z, ldz)
		return
	}
	nb := panelWidth(nr, w)
	for j := (w - 1) / nb * nb; j >= 0; j -= nb {
		wj := min(nb, w-j)
		n := padded(wj) * (nr - j)
		panelBackward(ws, nr-j, wj, t[len(t)-n:], z[j+j*ldz:], ldz)
		t = t[:len(t)-n]
	}
}

// ForwardLen is the number of elements that FrontForward writes; none for the
// smallest fronts, and at one instruction set.
func ForwardLen(nr, w int) int {
	switch {
	case w == 0 || w == 1 && nr <= tiny:
		return 0
	case narrow(nr, w):
		return padded(w) * nr
	}
	n := 0
	nb := panelWidth(nr, w)
	for j := 0; j < w; j += nb {
		n += padded(min(nb, w-j)) * (nr - j)
	}
	return n
}

func checkForward(nr, w int, t []float64) {
	if w > nr || len(t) != ForwardLen(nr, w) {
		panic("dense: forward part of another front")
	}
}

// padded is the leading dimension of [Mᵀ Yᵀ] for w columns: whole tiles of every
// instruction set.
func padded(w int) int { return (w + 7) &^ 7 }

// narrow says that each step is a call or two.
func narrow(nr, w int) bool { return w <= simd.MR() && nr-w <= kBlock }

// panelWidth is the width of FrontInverse's panels: each packs Z22 once, and does
// work of its own on its diagonal block.
func panelWidth(nr, w int) int {
	limit := 120
	if nr > 800 {
		limit = 240
	}
	return split(w, limit, simd.MR())
}

// panelForward is FrontForward for one panel. t is [Mᵀ Yᵀ], w×nr with leading
// dimension padded(w): transposed, because Yᵀ is the left factor of YᵀZ21, and as
// the right factor of Z22 Y a tile then reads contiguous elements. Mᵀ = I L11⁻ᵀ is
// upper triangular, so its columns end at the diagonal.
func panelForward(ws *Workspace, nr, w int, l []float64, ldl int, t []float64) {
	r, wp := nr-w, padded(w)
	invertTransposed(w, l, ldl, t, wp)
	if r == 0 {
		return
	}
	y := t[w*wp:]
	for q := 0; q < w; q += rowsY { // Yᵀ = Mᵀ L21ᵀ
		product(ws, min(rowsY, w-q), r, w-q, 1, operand{form: plain, a: t[q+q*wp:], ld: wp},
			l[w+q*ldl:], ldl, 1, y[q:], wp, simd.Overwrite)
	}
}

// panelBackward is FrontBackward for one panel.
func panelBackward(ws *Workspace, nr, w int, t, z []float64, ldz int) {
	nb, r, wp := simd.NR(), nr-w, padded(w)
	if r > 0 { // Z21 = −Z22 Y
		product(ws, r, w, r, -1, operand{form: symmetric, a: z[w+w*ldz:], ld: ldz}, t[w*wp:], wp, 1, z[w:], ldz, simd.Overwrite)
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

// narrowForward is FrontForward for narrow fronts.
func narrowForward(nr, w int, l []float64, ldl int, t []float64) {
	mr, nb, r, wp := simd.MR(), simd.NR(), nr-w, padded(w)
	invertTransposed(w, l, ldl, t, wp)
	if r == 0 {
		return
	}
	y := &t[w*wp]
	half := 2 * nb
	for q := 0; q < w; q += half {
		simd.GemmBlock(min(half, w-q), r, w-q, 1, &t[q+q*wp], wp, mr, &l[w+q*ldl], ldl, 1, nb, offset(y, q), wp, simd.Overwrite)
	}
}

// narrowBackward is FrontBackward for narrow fronts.
func narrowBackward(ws *Workspace, nr, w int, t, z []float64, ldz int) {
	mr, nb, r, wp := simd.MR(), simd.NR(), nr-w, padded(w)
	simd.GemmBlock(w, w, w, 1, &t[0], wp, mr, &t[0], wp, 1, nb, &z[0], ldz, simd.Lower|simd.Overwrite)
	if r == 0 {
		return
	}
	y := &t[w*wp]
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

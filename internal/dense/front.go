package dense

import "github.com/gcrfbc/gcrfbc/internal/simd"

// Potrf factorizes the lower triangle of the n×n matrix a as L Lᵀ in place.
// It returns −1, or the first column whose pivot is not in (0, +Inf); then a is
// partly overwritten. n³/3 operations.
func Potrf(ws *Workspace, n int, a []float64, lda int) (info int) {
	checkMat(n, n, a, lda)
	return factorPanel(ws, n, n, a, lda)
}

// leaf is the width up to which column panels look left one by one; wider
// panels are halved.
const leaf = 64

// factorPanel factorizes the rows×w panel a, w ≤ rows.
func factorPanel(ws *Workspace, rows, w int, a []float64, lda int) (info int) {
	nr := simd.NR()
	if w > leaf {
		h := (w/2 + nr - 1) / nr * nr
		if info = factorPanel(ws, rows, h, a, lda); info >= 0 {
			return info
		}
		product(ws, rows-h, w-h, h, -1, operand{plain, a[h:], lda}, a[h:], lda, 1, a[h+h*lda:], lda, true)
		if info = factorPanel(ws, rows-h, w-h, a[h+h*lda:], lda); info >= 0 {
			return h + info
		}
		return -1
	}
	for j := 0; j < w; j += nr {
		if i := simd.PotrfPanel(rows-j, min(nr, w-j), j, &a[j], lda); i >= 0 {
			return j + i
		}
	}
	return -1
}

// FrontFactor factorizes a front. a is its nr×w panel of pivot columns, lower
// part valid; on return it holds L11 (w×w lower) over L21 (r×w, r = nr−w). u is
// the r×r lower triangle of the update matrix: u −= L21 L21ᵀ. It returns −1, or
// the first column whose pivot is not in (0, +Inf); then a is partly
// overwritten and u unchanged.
func FrontFactor(ws *Workspace, nr, w int, a []float64, lda int, u []float64, ldu int) (info int) {
	checkMat(nr, w, a, lda)
	if w > nr {
		panic("dense: front wider than tall")
	}
	r := nr - w
	checkMat(r, r, u, ldu)
	if info = factorPanel(ws, nr, w, a, lda); info >= 0 {
		return info
	}
	if r > 0 && w > 0 {
		Syrk(ws, r, w, a[w:], lda, u, ldu)
	}
	return -1
}

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

// inversePanel is FrontInverse for one panel.
func inversePanel(ws *Workspace, nr, w int, l []float64, ldl int, z []float64, ldz int) {
	r, nb, mr := nr-w, simd.NR(), simd.MR()
	wp := (w + nb - 1) / nb * nb
	buf := ws.temp(nr*w + nr*wp)
	// my = [M; Y] = [I; L21] L11⁻¹, M lower.
	my, t := buf[:nr*w], buf[nr*w:]
	for j := range w {
		x := my[j*nr : j*nr+nr]
		clear(x[:w])
		x[j] = 1
		copy(x[w:], l[w+j*ldl:nr+j*ldl])
	}
	for j := (w - 1) / nb * nb; j >= 0; j -= nb {
		n := min(nb, w-j)
		k := w - j - n
		e := j + n
		if k == 0 {
			e = j // addresses only
		}
		simd.TrsmPanelN(nr-j, n, k, &my[j+e*nr], nr, &l[e+j*ldl], 1, ldl, &my[j+j*nr], nr, &l[j+j*ldl], ldl)
	}
	// t = [Mᵀ Yᵀ], plain with leading dimension wp.
	o := operand{transposed, my, nr}
	for i := 0; i < w; i += nb {
		o.packRows(i, min(nb, w-i), 0, nr, &t[i], wp)
	}
	for j := range w {
		clear(z[j+j*ldz : nr+j*ldz])
	}
	if r > 0 {
		product(ws, r, w, r, -1, operand{symmetric, z[w+w*ldz:], ldz}, my[w:], 1, nr, z[w:], ldz, false)
		product(ws, w, w, r, -1, operand{plain, t[w*wp:], wp}, z[w:], 1, ldz, z, ldz, true)
	}
	// Z11 += MᵀM; row p of M ends at its diagonal.
	for j := 0; j < w; j += nb {
		simd.GemmBlockLower(w-j, min(nb, w-j), w-j, 1, &t[j+j*wp], wp, mr, &my[j+j*nr], 1, nr, nb*nr, &z[j+j*ldz], ldz)
	}
}

//go:build amd64 && !noasm

package batch

import (
	"unsafe"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// half is where the upper four lanes begin, for AVX2.
func half(p *float64) *float64 {
	if p == nil {
		return nil
	}
	return (*float64)(unsafe.Add(unsafe.Pointer(p), 4*8))
}

func factor(n int, w, r, d, inv *float64) {
	switch simd.Current() {
	case simd.AVX512:
		factorAVX512(n, w, r, d, inv)
	case simd.AVX2:
		factorAVX2(n, w, r, d, inv)
		factorAVX2(n, half(w), half(r), half(d), half(inv))
	default:
		factorGo(n, w, r, d, inv)
	}
}

func invert(n int, x *float64) {
	switch simd.Current() {
	case simd.AVX512:
		invertAVX512(n, x)
	case simd.AVX2:
		invertAVX2(n, x)
		invertAVX2(n, half(x))
	default:
		invertGo(n, x)
	}
}

func moments(n int, x, inv, b, s *float64) {
	switch simd.Current() {
	case simd.AVX512:
		momentsAVX512(n, x, inv, b, s)
	case simd.AVX2:
		momentsAVX2(n, x, inv, b, s)
		momentsAVX2(n, half(x), half(inv), half(b), half(s))
	default:
		momentsGo(n, x, inv, b, s)
	}
}

func inverse(n int, x, inv, s, z, work *float64) {
	switch simd.Current() {
	case simd.AVX512:
		inverseAVX512(n, x, inv, s, z, work)
	case simd.AVX2:
		inverseAVX2(n, x, inv, s, z, work)
		inverseAVX2(n, half(x), half(inv), half(s), half(z), half(work))
	default:
		inverseGo(n, x, inv, s, z, work)
	}
}

func resistances(n int, x, inv, r *float64) {
	switch simd.Current() {
	case simd.AVX512:
		resistancesAVX512(n, x, inv, r)
	case simd.AVX2:
		resistancesAVX2(n, x, inv, r)
		resistancesAVX2(n, half(x), half(inv), half(r))
	default:
		resistancesGo(n, x, inv, r)
	}
}

func spread(n int, scale float64, z, a, h *float64) {
	switch simd.Current() {
	case simd.AVX512:
		spreadAVX512(n, scale, z, a, h)
	case simd.AVX2:
		spreadAVX2(n, scale, z, a, h)
		spreadAVX2(n, scale, half(z), half(a), half(h))
	default:
		spreadGo(n, scale, z, a, h)
	}
}

func others(n int, z, x, y *float64) {
	switch simd.Current() {
	case simd.AVX512:
		othersAVX512(n, z, x, y)
	case simd.AVX2:
		othersAVX2(n, z, x, y)
		othersAVX2(n, half(z), half(x), half(y))
	default:
		othersGo(n, z, x, y)
	}
}

func edges(n int, e, x, rp, rs, q *float64) {
	switch simd.Current() {
	case simd.AVX512:
		edgesAVX512(n, e, x, rp, rs, q)
	case simd.AVX2:
		edgesAVX2(n, e, x, rp, rs, q)
		edgesAVX2(n, half(e), half(x), half(rp), half(rs), half(q))
	default:
		edgesGo(n, e, x, rp, rs, q)
	}
}

func gauss(n int, mu, e, tau, nu, fac, d, inv, m, sum, prod *float64) {
	switch simd.Current() {
	case simd.AVX512:
		gaussAVX512(n, mu, e, tau, nu, fac, d, inv, m, sum, prod)
	case simd.AVX2:
		gaussAVX2(n, mu, e, tau, nu, fac, d, inv, m, sum, prod)
		gaussAVX2(n, half(mu), half(e), half(tau), half(nu), half(fac), half(d), half(inv), half(m), half(sum), half(prod))
	default:
		gaussGo(n, mu, e, tau, nu, fac, d, inv, m, sum, prod)
	}
}

func sitesJJ(n int, base float64, t, mask, mu, nu, tau, r, b, fac, root, sum *float64) {
	switch simd.Current() {
	case simd.AVX512:
		sitesJJAVX512(n, base, t, mask, mu, nu, tau, r, b, fac, root, sum)
	case simd.AVX2:
		sitesJJAVX2(n, base, t, mask, mu, nu, tau, r, b, fac, root, sum)
		sitesJJAVX2(n, base, half(t), half(mask), half(mu), half(nu), half(tau), half(r), half(b), half(fac), half(root), half(sum))
	default:
		sitesJJGo(n, base, t, mask, mu, nu, tau, r, b, fac, root, sum)
	}
}

func changeJJ(n int, t, mask, m, s, image, ell, change *float64) {
	switch simd.Current() {
	case simd.AVX512:
		changeJJAVX512(n, t, mask, m, s, image, ell, change)
	case simd.AVX2:
		changeJJAVX2(n, t, mask, m, s, image, ell, change)
		changeJJAVX2(n, half(t), half(mask), half(m), half(s), half(image), half(ell), half(change))
	default:
		changeJJGo(n, t, mask, m, s, image, ell, change)
	}
}

func newtonJJ(n int, z, s, m, image, ell, root, h, diag, y *float64) {
	switch simd.Current() {
	case simd.AVX512:
		newtonJJAVX512(n, z, s, m, image, ell, root, h, diag, y)
	case simd.AVX2:
		newtonJJAVX2(n, z, s, m, image, ell, root, h, diag, y)
		newtonJJAVX2(n, half(z), half(s), half(m), half(image), half(ell), half(root), half(h), half(diag), half(y))
	default:
		newtonJJGo(n, z, s, m, image, ell, root, h, diag, y)
	}
}

func solveLDL(n int, h, diag, y, least *float64) {
	switch simd.Current() {
	case simd.AVX512:
		solveLDLAVX512(n, h, diag, y, least)
	case simd.AVX2:
		solveLDLAVX2(n, h, diag, y, least)
		solveLDLAVX2(n, half(h), half(diag), half(y), half(least))
	default:
		solveLDLGo(n, h, diag, y, least)
	}
}

func stepJJ(n int, y, root, image, active, newton, t *float64) {
	switch simd.Current() {
	case simd.AVX512:
		stepJJAVX512(n, y, root, image, active, newton, t)
	case simd.AVX2:
		stepJJAVX2(n, y, root, image, active, newton, t)
		stepJJAVX2(n, half(y), half(root), half(image), half(active), half(newton), half(t))
	default:
		stepJJGo(n, y, root, image, active, newton, t)
	}
}

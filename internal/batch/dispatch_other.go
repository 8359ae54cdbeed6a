//go:build !amd64 || noasm

package batch

func factor(n int, w, r, d, inv *float64) {
	factorGo(n, w, r, d, inv)
}

func invert(n int, x *float64) {
	invertGo(n, x)
}

func moments(n int, x, inv, b, s *float64) {
	momentsGo(n, x, inv, b, s)
}

func inverse(n int, x, inv, s, z, work *float64) {
	inverseGo(n, x, inv, s, z, work)
}

func resistances(n int, x, inv, r *float64) {
	resistancesGo(n, x, inv, r)
}

func spread(n int, scale float64, z, a, h *float64) {
	spreadGo(n, scale, z, a, h)
}

func others(n int, z, x, y *float64) {
	othersGo(n, z, x, y)
}

func edges(n int, e, x, rp, rs, q *float64) {
	edgesGo(n, e, x, rp, rs, q)
}

func gauss(n int, mu, e, tau, nu, fac, d, inv, m, sum, prod *float64) {
	gaussGo(n, mu, e, tau, nu, fac, d, inv, m, sum, prod)
}

func sitesJJ(n int, base float64, t, mask, mu, nu, tau, r, b, fac, root, sum *float64) {
	sitesJJGo(n, base, t, mask, mu, nu, tau, r, b, fac, root, sum)
}

func changeJJ(n int, t, mask, m, s, image, ell, change *float64) {
	changeJJGo(n, t, mask, m, s, image, ell, change)
}

func newtonJJ(n int, z, s, m, image, ell, root, h, diag, y *float64) {
	newtonJJGo(n, z, s, m, image, ell, root, h, diag, y)
}

func solveLDL(n int, h, diag, y, least *float64) {
	solveLDLGo(n, h, diag, y, least)
}

func stepJJ(n int, y, root, image, active, newton, t *float64) {
	stepJJGo(n, y, root, image, active, newton, t)
}

package batch

// Lanes is the number of instances side by side.
const Lanes = 8

// Triangle returns the number of entries of a strict triangle of order n, for
// one lane.
func Triangle(n int) int { return n * (n - 1) / 2 }

// Chunk is how many factors [Gauss] multiplies before it starts a new product.
const Chunk = 8

// Chunks returns how many products Gauss writes for order n.
func Chunks(n int) int { return n/Chunk + 1 }

func check(n int, triangle, vectors [][]float64) {
	if n < 1 {
		panic("batch: order below 1")
	}
	for _, t := range triangle {
		if len(t) < Triangle(n)*Lanes {
			panic("batch: short triangle")
		}
	}
	for _, v := range vectors {
		if len(v) < n*Lanes {
			panic("batch: short vector")
		}
	}
}

// checkLanes panics unless every slice holds one number a lane.
func checkLanes(vs ...[]float64) {
	for _, v := range vs {
		if len(v) < Lanes {
			panic("batch: short vector of lanes")
		}
	}
}

// head is the address of a slice's first element; a triangle of order 1 is empty.
func head(s []float64) *float64 {
	if len(s) == 0 {
		return nil
	}
	return &s[0]
}

// Factor replaces the weights w of A = diag(r) + Lap(w) by −L below the
// diagonal, r by scratch, and writes the pivots d and inv = 1/d. A pivot that
// is not positive and finite says that the lane's matrix is not positive
// definite, or not finite.
func Factor(n int, w, r, d, inv []float64) {
	check(n, [][]float64{w}, [][]float64{r, d, inv})
	factor(n, head(w), &r[0], &d[0], &inv[0])
}

// Invert replaces −L, as of [Factor], by X = L⁻¹ below the diagonal.
func Invert(n int, x []float64) {
	check(n, [][]float64{x}, nil)
	if n > 1 {
		invert(n, &x[0])
	}
}

// Moments replaces b by A⁻¹b and writes the diagonal s of A⁻¹.
func Moments(n int, x, inv, b, s []float64) {
	check(n, [][]float64{x}, [][]float64{inv, b, s})
	moments(n, head(x), &inv[0], &b[0], &s[0])
}

// Inverse writes A⁻¹: its diagonal s and the triangle z. work is a vector.
func Inverse(n int, x, inv, s, z, work []float64) {
	check(n, [][]float64{x, z}, [][]float64{inv, s, work})
	inverse(n, head(x), &inv[0], &s[0], head(z), &work[0])
}

// Resistances writes A⁻¹_ii + A⁻¹_jj − 2A⁻¹_ij for every pair into the triangle r.
func Resistances(n int, x, inv, r []float64) {
	check(n, [][]float64{x, r}, [][]float64{inv})
	if n > 1 {
		resistances(n, &x[0], &inv[0], &r[0])
	}
}

// Spread writes h_i = scale Σ_j z_ij (a_j − a_i).
func Spread(n int, scale float64, z, a, h []float64) {
	check(n, [][]float64{z}, [][]float64{a, h})
	spread(n, scale, head(z), &a[0], &h[0])
}

// Others writes y_i = Σ_{j≠i} z_ij x_j.
func Others(n int, z, x, y []float64) {
	check(n, [][]float64{z}, [][]float64{x, y})
	others(n, head(z), &x[0], &y[0])
}

// Edges adds (e_i−e_j)(x_i−x_j) + rp_ij − rs_ij to the triangle q.
func Edges(n int, e, x, rp, rs, q []float64) {
	check(n, [][]float64{rp, rs, q}, [][]float64{e, x})
	if n > 1 {
		edges(n, &e[0], &x[0], &rp[0], &rs[0], &q[0])
	}
}

// Gauss completes the posterior mean m = mu + e and writes, one number a lane,
// sum = Σ_i ν_i(μ_i+m_i) − μ_iτ_im_i and, for every Chunk nodes and the rest of
// them, the products of fac_i d_i inv_i.
func Gauss(n int, mu, e, tau, nu, fac, d, inv, m, sum, prod []float64) {
	check(n, nil, [][]float64{mu, e, tau, nu, fac, d, inv, m})
	checkLanes(sum)
	if len(prod) < Chunks(n)*Lanes {
		panic("batch: short vector of products")
	}
	gauss(n, &mu[0], &e[0], &tau[0], &nu[0], &fac[0], &d[0], &inv[0], &m[0], &sum[0], &prod[0])
}

// SitesJJ sets the sites of Jaakkola and Jordan's bound from t = ξ² > 0: τ =
// 2λ(ξ), r = base + τ, b = ν − τμ, fac = (1+e^{−ξ})² and root = √(−λ'(ξ)ξ), and
// sums λt − ξ/2 a lane. mask is 1 where there is a label and 0 where there is
// not; there τ, root and the sum's term are 0 and fac is 1.
func SitesJJ(n int, base float64, t, mask, mu, nu, tau, r, b, fac, root, sum []float64) {
	check(n, nil, [][]float64{t, mask, mu, nu, tau, r, b, fac, root})
	checkLanes(sum)
	sitesJJ(n, base, &t[0], &mask[0], &mu[0], &nu[0], &tau[0], &r[0], &b[0], &fac[0], &root[0], &sum[0])
}

// ChangeJJ writes the image g = s + m² of t under the bound's fixed-point map,
// ell = 2(g−t)/(g+t), which is log(g/t) to third order, 0 without label, and the
// largest |ell| of each lane; a NaN there is passed on.
func ChangeJJ(n int, t, mask, m, s, g, ell, change []float64) {
	check(n, nil, [][]float64{t, mask, m, s, g, ell})
	checkLanes(change)
	changeJJ(n, &t[0], &mask[0], &m[0], &s[0], &g[0], &ell[0], &change[0])
}

// NewtonJJ writes the symmetric matrix of a Newton step for log t,
//
//	diag(g) − B(S∘S + 2mm'∘S)B,   B = diag(root),
//
// S given by z and s, as the triangle h and diag, and its right-hand side
// y = B(g∘ell).
func NewtonJJ(n int, z, s, m, g, ell, root, h, diag, y []float64) {
	check(n, [][]float64{z, h}, [][]float64{s, m, g, ell, root, diag, y})
	newtonJJ(n, head(z), &s[0], &m[0], &g[0], &ell[0], &root[0], head(h), &diag[0], &y[0])
}

// SolveLDL solves with a symmetric matrix of triangle h and diagonal diag, which
// it overwrites, for the right-hand side y, in place, and writes the least pivot
// of each lane: where that is not positive the matrix is not positive definite.
// A NaN is passed on.
func SolveLDL(n int, h, diag, y, least []float64) {
	check(n, [][]float64{h}, [][]float64{diag, y})
	checkLanes(least)
	solveLDL(n, head(h), &diag[0], &y[0], &least[0])
}

// StepJJ moves t: in active lanes to t(2+δ)/(2−δ), δ = y/root within ±1.5, which
// is t·e^δ to third order, where newton is set, else to g. Lanes are set in
// active and newton by a negative number.
func StepJJ(n int, y, root, g, active, newton, t []float64) {
	check(n, nil, [][]float64{y, root, g, t})
	checkLanes(active, newton)
	stepJJ(n, &y[0], &root[0], &g[0], &active[0], &newton[0], &t[0])
}

package quadrature

import "math"

// largeTail evaluates L for v ≥ largeVariance and −v/2 ≤ mu ≤ 0.
//
// Against a wide Gaussian σ is a step at 0 plus an odd, quickly decaying rest
// with the moments ∫(σ−H) z^k dz = −2 k! η(k+1), k odd (the expansion of
// A. Sommerfeld, 1928). In t = z/s, with h = μ/s and F(t) = e^{ht−t²/2},
//
//	g_n = ∫σ(st) t^n F(t) dt = ∫_0^∞ t^n F dt − Σ_{k odd} 2η(k+1) (t^n F)^{(k)}(0)/s^{k+1}
//
// and F^{(k)}(0) = He_k(h), so (t^n F)^{(k)}(0) = k!/(k−n)! He_{k−n}(h). L is
// e^{−h²/2} g_0/√(2π), and the tilted mean and variance follow from g_1, g_2
// without cancellation: for h ≤ 0 neither grows in the tail. The series is
// asymptotic; from v = 100 on its smallest term is below 1e-17.
func largeTail(mu, v float64) tail {
	s := math.Sqrt(v)
	a := mu / v
	g0, g1, g2 := millsMoments(-mu / s)

	is, iv := 1/s, 1/v
	ivs := iv * is
	// p_k = He_k(h)/s^k.
	var odd, k float64 = 0, 1 // p_{k−2}, k
	even, next := 1.0, a      // p_{k−1}, p_k
	for i := 0; i < largeTerms; i++ {
		c := 2.0
		if i < len(sommerfeld) {
			c = sommerfeld[i]
		}
		t0 := c * next * is
		t1 := c * k * even * iv
		t2 := c * k * (k - 1) * odd * ivs
		g0 -= t0
		g1 -= t1
		g2 -= t2
		if math.Abs(t0) <= 1e-17*g0 && math.Abs(t1) <= 1e-17*g1 && math.Abs(t2) <= 1e-17*g2 {
			break
		}
		odd = next
		even, next = a*next-k*iv*even, 0
		next = a*even - (k+1)*iv*odd
		k += 2
	}
	m := g1 / g0
	ratio := g2/g0 - m*m // tilted variance over v
	d1 := (m - mu*is) * is
	d2 := (ratio - 1) * iv
	return tail{
		exponent: -0.5 * mu * a, factor: g0 / math.Sqrt(2*math.Pi),
		d1: d1, d2: d2, curvature: d2 + d1*d1,
		mean: s * m, variance: v * ratio,
	}
}

const largeTerms = 40

// sommerfeld holds 2η(k+1), k = 1, 3, 5, …, η(n) = Σ_{i≥1} (−1)^{i−1} i^{−n}; they
// are 2 to rounding afterwards.
var sommerfeld = [...]float64{
	1.64493406684822643647, 1.89406565899449183515, 1.97110218259487020820,
	1.99246600370529579845, 1.99807901519654313128, 1.99951537028771638171,
	1.99987834069195943634, 1.99996952842981221288, 1.99999237573922022696,
	1.99999809322316304423, 1.99999952322646164510, 1.99999988079778478926,
	1.99999997019846399314, 1.99999999254950680022, 1.99999999813736456291,
	1.99999999953433979190, 1.99999999988358479809, 1.99999999997089618287,
	1.99999999999272404387, 1.99999999999818101076, 1.99999999999954525267,
	1.99999999999988631316, 1.99999999999997157829, 1.99999999999999289457,
	1.99999999999999822364, 1.99999999999999955591,
}

// millsMoments returns M_n = ∫_0^∞ t^n e^{−xt−t²/2} dt, n = 0, 1, 2, for x ≥ 0.
// M_0 is Mills' ratio.
func millsMoments(x float64) (m0, m1, m2 float64) {
	if x < 2 {
		m0 = math.Sqrt(math.Pi/2) * math.Exp(0.5*x*x) * math.Erfc(x/math.Sqrt2)
		// M_{n+1} = n M_{n−1} − x M_n, M_1 = 1 − x M_0.
		return m0, 1 - x*m0, (1+x*x)*m0 - x
	}
	// The recurrence backwards (W. Gautschi, Efficient computation of the
	// complex error function, 1970): ρ_n = M_n/M_{n−1} = n/(x+ρ_{n+1}).
	n := math.Ceil(8 + 220/(x*x))
	rho := 0.5 * (math.Sqrt(x*x+4*(n+1)) - x)
	for ; n > 2; n-- {
		rho = n / (x + rho)
	}
	rho2 := 2 / (x + rho)
	rho1 := 1 / (x + rho2)
	m0 = 1 / (x + rho1)
	m1 = m0 * rho1
	return m0, m1, m1 * rho2
}

package paper

import (
	"math"

	"github.com/gcrfbc/gcrfbc/infer/quadrature"
	"github.com/gcrfbc/gcrfbc/internal/special"
)

// Figure2 emits the integrand σ(z) N(z; μ, s²) of the marginals on the published
// window μ ± 10 s, with the accurate integral and what the published rule gives.
func Figure2(emit Emit) error {
	for _, c := range [][2]float64{{0, 1}, {2, 1}, {-3, 4}, {0, 25}} {
		mu, v := c[0], c[1]
		sd := math.Sqrt(v)
		var z, f []float64
		for i := -200; i <= 200; i++ {
			x := mu + 10*sd*float64(i)/200
			z = append(z, x)
			f = append(f, special.Logistic(x)*math.Exp(-(x-mu)*(x-mu)/(2*v))/(sd*math.Sqrt(2*math.Pi)))
		}
		p1, _ := quadrature.LogisticNormal(mu, v)
		rule, _ := quadrature.PaperRule(mu, v)
		if err := emit("paper.fig2", map[string]any{"mean": mu, "variance": v, "z": z, "integrand": f,
			"integral": p1, "published_rule": rule, "rule_error": math.Abs(rule - p1)}); err != nil {
			return err
		}
	}
	return nil
}

// Figure3 emits σ(x), and the lower bound σ(ξ) exp((x−ξ)/2 − λ(ξ)(x²−ξ²)) with
// λ > 0, which touches at x = ±ξ; and what the printed sign of λ gives.
func Figure3(emit Emit) error {
	for _, xi := range []float64{1, 2.5, 5} {
		var x, sigma, bound, printed []float64
		for i := -160; i <= 160; i++ {
			v := float64(i) / 20
			x = append(x, v)
			sigma = append(sigma, special.Logistic(v))
			lam := special.Lambda(xi)
			bound = append(bound, special.Logistic(xi)*math.Exp((v-xi)/2-lam*(v*v-xi*xi)))
			printed = append(printed, special.Logistic(xi)*math.Exp((v-xi)/2+lam*(v*v-xi*xi)))
		}
		if err := emit("paper.fig3", map[string]any{"xi": xi, "x": x, "sigma": sigma, "bound": bound, "printed_sign": printed}); err != nil {
			return err
		}
	}
	return nil
}

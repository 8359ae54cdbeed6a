package infer

import "github.com/gcrfbc/gcrfbc/infer/quadrature"

// Rule names the quadrature of the marginals ∫σ(z)N(z; m, s²)dz.
type Rule string

// The quadrature rules of package quadrature.
const (
	AccurateRule Rule = ""      // relative accuracy 1e-12 for both classes
	PaperRule    Rule = "paper" // Newton–Cotes on m ± 10 s, as published
	FastRule     Rule = "fast"  // fixed cost, accuracy stated by quadrature.Fast
)

func (r Rule) marginal() (func(mean, variance float64) (p1, p0 float64), error) {
	switch r {
	case AccurateRule:
		return quadrature.LogisticNormal, nil
	case PaperRule:
		return quadrature.PaperRule, nil
	case FastRule:
		return func(mean, variance float64) (p1, p0 float64) {
			return quadrature.Fast(mean, variance), quadrature.Fast(-mean, variance)
		}, nil
	}
	return nil, &OptionError{Name: "Rule", Msg: "is \"" + string(r) + "\"; want paper, fast, or nothing for the accurate one"}
}

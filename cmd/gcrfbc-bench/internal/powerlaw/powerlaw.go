// Package powerlaw fits y = c xᵉ to measured times by least squares in log–log.
package powerlaw

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Fit is a fitted power law. Low and High bound the exponent with 95 %
// confidence by Student's t distribution; they are NaN with fewer than three
// points. The interval covers the scatter about a straight line, not that the
// law may bend.
type Fit struct {
	Exponent, Low, High float64
	Constant            float64
	Points              int
}

// Of fits a power law to the points with positive x and y. With fewer than two
// distinct x everything but Points is NaN.
func Of(x, y []float64) Fit {
	var u, v []float64
	for i := range x {
		if x[i] > 0 && y[i] > 0 {
			u, v = append(u, math.Log(x[i])), append(v, math.Log(y[i]))
		}
	}
	nan := math.NaN()
	f := Fit{nan, nan, nan, nan, len(u)}
	n := float64(len(u))
	var mu, mv float64
	for i := range u {
		mu += u[i] / n
		mv += v[i] / n
	}
	var uu, uv float64
	for i := range u {
		uu += (u[i] - mu) * (u[i] - mu)
		uv += (u[i] - mu) * (v[i] - mv)
	}
	if len(u) < 2 || uu == 0 {
		return f
	}
	f.Exponent = uv / uu
	f.Constant = math.Exp(mv - f.Exponent*mu)
	if len(u) < 3 {
		return f
	}
	var rest float64
	for i := range u {
		e := v[i] - mv - f.Exponent*(u[i]-mu)
		rest += e * e
	}
	half := distuv.StudentsT{Sigma: 1, Nu: n - 2}.Quantile(.975) * math.Sqrt(rest/(n-2)/uu)
	f.Low, f.High = f.Exponent-half, f.Exponent+half
	return f
}

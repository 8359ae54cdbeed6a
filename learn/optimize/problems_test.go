package optimize

import (
	"context"
	"math"
)

// testProblem is a problem with published minima.
type testProblem struct {
	name   string
	x0     []float64
	lo, up []float64
	minima []float64 // values of the known local minima, the lowest first
	eval   Func
}

func (p testProblem) problem() Problem {
	return Problem{Dim: len(p.x0), Eval: p.eval, Lower: p.lo, Upper: p.up}
}

// squares makes f = Σ r_i² from residuals that also write their gradient.
func squares(m int, res func(i int, x, row []float64) float64) Func {
	return func(_ context.Context, x, g []float64) (float64, error) {
		f := 0.0
		clear(g)
		row := make([]float64, len(x))
		for i := range m {
			clear(row)
			r := res(i, x, row)
			f += r * r
			for j, v := range row {
				g[j] += 2 * r * v
			}
		}
		return f, nil
	}
}

// put writes a row and passes the residual through.
func put(row []float64, r float64, v ...float64) float64 {
	copy(row, v)
	return r
}

// mgh holds problems of J. J. Moré, B. S. Garbow and K. E. Hillstrom, Testing
// unconstrained optimization software, ACM TOMS 7 (1981) 17–41.
func mgh() []testProblem {
	bard := []float64{.14, .18, .22, .25, .29, .32, .35, .39, .37, .58, .73, .96, 1.34, 2.10, 4.39}
	gauss := []float64{.0009, .0044, .0175, .0540, .1295, .2420, .3521, .3989, .3521, .2420, .1295, .0540, .0175, .0044, .0009}
	ky := []float64{.1957, .1947, .1735, .1600, .0844, .0627, .0456, .0342, .0323, .0235, .0246}
	ku := []float64{4, 2, 1, .5, .25, .167, .125, .1, .0833, .0714, .0625}
	exp := math.Exp
	ramp := func(n int, f func(j int) float64) []float64 {
		x := make([]float64, n)
		for j := range x {
			x[j] = f(j + 1)
		}
		return x
	}
	penalty := func(n int) Func {
		return squares(n+1, func(i int, x, row []float64) float64 {
			if i < n {
				row[i] = math.Sqrt(1e-5)
				return math.Sqrt(1e-5) * (x[i] - 1)
			}
			s := -0.25
			for j, v := range x {
				s += v * v
				row[j] = 2 * v
			}
			return s
		})
	}
	return []testProblem{
		{name: "Rosenbrock", x0: []float64{-1.2, 1}, minima: []float64{0}, eval: squares(2, func(i int, x, row []float64) float64 {
			if i == 0 {
				return put(row, 10*(x[1]-x[0]*x[0]), -20*x[0], 10)
			}
			return put(row, 1-x[0], -1)
		})},
		{name: "Freudenstein-Roth", x0: []float64{.5, -2}, minima: []float64{0, 48.98425}, eval: squares(2, func(i int, x, row []float64) float64 {
			y := x[1]
			if i == 0 {
				return put(row, -13+x[0]+((5-y)*y-2)*y, 1, 10*y-3*y*y-2)
			}
			return put(row, -29+x[0]+((y+1)*y-14)*y, 1, 3*y*y+2*y-14)
		})},
		{name: "Powell badly scaled", x0: []float64{0, 1}, minima: []float64{0}, eval: squares(2, func(i int, x, row []float64) float64 {
			if i == 0 {
				return put(row, 1e4*x[0]*x[1]-1, 1e4*x[1], 1e4*x[0])
			}
			return put(row, exp(-x[0])+exp(-x[1])-1.0001, -exp(-x[0]), -exp(-x[1]))
		})},
		{name: "Brown badly scaled", x0: []float64{1, 1}, minima: []float64{0}, eval: squares(3, func(i int, x, row []float64) float64 {
			switch i {
			case 0:
				return put(row, x[0]-1e6, 1)
			case 1:
				return put(row, x[1]-2e-6, 0, 1)
			}
			return put(row, x[0]*x[1]-2, x[1], x[0])
		})},
		{name: "Beale", x0: []float64{1, 1}, minima: []float64{0}, eval: squares(3, func(i int, x, row []float64) float64 {
			k := float64(i + 1)
			y := []float64{1.5, 2.25, 2.625}[i]
			return put(row, y-x[0]*(1-math.Pow(x[1], k)), -(1 - math.Pow(x[1], k)), x[0]*k*math.Pow(x[1], k-1))
		})},
		{name: "Jennrich-Sampson", x0: []float64{.3, .4}, minima: []float64{124.3622}, eval: squares(10, func(i int, x, row []float64) float64 {
			k := float64(i + 1)
			a, b := exp(k*x[0]), exp(k*x[1])
			return put(row, 2+2*k-a-b, -k*a, -k*b)
		})},
		{name: "helical valley", x0: []float64{-1, 0, 0}, minima: []float64{0}, eval: squares(3, func(i int, x, row []float64) float64 {
			r := math.Hypot(x[0], x[1])
			switch i {
			case 0:
				th := math.Atan(x[1]/x[0]) / (2 * math.Pi)
				if x[0] < 0 {
					th += .5
				}
				return put(row, 10*(x[2]-10*th), 100*x[1]/(2*math.Pi*r*r), -100*x[0]/(2*math.Pi*r*r), 10)
			case 1:
				return put(row, 10*(r-1), 10*x[0]/r, 10*x[1]/r)
			}
			return put(row, x[2], 0, 0, 1)
		})},
		{name: "Bard", x0: []float64{1, 1, 1}, minima: []float64{8.214877e-3, 17.42869}, eval: squares(15, func(i int, x, row []float64) float64 {
			u, v := float64(i+1), float64(15-i)
			w := min(u, v)
			q := v*x[1] + w*x[2]
			return put(row, bard[i]-x[0]-u/q, -1, u*v/(q*q), u*w/(q*q))
		})},
		{name: "Gaussian", x0: []float64{.4, 1, 0}, minima: []float64{1.127933e-8}, eval: squares(15, func(i int, x, row []float64) float64 {
			d := float64(7-i)/2 - x[2]
			e := exp(-x[1] * d * d / 2)
			return put(row, x[0]*e-gauss[i], e, -x[0]*e*d*d/2, x[0]*e*x[1]*d)
		})},
		{name: "box", x0: []float64{0, 10, 20}, minima: []float64{0}, eval: squares(10, func(i int, x, row []float64) float64 {
			t := float64(i+1) / 10
			c := exp(-t) - exp(-10*t)
			return put(row, exp(-t*x[0])-exp(-t*x[1])-x[2]*c, -t*exp(-t*x[0]), t*exp(-t*x[1]), -c)
		})},
		{name: "Powell singular", x0: []float64{3, -1, 0, 1}, minima: []float64{0}, eval: squares(4, func(i int, x, row []float64) float64 {
			switch i {
			case 0:
				return put(row, x[0]+10*x[1], 1, 10)
			case 1:
				return put(row, math.Sqrt(5)*(x[2]-x[3]), 0, 0, math.Sqrt(5), -math.Sqrt(5))
			case 2:
				d := x[1] - 2*x[2]
				return put(row, d*d, 0, 2*d, -4*d)
			}
			d := x[0] - x[3]
			return put(row, math.Sqrt(10)*d*d, 2*math.Sqrt(10)*d, 0, 0, -2*math.Sqrt(10)*d)
		})},
		{name: "Wood", x0: []float64{-3, -1, -3, -1}, minima: []float64{0}, eval: squares(6, func(i int, x, row []float64) float64 {
			a, b := math.Sqrt(90), math.Sqrt(10)
			switch i {
			case 0:
				return put(row, 10*(x[1]-x[0]*x[0]), -20*x[0], 10)
			case 1:
				return put(row, 1-x[0], -1)
			case 2:
				return put(row, a*(x[3]-x[2]*x[2]), 0, 0, -2*a*x[2], a)
			case 3:
				return put(row, 1-x[2], 0, 0, -1)
			case 4:
				return put(row, b*(x[1]+x[3]-2), 0, b, 0, b)
			}
			return put(row, (x[1]-x[3])/b, 0, 1/b, 0, -1/b)
		})},
		{name: "Kowalik-Osborne", x0: []float64{.25, .39, .415, .39}, minima: []float64{3.075056e-4, 1.027345e-3}, eval: squares(11, func(i int, x, row []float64) float64 {
			u := ku[i]
			p, q := u*u+u*x[1], u*u+u*x[2]+x[3]
			return put(row, ky[i]-x[0]*p/q, -p/q, -x[0]*u/q, x[0]*p*u/(q*q), x[0]*p/(q*q))
		})},
		{name: "Brown-Dennis", x0: []float64{25, 5, -5, -1}, minima: []float64{85822.2016}, eval: squares(20, func(i int, x, row []float64) float64 {
			t := float64(i+1) / 5
			a, b := x[0]+t*x[1]-exp(t), x[2]+x[3]*math.Sin(t)-math.Cos(t)
			return put(row, a*a+b*b, 2*a, 2*a*t, 2*b, 2*b*math.Sin(t))
		})},
		{name: "Biggs EXP6", x0: []float64{1, 2, 1, 1, 1, 1}, minima: []float64{0, 5.655650e-3}, eval: squares(13, func(i int, x, row []float64) float64 {
			t := float64(i+1) / 10
			y := exp(-t) - 5*exp(-10*t) + 3*exp(-4*t)
			a, b, c := exp(-t*x[0]), exp(-t*x[1]), exp(-t*x[4])
			return put(row, x[2]*a-x[3]*b+x[5]*c-y, -t*x[2]*a, t*x[3]*b, a, -b, -t*x[5]*c, c)
		})},
		{name: "penalty I, 4", x0: []float64{1, 2, 3, 4}, minima: []float64{2.249978e-5}, eval: penalty(4)},
		{name: "penalty I, 10", x0: ramp(10, func(j int) float64 { return float64(j) }), minima: []float64{7.087651e-5}, eval: penalty(10)},
		{name: "variably dimensioned", x0: ramp(10, func(j int) float64 { return 1 - float64(j)/10 }), minima: []float64{0}, eval: squares(12, func(i int, x, row []float64) float64 {
			if i < 10 {
				row[i] = 1
				return x[i] - 1
			}
			s := 0.0
			for j, v := range x {
				s += float64(j+1) * (v - 1)
			}
			for j := range x {
				row[j] = float64(j + 1)
				if i == 11 {
					row[j] *= 2 * s
				}
			}
			if i == 11 {
				s *= s
			}
			return s
		})},
		{name: "trigonometric", x0: ramp(10, func(int) float64 { return .1 }), minima: []float64{0, 2.795056e-5}, eval: squares(10, func(i int, x, row []float64) float64 {
			r := 10 + float64(i+1)*(1-math.Cos(x[i])) - math.Sin(x[i])
			for j, v := range x {
				r -= math.Cos(v)
				row[j] = math.Sin(v)
			}
			row[i] += float64(i+1)*math.Sin(x[i]) - math.Cos(x[i])
			return r
		})},
		{name: "Broyden tridiagonal", x0: ramp(10, func(int) float64 { return -1 }), minima: []float64{0}, eval: squares(10, func(i int, x, row []float64) float64 {
			r := (3-2*x[i])*x[i] + 1
			row[i] = 3 - 4*x[i]
			if i > 0 {
				r -= x[i-1]
				row[i-1] = -1
			}
			if i < 9 {
				r -= 2 * x[i+1]
				row[i+1] = -2
			}
			return r
		})},
	}
}

// hockSchittkowski holds the problems with bounds only of W. Hock and
// K. Schittkowski, Test examples for nonlinear programming codes (1981), with
// SciPy's scaling of numbers 3 and 38 where it differs, and their minima.
func hockSchittkowski() []testProblem {
	inf := math.Inf(1)
	rosen := mgh()[0].eval
	f38 := func(scale float64) Func {
		wood := mgh()[11].eval
		return func(ctx context.Context, x, g []float64) (float64, error) {
			f, err := wood(ctx, x, g)
			for i := range g {
				g[i] *= scale
			}
			return f * scale, err
		}
	}
	fill := func(n int, v float64) []float64 {
		s := make([]float64, n)
		for i := range s {
			s[i] = v
		}
		return s
	}
	return []testProblem{
		{name: "HS1", x0: []float64{-2, 1}, lo: []float64{-inf, -1.5}, minima: []float64{0}, eval: rosen},
		{name: "HS2", x0: []float64{-2, 1}, lo: []float64{-inf, 1.5}, minima: []float64{0.0504261879, 4.9412293}, eval: rosen},
		{name: "HS3", x0: []float64{10, 1}, lo: []float64{-inf, 0}, minima: []float64{0}, eval: func(_ context.Context, x, g []float64) (float64, error) {
			d := x[1] - x[0]
			g[0], g[1] = -2e-5*d, 1+2e-5*d
			return x[1] + 1e-5*d*d, nil
		}},
		{name: "HS4", x0: []float64{1.125, .125}, lo: []float64{1, 0}, minima: []float64{8. / 3}, eval: func(_ context.Context, x, g []float64) (float64, error) {
			a := x[0] + 1
			g[0], g[1] = a*a, 1
			return a*a*a/3 + x[1], nil
		}},
		{name: "HS5", x0: []float64{0, 0}, lo: []float64{-1.5, -3}, up: []float64{4, 3}, minima: []float64{-math.Sqrt(3)/2 - math.Pi/3}, eval: func(_ context.Context, x, g []float64) (float64, error) {
			c, d := math.Cos(x[0]+x[1]), x[0]-x[1]
			g[0], g[1] = c+2*d-1.5, c-2*d+2.5
			return math.Sin(x[0]+x[1]) + d*d - 1.5*x[0] + 2.5*x[1] + 1, nil
		}},
		{name: "HS38", x0: []float64{-3, -1, -3, -1}, lo: fill(4, -10), up: fill(4, 10), minima: []float64{0}, eval: f38(1)},
		{name: "HS38 scaled", x0: []float64{-3, -1, -3, -1}, lo: fill(4, -10), up: fill(4, 10), minima: []float64{0}, eval: f38(1e-5)},
		{name: "HS45", x0: fill(5, 2), lo: fill(5, 0), up: []float64{1, 2, 3, 4, 5}, minima: []float64{1}, eval: func(_ context.Context, x, g []float64) (float64, error) {
			p := 1.0
			for i := range x {
				q := -1. / 120
				for j := range x {
					if j != i {
						q *= x[j]
					}
				}
				g[i] = q
				p *= x[i]
			}
			return 2 - p/120, nil
		}},
		{name: "HS110", x0: fill(10, 9), lo: fill(10, 2.001), up: fill(10, 9.999), minima: []float64{-45.77846971}, eval: func(_ context.Context, x, g []float64) (float64, error) {
			f, lp := 0.0, 0.0
			for i, v := range x {
				a, b := math.Log(v-2), math.Log(10-v)
				f += a*a + b*b
				g[i] = 2*a/(v-2) - 2*b/(10-v)
				lp += math.Log(v)
			}
			p := math.Exp(0.2 * lp)
			for i, v := range x {
				g[i] -= 0.2 * p / v
			}
			return f - p, nil
		}},
	}
}

// rosenbrock is the chained function Σ 100 (x_{i+1} − x_i²)² + (1 − x_i)².
func rosenbrock(_ context.Context, x, g []float64) (float64, error) {
	f := 0.0
	clear(g)
	for i := 0; i+1 < len(x); i++ {
		a, b := x[i+1]-x[i]*x[i], 1-x[i]
		f += 100*a*a + b*b
		g[i] += -400*a*x[i] - 2*b
		g[i+1] += 200 * a
	}
	return f, nil
}

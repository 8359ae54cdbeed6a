package infer

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer/quadrature"
	"github.com/gcrfbc/gcrfbc/internal/golden"
)

// goldenRun holds a case and what it needs to be evaluated instance by instance.
type goldenRun struct {
	t      *testing.T
	p      *golden.Problem
	d      *gcrfbc.Dataset
	params gcrfbc.Params
}

func (g *goldenRun) evaluator(opts Options, only int) *Evaluator {
	g.t.Helper()
	d := g.d
	if only >= 0 {
		one := *d
		one.Instances = d.Instances[only : only+1]
		d = &one
		opts.scalar = true // the worker's posterior is looked at
	}
	opts.SiteTol = 1e-13
	opts.MaxSweeps = 5000
	ev, err := NewEvaluator(g.t.Context(), d, opts)
	if err != nil {
		g.t.Fatal(err)
	}
	return ev
}

// gradients compares the parts of a gradient.
func (g *goldenRun) gradients(name string, fields map[string]json.RawMessage, grad []float64) {
	g.t.Helper()
	ga, gb, gg, gc, gw := gradientParts(grad, g.p.K, g.p.L)
	g.p.Compare(g.t, name+".grad_alpha", fields["grad_alpha"], ga)
	g.p.Compare(g.t, name+".grad_beta", fields["grad_beta"], gb)
	if g.p.Mean != nil {
		g.p.Compare(g.t, name+".grad_gain", fields["grad_gain"], []float64{*gg})
		g.p.Compare(g.t, name+".grad_bias", fields["grad_bias"], []float64{*gc})
		g.p.Compare(g.t, name+".grad_weights", fields["grad_weights"], gw)
	}
}

// onEdges picks a matrix's entries on the edges of instance j's graphs, in the
// order of the file.
func (g *goldenRun) onEdges(j int, ev *Evaluator, entries []float64) []float64 {
	st := ev.shared
	if st == nil {
		st = ev.structures[0]
	}
	var out []float64
	for _, gr := range g.p.GraphsOf(j) {
		for e := range gr.I {
			q, ok := st.prec.Pattern().Find(gr.J[e], gr.I[e])
			if !ok {
				g.t.Fatalf("edge (%d, %d) is not in the pattern", gr.I[e], gr.J[e])
			}
			out = append(out, entries[q])
		}
	}
	return out
}

func diagOf(st *structure, entries []float64) []float64 {
	out := make([]float64, st.n())
	for i, q := range st.diag {
		out[i] = entries[q]
	}
	return out
}

// marginals compares p1 and p0 under N(mean, variance).
func (g *goldenRun) marginals(name string, fields map[string]json.RawMessage, mean, variance []float64) {
	g.t.Helper()
	p1, p0 := make([]float64, len(mean)), make([]float64, len(mean))
	for i := range mean {
		p1[i], p0[i] = quadrature.LogisticNormal(mean[i], variance[i])
	}
	g.p.Compare(g.t, name+".p1", fields["p1"], p1)
	g.p.Compare(g.t, name+".p0", fields["p0"], p0)
}

func (g *goldenRun) prior(j int, want map[string]json.RawMessage) {
	ev := g.evaluator(Options{Approx: gcrfbc.JJ}, j)
	grad := make([]float64, GradientLen(g.p.K, g.p.L))
	if _, err := ev.Evaluate(g.t.Context(), g.params, grad); err != nil {
		g.t.Fatal(err)
	}
	po := &ev.workers[0].po
	st := po.pr.st
	sd := diagOf(st, po.pr.sigma)
	g.p.Compare(g.t, "mu", want["mu"], po.mu)
	g.p.Compare(g.t, "sigma_diag", want["sigma_diag"], sd)
	g.p.Compare(g.t, "sigma_pattern", want["sigma_pattern"], g.onEdges(j, ev, po.pr.sigma))
	g.p.Compare(g.t, "logdet_P", want["logdet_P"], []float64{logDet(po.pr.field)})
	g.marginals("prior", golden.Fields(g.t, want["prior"]), po.mu, sd)
}

func TestGoldenCases(t *testing.T) {
	golden.Each(t, "cases", func(t *testing.T, p *golden.Problem) {
		g := &goldenRun{t: t, p: p, d: p.Dataset(t), params: p.Params()}
		ctx := t.Context()
		grad := make([]float64, GradientLen(p.K, p.L))

		// Sums over all instances.
		ev := g.evaluator(Options{Variant: gcrfbc.NonBayesian}, -1)
		value, err := ev.Evaluate(ctx, g.params, grad)
		if err != nil {
			t.Fatal(err)
		}
		total := golden.Fields(t, p.Expected.Total["nb"])
		p.Compare(t, "total.nb.value", total["value"], []float64{value})
		g.gradients("total.nb", total, grad)

		xi := make([][]float64, len(p.Instances))
		gradXi := make([][]float64, len(xi))
		for j := range xi {
			xi[j] = p.Xi(j)
			gradXi[j] = make([]float64, len(xi[j]))
		}
		ev = g.evaluator(Options{Approx: gcrfbc.JJ}, -1)
		if value, err = ev.EvaluateXi(ctx, g.params, xi, grad, gradXi); err != nil {
			t.Fatal(err)
		}
		total = golden.Fields(t, p.Expected.Total["bound"])
		p.Compare(t, "total.bound.value", total["value"], []float64{value})
		g.gradients("total.bound", total, grad)

		if value, err = ev.Evaluate(ctx, g.params, grad); err != nil {
			t.Fatal(err)
		}
		total = golden.Fields(t, p.Expected.Total["profile"])
		p.Compare(t, "total.profile.value", total["value"], []float64{value})
		g.gradients("total.profile", total, grad)

		for j, want := range p.Expected.Instances {
			g.prior(j, want)

			nb := golden.Fields(t, want["nb"])
			one := g.evaluator(Options{Variant: gcrfbc.NonBayesian}, j)
			if value, err = one.Evaluate(ctx, g.params, grad); err != nil {
				t.Fatal(err)
			}
			p.Compare(t, "nb.value", nb["value"], []float64{value})
			g.gradients("nb", nb, grad)
			model := &gcrfbc.Model{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.PaperMean, Params: g.params}
			pred, err := Predict(ctx, model, one.d, PredictOptions{})
			if err != nil {
				t.Fatal(err)
			}
			p.Compare(t, "nb.p1", nb["p1"], pred.Instances[0].P1)

			bound := golden.Fields(t, want["bound"])
			one = g.evaluator(Options{Approx: gcrfbc.JJ}, j)
			if value, err = one.EvaluateXi(ctx, g.params, xi[j:j+1], grad, gradXi[j:j+1]); err != nil {
				t.Fatal(err)
			}
			po := &one.workers[0].po
			p.Compare(t, "bound.value", bound["value"], []float64{value})
			g.gradients("bound", bound, grad)
			p.Compare(t, "bound.grad_xi", bound["grad_xi"], gradXi[j])
			p.Compare(t, "bound.m", bound["m"], po.m)
			p.Compare(t, "bound.s_diag", bound["s_diag"], po.s)
			p.Compare(t, "bound.s_pattern", bound["s_pattern"], g.onEdges(j, one, po.sinv))

			profile := golden.Fields(t, want["profile"])
			if value, err = one.Evaluate(ctx, g.params, grad); err != nil {
				t.Fatal(err)
			}
			p.Compare(t, "profile.value", profile["value"], []float64{value})
			g.gradients("profile", profile, grad)
			p.Compare(t, "profile.m", profile["m"], po.m)
			p.Compare(t, "profile.s_diag", profile["s_diag"], po.s)
			got := [][]float64{make([]float64, len(po.m))}
			one.XiTo(got)
			p.Compare(t, "profile.xi", profile["xi"], got[0])
			g.marginals("posterior", golden.Fields(t, want["posterior"]), po.m, po.s)
		}
	})
}

func TestGoldenSites(t *testing.T) {
	golden.Each(t, "sites", func(t *testing.T, p *golden.Problem) {
		g := &goldenRun{t: t, p: p, d: p.Dataset(t), params: p.Params()}
		ctx := t.Context()
		grad := make([]float64, GradientLen(p.K, p.L))
		for _, approx := range []gcrfbc.Approx{gcrfbc.JJ, gcrfbc.EP, gcrfbc.Laplace} {
			name := string(approx)
			ev := g.evaluator(Options{Approx: approx}, -1)
			value, err := ev.Evaluate(ctx, g.params, grad)
			if err != nil {
				t.Fatal(err)
			}
			total := golden.Fields(t, p.Expected.Total[name])
			p.Compare(t, "total."+name+".value", total["value"], []float64{value})
			g.gradients("total."+name, total, grad)
		}
		for j, want := range p.Expected.Instances {
			g.prior(j, want)
			for _, approx := range []gcrfbc.Approx{gcrfbc.JJ, gcrfbc.EP, gcrfbc.Laplace} {
				name := string(approx)
				fields := golden.Fields(t, want[name])
				one := g.evaluator(Options{Approx: approx}, j)
				value, err := one.Evaluate(ctx, g.params, grad)
				if err != nil {
					t.Fatal(err)
				}
				if st := one.states[0].status; st == SitesStalled {
					t.Errorf("%s: instance %d: %v after %d sweeps", name, j, st, one.states[0].sweeps)
				}
				po := &one.workers[0].po
				p.Compare(t, name+".value", fields["value"], []float64{value})
				g.gradients(name, fields, grad)
				p.Compare(t, name+".m", fields["m"], po.m)
				p.Compare(t, name+".s_diag", fields["s_diag"], po.s)
				p.Compare(t, name+".s_pattern", fields["s_pattern"], g.onEdges(j, one, po.sinv))
				p.Compare(t, name+".tau", fields["tau"], po.tau)
				p.Compare(t, name+".nu", fields["nu"], po.nu)
				g.marginals(name, fields, po.m, po.s)
				if approx == gcrfbc.EP {
					cm, cv := make([]float64, len(po.m)), make([]float64, len(po.m))
					p1, p0 := make([]float64, len(po.m)), make([]float64, len(po.m))
					for _, i := range po.labelled {
						cm[i], cv[i] = po.cavity(int(i))
						p1[i], p0[i] = quadrature.LogisticNormal(cm[i], cv[i])
					}
					p.Compare(t, "ep.cavity_mean", fields["cavity_mean"], cm)
					p.Compare(t, "ep.cavity_var", fields["cavity_var"], cv)
					p.Compare(t, "ep.loo_p1", fields["loo_p1"], p1)
					p.Compare(t, "ep.loo_p0", fields["loo_p0"], p0)
				}
			}
		}
	})
}

// logDet is the log-determinant of an exact field.
func logDet(f Field) float64 {
	s := 0.0
	for _, d := range f.(exactField).pivots() {
		s += math.Log(d)
	}
	return s
}

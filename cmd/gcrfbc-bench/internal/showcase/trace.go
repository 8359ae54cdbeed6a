package showcase

import "github.com/gcrfbc/gcrfbc/learn"

// trace collects how a fit went, iteration by iteration.
type trace struct {
	start, evaluations, objective, gradient, elapsed []float64
}

func (t *trace) add(p learn.Progress) {
	t.start = append(t.start, float64(p.Start))
	t.evaluations = append(t.evaluations, float64(p.Evaluations))
	t.objective = append(t.objective, p.Objective)
	t.gradient = append(t.gradient, p.GradientNorm)
	t.elapsed = append(t.elapsed, p.Elapsed.Seconds())
}

func (t *trace) fields(set, model string, r *learn.Result) map[string]any {
	return map[string]any{"set": set, "model": model, "status": r.Status.String(), "objective": r.Objective, "evaluations": r.Evaluations,
		"factorizations": r.Factorizations, "fit_s": r.Elapsed.Seconds(), "alpha": r.Model.Alpha, "beta": r.Model.Beta,
		"gain": r.Model.Gain, "bias": r.Model.Bias, "direct": r.Model.Direct,
		"trace_start": t.start, "trace_evaluations": t.evaluations, "trace_objective": t.objective,
		"trace_gradient": t.gradient, "trace_elapsed_s": t.elapsed}
}

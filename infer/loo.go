package infer

import (
	"context"
	"math"

	"github.com/gcrfbc/gcrfbc"
)

// LeaveOneOut returns, for every node observed in opts.Observed, Pr(y_i = 1)
// given all the other observed labels, from the site's cavity N(c_i, v_i): exact
// in form for ep (Opper and Winther 2000), with no refit and no further
// factorization than [Predict] needs. Mean and Variance are the cavity's. Nodes
// that are not observed get their posterior prediction. For nb observed labels
// do not matter and the result is Predict's. A model's Recalibration corrects
// the probabilities as in [Predict], those of observed nodes too.
func LeaveOneOut(ctx context.Context, m *gcrfbc.Model, d *gcrfbc.Dataset, opts PredictOptions) (*Prediction, error) {
	return predict(ctx, m, d, opts, func(po *posterior, p *InstancePrediction) {
		for _, i := range po.labelled {
			p.Mean[i], p.Variance[i] = po.cavity(int(i))
		}
	})
}

// LeaveOneOutTo writes the cavity moments of every labelled node at params, the
// field's mean and variance there given all other labels, and NaN for nodes
// without a label; one slice an instance. It is for b.
//
// Cost: as one evaluation, from the sites' present state.
func (ev *Evaluator) LeaveOneOutTo(ctx context.Context, params gcrfbc.Params, mean, variance [][]float64) error {
	if ev.opts.Variant != gcrfbc.Bayesian {
		return &OptionError{Name: "Variant", Msg: "is nb, whose field has no cavities; want b"}
	}
	if err := ev.begin(ctx, params, true); err != nil {
		return err
	}
	return ev.each(ctx, func(w *worker, j int, _ []float64) error {
		if err := ev.enter(ctx, w, j, params, true); err != nil {
			return err
		}
		st := ev.state(j)
		err := w.po.solve(ctx, &ev.opts, st, false)
		ev.factorizations.Add(int64(st.sweeps))
		if err != nil {
			return err
		}
		for i := range mean[j] {
			mean[j][i], variance[j][i] = math.NaN(), math.NaN()
		}
		for _, i := range w.po.labelled {
			mean[j][i], variance[j][i] = w.po.cavity(int(i))
		}
		return nil
	})
}

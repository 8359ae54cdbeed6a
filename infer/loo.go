package infer

import (
	"context"

	"github.com/gcrfbc/gcrfbc"
)

// LeaveOneOut returns, for every node observed in opts.Observed, Pr(y_i = 1)
// given all the other observed labels, from the site's cavity N(c_i, v_i): exact
// in form for ep (Opper and Winther 2000), with no refit and no further
// factorization than [Predict] needs. Mean and Variance are the cavity's. Nodes
// that are not observed get their posterior prediction. For nb observed labels
// do not matter and the result is Predict's.
func LeaveOneOut(ctx context.Context, m *gcrfbc.Model, d *gcrfbc.Dataset, opts PredictOptions) (*Prediction, error) {
	return predict(ctx, m, d, opts, func(po *posterior, p *InstancePrediction) {
		for _, i := range po.labelled {
			p.Mean[i], p.Variance[i] = po.cavity(int(i))
		}
	})
}

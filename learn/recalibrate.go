package learn

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer/quadrature"
	"github.com/gcrfbc/gcrfbc/internal/special"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

const (
	// recalibrationPieces is the most pieces that are tried.
	recalibrationPieces = 8
	// Slopes of the map; at the lower bound it almost forgets the prediction.
	recalibrationLow, recalibrationHigh = 0.05, 20
)

// recalibrate adds a Recalibration to the model where Schwarz's criterion wants
// one. Only where nodes of the training instances have no label is there
// something to predict from observed labels, and only ep's cavities are
// leave-one-out predictions in form (Opper and Winther 2000).
func (f *fitting) recalibrate() {
	m := f.res.Model
	_, _, missing := f.obj.d.LabelCounts()
	if f.opts.NoRecalibration || f.opts.plugIn || m.Variant != gcrfbc.Bayesian || m.Approx != gcrfbc.EP || missing == 0 || f.ctx.Err() != nil {
		return
	}
	logits, labels, err := f.obj.leaveOneOut(f.ctx, m.Params)
	if err != nil {
		f.res.Notes = append(f.res.Notes, "probabilities were not checked for calibration: "+err.Error())
		return
	}
	r, gain := newRecalibration(logits, labels)
	if r == nil {
		return
	}
	m.Recalibration = r
	f.res.Notes = append(f.res.Notes, fmt.Sprintf(
		"probabilities given observed labels are recalibrated by a map of their logits, linear between %d knots, which raises the log-likelihood of the training labels, each predicted from the others, by %.1f", len(r.Knots), gain))
}

// leaveOneOut returns the logits of the labelled nodes' probabilities, each
// predicted from all the other labels, and the labels.
func (o *objective) leaveOneOut(ctx context.Context, params gcrfbc.Params) (logits []float64, labels []int8, err error) {
	mean, variance := make([][]float64, len(o.d.Instances)), make([][]float64, len(o.d.Instances))
	for j := range mean {
		n := o.d.Instances[j].N()
		memory := make([]float64, 2*n)
		mean[j], variance[j] = memory[:n], memory[n:]
	}
	o.ev.ResetSites() // so that the result depends on the parameters alone
	if err := o.ev.LeaveOneOutTo(ctx, params, mean, variance); err != nil {
		return nil, nil, err
	}
	for j := range mean {
		for i, y := range o.d.Instances[j].Labels {
			if y == gcrfbc.Missing {
				continue
			}
			p1, p0 := quadrature.LogisticNormal(mean[j][i], variance[j][i])
			if x := math.Log(p1) - math.Log(p0); !math.IsInf(x, 0) && !math.IsNaN(x) {
				logits, labels = append(logits, x), append(labels, y)
			}
		}
	}
	return logits, labels, nil
}

// newRecalibration returns the map of logits, of one to recalibrationPieces linear
// pieces, that maximises the log-likelihood of the labels, and by how much it is
// better than no map; nil if no number of pieces is by ½ p log n, with p the
// numbers learned and n the labels (Schwarz 1978). One piece is Platt's
// recalibration (1999); several follow any monotone error, as isotonic regression
// does (Zadrozny and Elkan 2002), but without ties.
func newRecalibration(logits []float64, labels []int8) (best *gcrfbc.Recalibration, gain float64) {
	n := len(logits)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(a, b int) bool { return logits[order[a]] < logits[order[b]] })
	c := &monotone{x: make([]float64, n), y: make([]float64, n)}
	plain := 0.0
	for k, i := range order {
		c.x[k], c.y[k] = logits[i], float64(labels[i])
		plain += special.LogLogistic((2*c.y[k] - 1) * c.x[k])
	}
	criterion := 0.0
	for pieces := 1; pieces <= recalibrationPieces; pieces++ {
		if !c.place(pieces) {
			continue
		}
		r, value := c.fit()
		if r == nil || r.Validate() != nil {
			continue
		}
		if g := value - plain - 0.5*float64(pieces+1)*math.Log(float64(n)); g > criterion {
			best, gain, criterion = r, value-plain, g
		}
	}
	return best, gain
}

// monotone is the regression of labels y on x, increasing, by a map that is linear
// between knots: its value at the first knot and the slope of every piece.
type monotone struct {
	x, y  []float64
	knots []float64
	from  []int // first element of every piece but the first
	one   bool  // one piece; the knot is where the value is taken
}

// place puts the knots where the pieces have the same Fisher information, the sum
// of p(1−p). It fails where too many elements are alike for so many pieces.
func (c *monotone) place(pieces int) bool {
	c.one = pieces == 1
	c.knots, c.from = c.knots[:0], c.from[:0]
	total := 0.0
	for _, x := range c.x {
		total += special.Logistic(x) * special.Logistic(-x)
	}
	parts := float64(max(pieces, 2))
	sum := 0.0
	for i, x := range c.x {
		sum += special.Logistic(x) * special.Logistic(-x)
		k := len(c.knots)
		if k+1 < int(parts) && sum >= total*float64(k+1)/parts && (k == 0 || x > c.knots[k-1]) {
			c.knots, c.from = append(c.knots, x), append(c.from, i)
		}
	}
	return len(c.knots) == max(pieces-1, 1) && c.x[0] < c.knots[0] && c.x[len(c.x)-1] > c.knots[len(c.knots)-1]
}

// fit returns the best map with the knots as placed and its log-likelihood.
func (c *monotone) fit() (*gcrfbc.Recalibration, float64) {
	dim := len(c.knots) + 2
	if c.one {
		dim = 2
	}
	lower, upper, start := make([]float64, dim), make([]float64, dim), make([]float64, dim)
	for i := range start {
		lower[i], upper[i], start[i] = recalibrationLow, recalibrationHigh, 1
	}
	lower[0], upper[0], start[0] = math.Inf(-1), math.Inf(1), c.knots[0]
	result, err := optimize.Minimize(context.Background(), optimize.Problem{Dim: dim, Eval: c.eval, Lower: lower, Upper: upper}, start,
		optimize.LBFGSB{}, optimize.Options{GradTol: 1e-8, MaxEvaluations: 500})
	if err != nil {
		return nil, 0
	}
	v := result.X
	r := &gcrfbc.Recalibration{Knots: append([]float64(nil), c.knots...), Values: []float64{v[0]}, Low: v[1], High: v[dim-1]}
	for j := 1; j < len(c.knots); j++ {
		r.Values = append(r.Values, r.Values[j-1]+v[1+j]*(c.knots[j]-c.knots[j-1]))
	}
	return r, -result.F * float64(len(c.x))
}

// eval is minus the log-likelihood per label of the map v and its gradient. Sums
// are taken piece by piece: residuals, and residuals times the distance from the
// piece's knot, on which later pieces depend by its whole length.
func (c *monotone) eval(_ context.Context, v, grad []float64) (float64, error) {
	clear(grad)
	n := float64(len(c.x))
	value, loss := v[0], 0.0
	lo := 0
	for j := 0; j <= len(c.knots); j++ {
		hi, knot := len(c.x), c.knots[max(j-1, 0)]
		if j < len(c.knots) {
			hi = c.from[j]
		}
		at := min(1+j, len(v)-1)
		if j > 1 {
			value += v[at-1] * (knot - c.knots[j-2])
		}
		var sum, moment float64
		for i := lo; i < hi; i++ {
			d := c.x[i] - knot
			l := value + v[at]*d
			r := special.Logistic(l) - c.y[i]
			loss -= special.LogLogistic((2*c.y[i] - 1) * l)
			sum += r
			moment += r * d
		}
		grad[0] += sum / n
		grad[at] += moment / n
		for k := 1; k < j; k++ {
			grad[1+k] += sum / n * (c.knots[k] - c.knots[k-1])
		}
		lo = hi
	}
	return loss / n, nil
}

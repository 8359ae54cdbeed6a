package learn

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/gcrfbc/gcrfbc"
)

// AutoMean, as Options.Mean, fits the calibrated mean, the one without a gain
// (which is 1 then) and the paper's, and keeps the one with the best objective −
// ½ p log n, for p learned parts of the mean and n labels: Schwarz's approximation
// of the evidence of a form (G. Schwarz, Ann. Statist. 6 (1978) 461–464). The
// calibrated mean always fits the labels at hand better; this asks for more than
// noise would give it. A form that falls far behind is left before its optimum.
// Where an evaluation is heavy work only the calibrated mean is fitted.
const AutoMean gcrfbc.Mean = "auto"

// Choice is one form of the mean that AutoMean has tried.
type Choice struct {
	Mean      gcrfbc.Mean
	Learned   int     // numbers in the mean that are learned
	Objective float64 // as in Result
	Criterion float64 // Objective − ½ Learned log(labels)
	// Left says that the fit of this form was ended where it could not be expected
	// to reach the criterion of another any more; its objective is a lower bound.
	Left bool
}

// autoMeans are the forms that AutoMean tries, in order.
var autoMeans = []gcrfbc.Mean{gcrfbc.CalibratedMean, "bias,direct", gcrfbc.PaperMean}

// fitMeans is Fit for AutoMean.
func fitMeans(ctx context.Context, d *gcrfbc.Dataset, opts Options) (*Result, error) {
	began := time.Now()
	var (
		best                        *Result
		chosen                      int
		choices                     []Choice
		evaluations, factorizations int
	)
	for _, mean := range autoMeans {
		o := opts
		o.Mean = mean
		if opts.MaxEvaluations > 0 {
			o.MaxEvaluations -= evaluations
		}
		if opts.TimeLimit > 0 {
			o.TimeLimit -= time.Since(began)
		}
		if best != nil && (ctx.Err() != nil || opts.MaxEvaluations > 0 && o.MaxEvaluations <= 0 || opts.TimeLimit > 0 && o.TimeLimit <= 0) {
			break
		}
		if best != nil {
			o.beat = choices[chosen].Criterion + schwarz(learnedIn(mean, d.K), best.Model.Fit.Labelled)
		}
		r, err := Fit(ctx, d, o)
		if err != nil {
			if best == nil {
				return nil, err
			}
			continue // a form before has been fitted
		}
		evaluations += r.Evaluations
		factorizations += r.Factorizations
		choices = append(choices, choiceOf(r))
		if c := len(choices) - 1; best == nil || choices[c].Criterion > choices[chosen].Criterion {
			best, chosen = r, c
		}
		if r.heavy {
			best.Notes = append(best.Notes, "one evaluation is heavy work, so simpler forms of the mean were not tried")
			break
		}
	}
	if chosen > 0 {
		full, plain := choices[0], choices[chosen]
		best.Notes = append(best.Notes, fmt.Sprintf(
			"the mean is %q: the calibrated mean, with %d more to learn, changes the objective from %.2f to %.2f, less than the %.2f that Schwarz's criterion asks for",
			string(plain.Mean), full.Learned-plain.Learned, plain.Objective, full.Objective,
			(full.Objective-full.Criterion)-(plain.Objective-plain.Criterion)))
	}
	best.Choices = choices
	best.Evaluations, best.Factorizations, best.Elapsed = evaluations, factorizations, time.Since(began)
	best.Model.Fit.Evaluations, best.Model.Fit.Factorizations, best.Model.Fit.Seconds = evaluations, factorizations, best.Elapsed.Seconds()
	return best, nil
}

func choiceOf(r *Result) Choice {
	c := Choice{Mean: r.Model.Mean, Learned: learnedIn(r.Model.Mean, r.Model.K()), Objective: r.Objective, Left: r.left}
	c.Criterion = r.Objective - schwarz(c.Learned, r.Model.Fit.Labelled)
	return c
}

// learnedIn returns how many numbers of a mean of K scores are learned.
func learnedIn(mean gcrfbc.Mean, K int) (n int) {
	parts, err := mean.Parts()
	if err != nil {
		return 0
	}
	if parts.Gain {
		n++
	}
	if parts.Bias {
		n++
	}
	if parts.Direct {
		n += K
	}
	return n
}

// schwarz is what Schwarz's criterion takes off for learned numbers.
func schwarz(learned, labels int) float64 { return 0.5 * float64(learned) * math.Log(float64(labels)) }

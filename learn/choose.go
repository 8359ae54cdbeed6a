package learn

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/gcrfbc/gcrfbc"
)

// AutoMean, as Options.Mean, fits the calibrated mean and the paper's and keeps
// the one with the better objective − ½ p log n, for p learned parts of the mean
// and n labels: Schwarz's approximation of the evidence of a form (G. Schwarz,
// Ann. Statist. 6 (1978) 461–464). The calibrated mean always fits the labels at
// hand better; this asks for more than noise would give it. Where an evaluation
// is heavy work only the calibrated mean is fitted.
const AutoMean gcrfbc.Mean = "auto"

// Choice is one form of the mean that AutoMean has tried.
type Choice struct {
	Mean      gcrfbc.Mean
	Learned   int     // numbers in the mean that are learned
	Objective float64 // as in Result
	Criterion float64 // Objective − ½ Learned log(labels)
}

// fitMeans is Fit for AutoMean.
func fitMeans(ctx context.Context, d *gcrfbc.Dataset, opts Options) (*Result, error) {
	began := time.Now()
	opts.Mean = gcrfbc.CalibratedMean
	best, err := Fit(ctx, d, opts)
	if err != nil {
		return nil, err
	}
	evaluations, factorizations := best.Evaluations, best.Factorizations
	choices := []Choice{choiceOf(best)}
	if best.heavy {
		best.Notes = append(best.Notes, "one evaluation is heavy work, so the paper's mean was not tried")
		best.Choices = choices
		return best, nil
	}
	o := opts
	o.Mean = gcrfbc.PaperMean
	if opts.MaxEvaluations > 0 {
		o.MaxEvaluations -= evaluations
	}
	if opts.TimeLimit > 0 {
		o.TimeLimit -= time.Since(began)
	}
	stopped := ctx.Err() != nil || opts.MaxEvaluations > 0 && o.MaxEvaluations <= 0 || opts.TimeLimit > 0 && o.TimeLimit <= 0
	if stopped {
		best.Choices = choices
		return best, nil
	}
	if r, err := Fit(ctx, d, o); err == nil { // else there still is the calibrated fit
		evaluations += r.Evaluations
		factorizations += r.Factorizations
		choices = append(choices, choiceOf(r))
		if full, plain := choices[0], choices[1]; plain.Criterion > full.Criterion {
			best = r
			best.Notes = append(best.Notes, fmt.Sprintf(
				"the mean is the paper's: gain, bias and direct weights, %d numbers more, raise the objective from %.2f to %.2f only, less than the %.2f that Schwarz's criterion asks for",
				full.Learned, plain.Objective, full.Objective, full.Objective-full.Criterion))
		}
	}
	best.Choices = choices
	best.Evaluations, best.Factorizations, best.Elapsed = evaluations, factorizations, time.Since(began)
	best.Model.Fit.Evaluations, best.Model.Fit.Factorizations, best.Model.Fit.Seconds = evaluations, factorizations, best.Elapsed.Seconds()
	return best, nil
}

func choiceOf(r *Result) Choice {
	c := Choice{Mean: r.Model.Mean, Objective: r.Objective}
	if parts, err := r.Model.Mean.Parts(); err == nil {
		if parts.Gain {
			c.Learned++
		}
		if parts.Bias {
			c.Learned++
		}
		if parts.Direct {
			c.Learned += r.Model.K()
		}
	}
	c.Criterion = r.Objective - 0.5*float64(c.Learned)*math.Log(float64(r.Model.Fit.Labelled))
	return c
}

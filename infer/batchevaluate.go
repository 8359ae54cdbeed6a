package infer

import (
	"context"
	"fmt"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/internal/batch"
	"github.com/gcrfbc/gcrfbc/internal/pool"
	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// evaluateLanes is Evaluate for b where small instances are in blocks. Sums are
// taken over fixed groups of blocks in a fixed order.
func (ev *Evaluator) evaluateLanes(ctx context.Context, params gcrfbc.Params, grad []float64) (float64, error) {
	if err := ev.check(params); err != nil {
		return 0, err
	}
	lb := ev.batch
	if ev.shared != nil {
		lw := &ev.workers[0].lanes
		lw.resize(lb.n)
		lb.prior.update(lb.n, params, lb.common, nil, lw, grad != nil)
		ev.factorizations.Add(1)
		if !lb.prior.sound {
			return ev.evaluateScalar(ctx, params, grad)
		}
	}
	err := pool.Run(ctx, len(ev.workers), len(lb.sums), func(wi, s int) error {
		w, sum := &ev.workers[wi], &lb.sums[s]
		clear(sum.sum)
		w.edges = grow(w.edges, batch.Triangle(lb.n)*batch.Lanes)
		clear(w.edges)
		for item := sum.from; item < sum.to; item++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			var err error
			if item < len(lb.blocks) {
				err = ev.evaluateBlock(ctx, w, &lb.blocks[item], params, sum.sum, grad != nil)
			} else {
				err = ev.evaluateAlone(ctx, w, int(lb.rest[item-len(lb.blocks)]), params, sum.sum, grad != nil)
			}
			if err != nil {
				return err
			}
		}
		if grad != nil {
			for l, weights := range lb.common {
				if len(weights) > 0 {
					sum.sum[1+len(params.Alpha)+l] += simd.Dot(weights, w.edges)
				}
			}
		}
		return nil
	})
	value := 0.0
	clear(grad)
	for s := range lb.sums {
		value += lb.sums[s].sum[0]
		for k := range grad {
			grad[k] += lb.sums[s].sum[1+k]
		}
	}
	return value, err
}

func (ev *Evaluator) evaluateBlock(ctx context.Context, w *worker, b *laneBlock, params gcrfbc.Params, sum []float64, withGrad bool) error {
	lb, lw := ev.batch, &w.lanes
	lw.resize(b.n)
	pr := &lb.prior
	if ev.shared == nil {
		pr = &lw.own
		pr.update(b.n, params, lb.common, b.own, lw, withGrad)
		ev.factorizations.Add(int64(b.count))
	}
	lw.mean(b, pr, params)
	if ev.opts.Approx == gcrfbc.JJ {
		lw.solveJJ(b, pr, &ev.opts)
	} else {
		lw.solveEP(b, pr, &ev.opts)
	}
	failed := 0
	for q, j := range b.instance[:b.count] {
		st := &ev.states[j]
		st.sweeps = lw.sweeps[q]
		ev.factorizations.Add(int64(st.sweeps))
		switch {
		case lw.status[q] == laneFailed:
			failed++
			continue
		case !b.labelled[q]:
			st.status = SitesNoLabels
		case lw.status[q] == laneStalled:
			st.status = SitesStalled
		default:
			st.status = SitesConverged
		}
		sum[0] += lw.value[q]
	}
	if withGrad && failed < b.count {
		lw.addGradient(sum[1:], w.edges, b, pr, params)
	}
	for q := 0; failed > 0 && q < b.count; q++ {
		if lw.status[q] != laneFailed {
			continue
		}
		failed--
		j := int(b.instance[q])
		if err := ev.evaluateAlone(ctx, w, j, params, sum, withGrad); err != nil {
			return err
		}
		if st := &ev.states[j]; st.warm { // the lane's sites as well, for the next time
			for i, a := range st.a {
				b.a[i*batch.Lanes+q], b.b[i*batch.Lanes+q] = a, st.b[i]
			}
			b.warm[q] = b.labelled[q]
		}
	}
	return nil
}

// evaluateAlone adds one instance that is not in a block, or whose lane has
// failed.
func (ev *Evaluator) evaluateAlone(ctx context.Context, w *worker, j int, params gcrfbc.Params, sum []float64, withGrad bool) error {
	err := ev.enterAlone(ctx, w, j, params)
	if err == nil {
		st := ev.state(j)
		err = w.po.solve(ctx, &ev.opts, st, withGrad)
		ev.factorizations.Add(int64(st.sweeps))
	}
	if err != nil {
		return fmt.Errorf("instance %d: %w", j, err)
	}
	sum[0] += w.po.value
	if withGrad {
		w.po.addGradient(sum[1:], params, &w.gs)
		ev.states[j].keepNoise(&w.po)
	}
	return nil
}

// enterAlone is enter with a prior of the worker's own.
func (ev *Evaluator) enterAlone(ctx context.Context, w *worker, j int, params gcrfbc.Params) error {
	st, err := ev.structureOf(ctx, j)
	if err != nil {
		return err
	}
	in, pr := &ev.d.Instances[j], &w.own
	pr.attach(st, false)
	ev.factorizations.Add(1)
	if err := pr.update(ctx, params, true); err != nil {
		return err
	}
	w.po.attach(pr, in)
	w.gs.attach(st)
	average(w.po.rbar, in.Scores, params, pr.sumAlpha)
	pr.deviationRHS(w.po.h, w.po.rbar)
	if err := pr.field.SolveTo(w.po.h, w.po.h); err != nil {
		return err
	}
	if err := w.po.checkMean(); err != nil {
		return err
	}
	w.po.setMean(params)
	return nil
}

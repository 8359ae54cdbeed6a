package main

import (
	"context"
	"slices"
	"strconv"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// densePeer measures the dense product of OpenBLAS.
const densePeer = "peer_dgemm"

// product compares our dense product C −= A Bᵀ of order targetOrder, on one thread
// and with the same instructions, with OpenBLAS's.
type product struct {
	Level  string    `json:"instructions"`
	N      int       `json:"n"`
	Ours   float64   `json:"ours_gflops"`               // best run, median over the rounds
	Peer   float64   `json:"openblas_gflops,omitempty"` // the same
	Ratio  float64   `json:"ratio,omitempty"`           // ours / OpenBLAS, median over the rounds
	Rounds []float64 `json:"ratios,omitempty"`
	Peak   float64   `json:"fma_gflops"`    // multiply-adds, best run
	Target float64   `json:"target_gflops"` // see calibrate
}

// denseLevels lists the instructions that are compared: vectors of 512 and of 256
// bits where the processor has them.
func denseLevels() []simd.Level {
	list := []simd.Level{simd.Best()}
	if simd.Best() == simd.AVX512 {
		list = append(list, simd.AVX2)
	}
	return list
}

// multiply measures the dense product, ours and OpenBLAS's in turn.
func (c *comparison) multiply(ctx context.Context, round int) {
	c.dense = append(c.dense, nil)
	path, err := find(c.dir, densePeer)
	if err != nil {
		c.failed(densePeer, err.Error())
	}
	order := strconv.Itoa(targetOrder)
	for _, level := range denseLevels() {
		args := []string{"calibrate", "--threads", "1", "--sizes", order, "--levels", level.String(), "--quiet", "--json"}
		if c.options.quick {
			args = append(args, "--quick")
		}
		c.takeDense(ctx, round, level, ourLabel, c.self, args, peerEnvironment(1))
		if err == nil {
			env := peerEnvironment(1)
			if level != simd.Best() {
				env = append(env, "OPENBLAS_CORETYPE=Haswell") // its kernels for AVX2
			}
			c.takeDense(ctx, round, level, densePeer, path, []string{"--gemm", order}, env)
		}
	}
}

func (c *comparison) takeDense(ctx context.Context, round int, level simd.Level, program, path string, args, env []string) {
	if ctx.Err() != nil {
		return
	}
	c.progress("round %d/%d  %s  %s", round+1, c.options.rounds, program, level)
	list, err := execute(ctx, env, path, args...)
	if err != nil && ctx.Err() == nil {
		c.failedOn(program, "dense product", err.Error())
	}
	for _, r := range list {
		r.Program, r.Label = program, level.String()
		c.dense[round] = append(c.dense[round], r)
	}
}

// products compares what was measured.
func (c *comparison) products() []product {
	var out []product
	for _, level := range denseLevels() {
		p := product{Level: level.String(), N: targetOrder}
		var us, them, peaks []float64
		for _, round := range c.dense {
			find := func(program, key, what string) *reading {
				k := slices.IndexFunc(round, func(r reading) bool {
					return r.Program == program && r.Label == p.Level && r.words[key] == what
				})
				if k < 0 {
					return nil
				}
				return &round[k]
			}
			own, peer := find(ourLabel, "quantity", "gemm"), find(densePeer, "op", "dgemm_nt")
			if own == nil {
				continue
			}
			us, peaks = append(us, own.numbers["rate_max_gflops"]), append(peaks, own.numbers["peak_gflops"])
			if peer != nil && peer.numbers["gflops_best"] > 0 {
				them = append(them, peer.numbers["gflops_best"])
				p.Rounds = append(p.Rounds, us[len(us)-1]/them[len(them)-1])
			}
		}
		if len(us) == 0 {
			continue
		}
		p.Ours, p.Peak = median(us), median(peaks)
		p.Target = targetFraction * p.Peak
		if len(them) > 0 {
			p.Peer, p.Ratio = median(them), median(p.Rounds)
		}
		out = append(out, p)
	}
	return out
}

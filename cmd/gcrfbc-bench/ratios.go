package main

import (
	"math"
	"slices"
	"strconv"
)

// phases that are compared: the key of our and the peers' results and a title.
var phases = []struct{ key, title string }{
	{"refactor", "refactor"},
	{"selinv", "sel. inverse"},
	{"solve1", "solve"},
	{"solve_multi", "32 solves"},
	{"total", "total"},
}

func phaseKeys() []string {
	var keys []string
	for _, p := range phases {
		keys = append(keys, p.key)
	}
	return keys
}

// clockOf returns the suffix of the times that are compared at a number of
// threads: CPU seconds where there is one, which other load disturbs least.
func clockOf(threads int) string {
	if threads == 1 {
		return "_cpu_s"
	}
	return "_s"
}

// seconds returns the time of a phase. "total" is what a first factorization
// takes from nothing: ordering, analysis and numbers.
func (r *reading) seconds(phase, clock string) (float64, bool) {
	if !slices.Contains(r.phases, phase) {
		return 0, false
	}
	get := func(key string) (float64, bool) {
		v, ok := r.numbers[key+clock]
		return v, ok
	}
	if phase != "total" {
		return get(phase)
	}
	order, _ := get("order") // the peers' analysis includes it
	analyze, ok := get("analyze")
	if !ok {
		return 0, false
	}
	factor, ok := get("factor_first")
	if !ok {
		factor, ok = get("refactor")
	}
	return order + analyze + factor, ok
}

// ratio is the comparison of one phase: medians over the rounds.
type ratio struct {
	Threads int       `json:"threads"`
	Phase   string    `json:"phase"`
	Clock   string    `json:"clock"` // cpu or wall
	Ratio   float64   `json:"ratio"` // best peer / ours
	Rounds  []float64 `json:"ratios"`
	Ours    float64   `json:"ours_s"`
	Best    float64   `json:"best_s"`
	Peer    string    `json:"best_peer"` // in the last round
}

// speedup is our wall time with the first number of threads over that with more.
type speedup struct {
	From    int     `json:"from"`
	To      int     `json:"to"`
	Phase   string  `json:"phase"`
	Speedup float64 `json:"speedup"`
}

// agreement says how many digits results have in common, the least of all
// peers and rounds, and how residuals ‖Ax − b‖/‖b‖ of a solve compare: our
// largest, CHOLMOD's smallest.
type agreement struct {
	LogDet          *float64 `json:"logdet_digits,omitempty"`
	TraceInv        *float64 `json:"trace_inv_digits,omitempty"`
	Residual        float64  `json:"residual"`
	CholmodResidual float64  `json:"cholmod_residual,omitempty"`
	ResidualRatio   float64  `json:"residual_ratio,omitempty"`     // ours / CHOLMOD's
	PeerResidual    float64  `json:"best_peer_residual,omitempty"` // the smallest of all
}

// memory compares bytes at the first number of threads: ours with the automatic
// ordering, CHOLMOD's with whichever takes least.
type memory struct {
	Forecast    float64 `json:"forecast_bytes"`               // before anything numeric is allocated
	Used        float64 `json:"used_bytes"`                   // analysis, factor and working storage
	Cholmod     float64 `json:"cholmod_held_bytes,omitempty"` // what its library holds once there is a factor
	CholmodPeak float64 `json:"cholmod_peak_bytes,omitempty"` // the most that it has held
	Ratio       float64 `json:"used_ratio,omitempty"`         // used / CHOLMOD's peak
	OfForecast  float64 `json:"forecast_over_used,omitempty"` // forecast / used
	MB          float64 `json:"peak_mb"`                      // largest resident size of the process
	CholmodMB   float64 `json:"cholmod_peak_mb,omitempty"`    // of its process
	Resident    float64 `json:"peak_mb_ratio,omitempty"`      // ours / CHOLMOD's
}

// orderings compares elimination orders at one thread.
type orderingRatios struct {
	AMDTime    float64 `json:"amd_time_ratio"`   // SuiteSparse AMD / ours
	AMDFill    float64 `json:"amd_nnzl_ratio"`   // nnz(L), ours / theirs
	AMDFlops   float64 `json:"amd_flops_ratio"`  // ours / theirs
	NDTime     float64 `json:"nd_time_ratio"`    // METIS_NodeND / ours
	NDFill     float64 `json:"nd_nnzl_ratio"`    // ours / theirs
	NDFlops    float64 `json:"nd_flops_ratio"`   // ours / theirs
	AMDSeconds float64 `json:"amd_s,omitempty"`  // ours
	NDSeconds  float64 `json:"nd_s,omitempty"`   // ours
	Chosen     string  `json:"chosen,omitempty"` // by auto
}

// comparedMatrix is the part of the report on one matrix.
type comparedMatrix struct {
	Matrix    string          `json:"matrix"`
	N         int             `json:"n"`
	NNZA      int             `json:"nnzA"`
	Ratios    []ratio         `json:"ratios"`
	Speedups  []speedup       `json:"speedups,omitempty"`
	Agreement *agreement      `json:"agreement,omitempty"`
	Memory    *memory         `json:"memory,omitempty"`
	Orderings *orderingRatios `json:"orderings,omitempty"`
	Runs      []runRecord     `json:"runs"`
}

// compareReport is the outcome of a run.
type compareReport struct {
	Environment environment      `json:"environment"`
	Rounds      int              `json:"rounds"`
	Threads     []int            `json:"threads"`
	Complete    bool             `json:"complete"` // false: interrupted
	Matrices    []comparedMatrix `json:"matrices"`
	Dense       []product        `json:"dense,omitempty"`
	Failures    []failure        `json:"failures,omitempty"`
}

func (c *comparison) report(complete bool) *compareReport {
	r := &compareReport{Environment: c.env, Rounds: c.options.rounds, Threads: c.threads, Complete: complete, Failures: c.failures}
	r.Dense = c.products()
	for _, t := range c.targets {
		r.Matrices = append(r.Matrices, t.compared(c.threads))
	}
	return r
}

// ours returns our reading of a round with a number of threads, nil if none.
func ours(round []reading, threads int) *reading {
	for k := range round {
		if r := &round[k]; r.Program == ourLabel && r.Threads == threads {
			return r
		}
	}
	return nil
}

// bestPeer returns the least time of the peers for a phase with at most the given
// number of threads: OpenBLAS is often faster with fewer, all the more where
// other load competes for the cores, and its users can choose.
func bestPeer(round []reading, threads int, phase string) (best float64, name string) {
	for k := range round {
		r := &round[k]
		if r.Label == ourLabel || r.Threads > threads {
			continue
		}
		if v, ok := r.seconds(phase, clockOf(threads)); ok && v > 0 && (name == "" || v < best) {
			best, name = v, r.Label
			if r.Order != "" {
				name += ", " + r.Order
			}
			if r.Threads < threads && r.Threads > 0 {
				name += ", " + strconv.Itoa(r.Threads) + " thread"
			}
		}
	}
	return best, name
}

func (t *target) compared(threads []int) comparedMatrix {
	m := comparedMatrix{Matrix: t.name, N: t.n, NNZA: t.nnz}
	for _, th := range threads {
		for _, p := range phases {
			if r, ok := t.ratio(th, p.key); ok {
				m.Ratios = append(m.Ratios, r)
			}
		}
	}
	for _, th := range threads[1:] {
		for _, p := range phases {
			var list []float64
			for _, round := range t.rounds {
				a, b := ours(round, threads[0]), ours(round, th)
				if a == nil || b == nil {
					continue
				}
				x, _ := a.seconds(p.key, "_s")
				if y, _ := b.seconds(p.key, "_s"); y > 0 {
					list = append(list, x/y)
				}
			}
			if len(list) > 0 {
				m.Speedups = append(m.Speedups, speedup{From: threads[0], To: th, Phase: p.key, Speedup: median(list)})
			}
		}
	}
	m.Agreement = t.agreement()
	m.Memory = t.memory(threads[0])
	m.Orderings = t.orderings()
	for k, round := range t.rounds {
		for _, r := range round {
			m.Runs = append(m.Runs, runRecord{Round: k + 1, Program: r.Program, Threads: r.Threads, Result: r.raw})
		}
	}
	return m
}

// ratio compares one phase in every round in which both sides were measured.
func (t *target) ratio(threads int, phase string) (ratio, bool) {
	r := ratio{Threads: threads, Phase: phase, Clock: "wall"}
	if threads == 1 {
		r.Clock = "cpu"
	}
	var us, them []float64
	for _, round := range t.rounds {
		own := ours(round, threads)
		if own == nil {
			continue
		}
		mine, _ := own.seconds(phase, clockOf(threads))
		best, name := bestPeer(round, threads, phase)
		if name == "" || !(mine > 0) {
			continue
		}
		us, them = append(us, mine), append(them, best)
		r.Rounds = append(r.Rounds, best/mine)
		r.Peer = name
	}
	r.Ratio, r.Ours, r.Best = median(r.Rounds), median(us), median(them)
	return r, len(r.Rounds) > 0
}

// digits returns how many significant digits a and b share, 16 at most.
func digits(a, b float64) float64 {
	d := math.Abs(a-b) / math.Abs(b)
	switch {
	case a == b:
		return 16
	case !(d < 1): // also NaN
		return 0
	}
	return min(-math.Log10(d), 16)
}

func (t *target) agreement() *agreement {
	var a *agreement
	least := func(at **float64, v float64) {
		if *at == nil || v < **at {
			*at = &v
		}
	}
	for _, round := range t.rounds {
		for k := range round {
			own := &round[k]
			if own.Program != ourLabel {
				continue
			}
			if a == nil {
				a = &agreement{}
			}
			a.Residual = max(a.Residual, own.numbers["residual"])
			for _, r := range round {
				if r.Label == ourLabel {
					continue
				}
				if v, ok := r.numbers["logdet"]; ok {
					least(&a.LogDet, digits(own.numbers["logdet"], v))
				}
				if v, ok := r.numbers["trace_inv"]; ok {
					least(&a.TraceInv, digits(own.numbers["trace_inv"], v))
				}
				lower(&a.PeerResidual, r.numbers["relres"])
				if r.Label == cholmodLabel {
					lower(&a.CholmodResidual, r.numbers["relres"])
				}
			}
		}
	}
	if a != nil && a.CholmodResidual > 0 {
		a.ResidualRatio = a.Residual / a.CholmodResidual
	}
	return a
}

// lower keeps the smaller of two positive numbers.
func lower(at *float64, v float64) {
	if v > 0 && (*at == 0 || v < *at) {
		*at = v
	}
}

// memory compares what the solvers take with a number of threads.
func (t *target) memory(threads int) *memory {
	var m *memory
	for _, round := range t.rounds {
		own := ours(round, threads)
		if own == nil {
			continue
		}
		if m == nil {
			m = &memory{}
		}
		m.Forecast, m.Used = own.numbers["bytes"], max(m.Used, own.numbers["used_bytes"])
		m.MB = max(m.MB, own.numbers["rss_mb"])
		for _, r := range round {
			if r.Label == cholmodLabel && r.Threads == threads {
				lower(&m.Cholmod, r.numbers["held_bytes"])
				lower(&m.CholmodPeak, r.numbers["peak_bytes"])
				lower(&m.CholmodMB, r.numbers["rss_mb"])
			}
		}
	}
	if m == nil {
		return nil
	}
	for _, q := range []struct {
		at   *float64
		a, b float64
	}{{&m.Ratio, m.Used, m.CholmodPeak}, {&m.OfForecast, m.Forecast, m.Used}, {&m.Resident, m.MB, m.CholmodMB}} {
		if q.b > 0 {
			*q.at = q.a / q.b
		}
	}
	return m
}

// orderings compares AMD with SuiteSparse's and nested dissection with METIS,
// as METIS_NodeND gives it.
func (t *target) orderings() *orderingRatios {
	if len(t.rounds) == 0 {
		return nil
	}
	find := func(key, value string) *reading {
		for k := range t.rounds[0] {
			if r := &t.rounds[0][k]; r.words[key] == value && (r.Program == "peer_amd_metis" || r.Program == ourLabel+" ordering") {
				return r
			}
		}
		return nil
	}
	amd, nd, theirAMD, metis := find("order", "amd"), find("order", "nd"), find("how", "amd"), find("how", "metis_nodend")
	if amd == nil || nd == nil || theirAMD == nil || metis == nil {
		return nil
	}
	o := &orderingRatios{AMDSeconds: amd.numbers["order_cpu_s"], NDSeconds: nd.numbers["order_cpu_s"]}
	over := func(a, b *reading, key string) float64 {
		if b.numbers[key] > 0 {
			return a.numbers[key] / b.numbers[key]
		}
		return 0
	}
	o.AMDTime, o.NDTime = over(theirAMD, amd, "order_cpu_s"), over(metis, nd, "order_cpu_s")
	o.AMDFill, o.NDFill = over(amd, theirAMD, "nnzL"), over(nd, metis, "nnzL")
	o.AMDFlops, o.NDFlops = over(amd, theirAMD, "flops"), over(nd, metis, "flops")
	for _, r := range t.rounds[0] {
		if r.Program == ourLabel {
			o.Chosen = r.words["order_chosen"]
			break
		}
	}
	return o
}

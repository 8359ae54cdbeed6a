package main

// result is one line of gcrfbc-bench solver --json. Of every phase there is the
// median, the smallest, the median of CPU seconds, the number of runs, and every
// run.
type result struct {
	Matrix  string `json:"matrix"`
	Order   string `json:"order"`
	Chosen  string `json:"order_chosen"` // what auto decided for refactorizations
	Threads int    `json:"threads"`

	Refactorizations int    `json:"refactorizations"`   // what auto was told to expect
	FirstOrder       string `json:"order_first_chosen"` // what auto decided for a single factorization

	Forward bool `json:"forward"` // factorizations keep the forward part of the inverse

	N          int     `json:"n"`
	NNZA       int     `json:"nnzA"` // lower triangle with the diagonal
	NNZL       int64   `json:"nnzL"`
	Flops      float64 `json:"flops"`
	Supernodes int     `json:"nsuper"`

	OrderS    float64   `json:"order_s"`
	OrderCPU  float64   `json:"order_cpu_s"`
	OrderMin  float64   `json:"order_min_s"`
	OrderRuns int       `json:"order_runs"`
	OrderAll  []float64 `json:"order_all_s"`

	AnalyzeS    float64   `json:"analyze_s"` // the analysis without the ordering
	AnalyzeCPU  float64   `json:"analyze_cpu_s"`
	AnalyzeMin  float64   `json:"analyze_min_s"`
	AnalyzeRuns int       `json:"analyze_runs"`
	AnalyzeAll  []float64 `json:"analyze_all_s"`

	FirstS    float64   `json:"factor_first_s"`
	FirstCPU  float64   `json:"factor_first_cpu_s"`
	FirstMin  float64   `json:"factor_first_min_s"`
	FirstRuns int       `json:"factor_first_runs"`
	FirstAll  []float64 `json:"factor_first_all_s"`

	RefactorS    float64   `json:"refactor_s"`
	RefactorCPU  float64   `json:"refactor_cpu_s"`
	RefactorMin  float64   `json:"refactor_min_s"`
	RefactorRuns int       `json:"refactor_runs"`
	RefactorAll  []float64 `json:"refactor_all_s"`

	SelinvS    float64   `json:"selinv_s"`
	SelinvCPU  float64   `json:"selinv_cpu_s"`
	SelinvMin  float64   `json:"selinv_min_s"`
	SelinvRuns int       `json:"selinv_runs"`
	SelinvAll  []float64 `json:"selinv_all_s"`

	Solve1S    float64   `json:"solve1_s"`
	Solve1CPU  float64   `json:"solve1_cpu_s"`
	Solve1Min  float64   `json:"solve1_min_s"`
	Solve1Runs int       `json:"solve1_runs"`
	Solve1All  []float64 `json:"solve1_all_s"`

	SolveMultiS    float64   `json:"solve_multi_s"`
	SolveMultiCPU  float64   `json:"solve_multi_cpu_s"`
	SolveMultiMin  float64   `json:"solve_multi_min_s"`
	SolveMultiRuns int       `json:"solve_multi_runs"`
	SolveMultiAll  []float64 `json:"solve_multi_all_s"`

	NRHS     int     `json:"nrhs"`
	LogDet   float64 `json:"logdet"`
	TraceInv float64 `json:"trace_inv"`
	Residual float64 `json:"residual"`   // ‖Ax − b‖/‖b‖ of one solve
	Bytes    int64   `json:"bytes"`      // factor, working storage and analysis, as forecast by the analysis
	Used     int64   `json:"used_bytes"` // the same as measured: what the analysis keeps, and what the first factorization allocates
	RSS      float64 `json:"rss_mb"`     // largest resident size of the process
}

package gcrfbc

// FitSolver records the factor that a model was fitted with, and how far its
// numbers are to be trusted.
type FitSolver struct {
	Kind     string `json:"kind"`               // exact or partial
	Ordering string `json:"ordering,omitempty"` // exact: the elimination order
	Cmax     int    `json:"cmax,omitempty"`     // partial: the degree up to which elimination is exact
	Core     int    `json:"core,omitempty"`     // partial: nodes beyond
	// Quality is the average relative error of a partial factor's inverse at
	// strong smoothing.
	Quality float64 `json:"quality,omitempty"`
	// ObjectiveSE is the standard error of the objective, from a partial factor's
	// log-determinants; 0 where they are exact.
	ObjectiveSE float64 `json:"objective_se,omitempty"`
}

// Partial reports whether the model was fitted with an approximate factor; s
// may be nil.
func (s *FitSolver) Partial() bool { return s != nil && s.Kind == "partial" }

package chol

import (
	"errors"
	"testing"
)

// TestBackend computes every large front with netlib where it was compiled in.
func TestBackend(t *testing.T) {
	if netlibKernels == nil {
		m := laplacian("grid", 5*5, gridEdges(5, 5, 1), 0.1, 1)
		for _, b := range []Backend{NetlibBackend, 17} {
			var wrong *OptionError
			if _, err := Analyze(t.Context(), m.p, Options{Backend: b}); !errors.As(err, &wrong) || wrong.Field != "Backend" {
				t.Errorf("backend %d: error %v", b, err)
			}
		}
		return
	}
	old := defaultTuning
	defaultTuning = tinyTasks
	defer func() { defaultTuning = old }()
	for _, m := range append(corpus(), laplacian("dense-big", 300, denseEdges(300), 0.1, 11)) {
		t.Run(m.name, func(t *testing.T) { compareDense(t, m, Options{Backend: NetlibBackend}) })
	}
}

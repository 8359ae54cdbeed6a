package authors

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc"
)

// reference is the same computation in NumPy, for comparison with what people
// run today.
//
//go:embed reference.py
var reference string

// Python is an interpreter that has NumPy.
type Python struct{ path string }

// ErrNoPython says that no interpreter with NumPy was found.
var ErrNoPython = errors.New("no Python with NumPy was found; install NumPy, or name an interpreter that has it by --python")

// FindPython returns the first of the candidates that can import NumPy.
func FindPython(ctx context.Context, candidates ...string) (*Python, error) {
	for _, c := range candidates {
		if err := exec.CommandContext(ctx, c, "-c", "import numpy").Run(); err == nil {
			return &Python{c}, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return nil, ErrNoPython
}

// Timing is what the program printed.
type Timing struct {
	Seconds float64   `json:"time_s"` // median of one value and gradient
	All     []float64 `json:"all_s"`  // all runs, ascending
	NumPy   string    `json:"numpy"`
	Version string    `json:"python"`
}

// Time measures one value and gradient, at least once and for about the given
// seconds, with one BLAS thread.
func (p *Python) Time(ctx context.Context, variant gcrfbc.Variant, m, n, k, l int, seconds float64) (Timing, error) {
	var t Timing
	out, err := p.run(ctx, nil, "time", string(variant), strconv.Itoa(m), strconv.Itoa(n), strconv.Itoa(k), strconv.Itoa(l), "1", fmt.Sprint(seconds))
	if err != nil {
		return t, err
	}
	return t, json.Unmarshal(out, &t)
}

func (p *Python) run(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, p.path, append([]string{"-c", reference}, args...)...)
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "OMP_NUM_THREADS=1")
	cmd.Stdin = bytes.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
		return nil, fmt.Errorf("%s: %w: %s", p.path, err, lines[len(lines)-1])
	}
	return out.Bytes(), nil
}

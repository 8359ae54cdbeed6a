// Package golden reads the exact test cases of testdata/golden and compares
// results with them. GCRFBC_GOLDEN names another folder of the same layout
// (cases, fits, sites, sites_fits, any of which may be missing).
package golden

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// Graph is one graph: edge e joins I[e] < J[e] with weight W[e].
type Graph struct {
	I, J []int
	W    []float64
}

// Instance is one instance's inputs. Labels and ξ are null where missing.
type Instance struct {
	N      int
	R      [][]float64
	Y      []*int8
	Xi     []*float64
	Graphs []Graph
}

// Mean holds the calibrated mean's parameters.
type Mean struct {
	Gain, Bias float64
	Weights    []float64
}

// Problem is the part of the schema that cases and learning problems share.
type Problem struct {
	Schema, Name string
	K, L         int
	Theta        struct{ Alpha, Beta []float64 }
	Mean         *Mean
	Graphs       []Graph
	Instances    []Instance
	Bounds       struct{ Lower, Upper float64 }
	Optimum      map[string]Optimum
	Expected     struct {
		Total     map[string]json.RawMessage
		Instances []map[string]json.RawMessage
	}
	Tolerance map[string]float64
}

// Optimum is the solution of a learning problem.
type Optimum struct {
	Objective   float64
	Alpha, Beta []float64
	Gain, Bias  float64
	Weights     []float64
	AtLower     []bool  `json:"at_lower"`
	AtUpper     []bool  `json:"at_upper"`
	Supremum    float64 `json:"objective_supremum"`
	Eigenvalues []float64
}

// Each runs fn as one subtest for every file of the folder, named after it.
func Each(t *testing.T, folder string, fn func(t *testing.T, p *Problem)) {
	t.Helper()
	root := os.Getenv("GCRFBC_GOLDEN")
	if root == "" {
		_, here, _, _ := runtime.Caller(0)
		root = filepath.Join(filepath.Dir(here), "..", "..", "testdata", "golden")
	} else if _, err := os.Stat(root); err != nil {
		t.Fatalf("GCRFBC_GOLDEN: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(root, folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		if os.Getenv("GCRFBC_GOLDEN") == "" {
			t.Fatalf("no files in %s", filepath.Join(root, folder))
		}
		t.Logf("no %s in %s", folder, root)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := new(Problem)
			if err := json.Unmarshal(b, p); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			fn(t, p)
		})
	}
}

// Params returns the case's parameters.
func (p *Problem) Params() gcrfbc.Params {
	params := gcrfbc.NewParams(p.Theta.Alpha, p.Theta.Beta)
	if p.Mean != nil {
		params.Gain, params.Bias, params.Direct = p.Mean.Gain, p.Mean.Bias, p.Mean.Weights
	}
	return params
}

// Dataset returns the inputs as a dataset.
func (p *Problem) Dataset(t *testing.T) *gcrfbc.Dataset {
	t.Helper()
	d := &gcrfbc.Dataset{K: p.K}
	if p.Graphs != nil {
		d.Graphs = graphs(t, p.Instances[0].N, p.Graphs)
	}
	for _, in := range p.Instances {
		x := gcrfbc.Instance{Labels: make([]int8, in.N)}
		for _, row := range in.R {
			x.Scores = append(x.Scores, row...)
		}
		for i := range x.Labels {
			x.Labels[i] = gcrfbc.Missing
			if in.Y[i] != nil {
				x.Labels[i] = *in.Y[i]
			}
		}
		if in.Graphs != nil {
			x.Graphs = graphs(t, in.N, in.Graphs)
		}
		d.Instances = append(d.Instances, x)
	}
	return d
}

func graphs(t *testing.T, n int, in []Graph) []*sparse.Graph {
	t.Helper()
	out := make([]*sparse.Graph, len(in))
	for l, g := range in {
		edges := make([]sparse.Edge, len(g.I))
		for e := range edges {
			edges[e] = sparse.Edge{I: g.I[e], J: g.J[e], W: g.W[e]}
		}
		var err error
		if out[l], err = sparse.NewGraph(n, edges); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// GraphsOf returns the L graphs of instance j as the file lists them.
func (p *Problem) GraphsOf(j int) []Graph {
	if g := p.Instances[j].Graphs; g != nil {
		return g
	}
	return p.Graphs
}

// Xi returns instance j's ξ, 0 where there is none.
func (p *Problem) Xi(j int) []float64 {
	xi := make([]float64, p.Instances[j].N)
	for i, v := range p.Instances[j].Xi {
		if v != nil {
			xi[i] = *v
		}
	}
	return xi
}

// Compare checks got against the field of the given name (as in tolerance,
// "bound.value"), whose expected value is raw: a number, a list, or a list of
// lists, null where there is no value.
func (p *Problem) Compare(t *testing.T, name string, raw json.RawMessage, got []float64) {
	t.Helper()
	if raw == nil {
		t.Errorf("%s: the file has no such field", name)
		return
	}
	var want []*float64
	if err := flatten(raw, &want); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(want) != len(got) {
		t.Errorf("%s: %d numbers, want %d", name, len(got), len(want))
		return
	}
	tol, ok := p.Tolerance[name]
	if !ok && len(want) > 0 {
		t.Errorf("%s: the file states no tolerance", name)
		return
	}
	relative := strings.HasSuffix(name, ".p1") || strings.HasSuffix(name, ".p0") || strings.Contains(name, "loo_p")
	worst, at := 0.0, 0
	for i, w := range want {
		if w == nil {
			continue
		}
		limit := tol
		if relative {
			limit *= *w
		}
		excess := math.Abs(got[i]-*w) / limit
		if got[i] == *w {
			excess = 0
		}
		if !(excess <= worst) {
			worst, at = excess, i
		}
	}
	if !(worst <= 1) {
		t.Errorf("%s[%d] = %.17g, want %.17g: %.3g times the tolerance %g", name, at, got[at], *want[at], worst, tol)
	}
}

func flatten(raw json.RawMessage, out *[]*float64) error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	return appendNumbers(v, out)
}

func appendNumbers(v any, out *[]*float64) error {
	switch v := v.(type) {
	case nil:
		*out = append(*out, nil)
	case float64:
		*out = append(*out, &v)
	case []any:
		for _, e := range v {
			if err := appendNumbers(e, out); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("unexpected %T", v)
	}
	return nil
}

// Fields splits an object of expected values into its fields.
func Fields(t *testing.T, raw json.RawMessage) map[string]json.RawMessage {
	t.Helper()
	m := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

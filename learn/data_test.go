package learn

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// dataDir is the folder that holds the large data sets (twitch_de, github,
// graphs), which are not part of the repository: GCRFBC_DATA names it.
func dataDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("GCRFBC_DATA")
	if dir == "" {
		t.Skip("GCRFBC_DATA does not name a folder of large data sets")
	}
	return dir
}

// TestDataGradients: on social graphs value and gradient at given parameters
// agree with finite differences (nb, jj, ep).
func TestDataGradients(t *testing.T) {
	dir := dataDir(t)
	for _, set := range []string{"twitch_de", "github"} {
		table, err := dataio.ReadTable(filepath.Join(dir, set, "nodes.csv.gz"))
		if err != nil {
			t.Fatal(err)
		}
		g, _, err := dataio.ReadGraphSpec(filepath.Join(dir, set, "graph.mtx.gz"), table.N(), table.Name())
		if err != nil {
			t.Fatal(err)
		}
		in := gcrfbc.Instance{}
		if in.Scores, err = table.Scores([]string{"lr_1", "nb_1"}); err != nil {
			t.Fatal(err)
		}
		if in.Labels, err = table.Labels("class"); err != nil {
			t.Fatal(err)
		}
		train, err := table.Mask("split=train")
		if err != nil {
			t.Fatal(err)
		}
		for i, keep := range train {
			if !keep {
				in.Labels[i] = gcrfbc.Missing
			}
		}
		d := &gcrfbc.Dataset{K: 2, Graphs: []*sparse.Graph{g}, Instances: []gcrfbc.Instance{in}}
		p := gcrfbc.Params{Alpha: []float64{0.1, 0.05}, Beta: []float64{0.02}, Gain: 1.2, Bias: 0.1, Direct: []float64{0.3, 0.1}}
		for _, o := range []infer.Options{{Variant: gcrfbc.NonBayesian}, {Approx: gcrfbc.JJ}, {Approx: gcrfbc.EP}} {
			ev, err := infer.NewEvaluator(t.Context(), d, o)
			if err != nil {
				t.Fatal(err)
			}
			grad := make([]float64, infer.GradientLen(2, 1))
			if _, err := ev.Evaluate(t.Context(), p, grad); err != nil {
				t.Fatal(err)
			}
			q := p.Clone()
			for k, x := range []*float64{&q.Alpha[0], &q.Alpha[1], &q.Beta[0], &q.Gain, &q.Bias} {
				old, h := *x, 1e-3**x
				var v [2]float64
				for s, sign := range []float64{1, -1} {
					*x = old + sign*h
					if v[s], err = ev.Evaluate(t.Context(), q, nil); err != nil {
						t.Fatal(err)
					}
				}
				*x = old
				if fd := (v[0] - v[1]) / (2 * h); math.Abs(fd-grad[k]) > 1e-4*(1+math.Abs(fd)) {
					t.Errorf("%s %s %s: component %d is %.9g, difference %.9g", set, o.Variant, o.Approx, k, grad[k], fd)
				}
			}
		}
	}
}

// TestDataGraphs: the stored graphs factorize, solve and selected-invert
// correctly, checked by residuals and by solves for columns of the inverse.
func TestDataGraphs(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(dataDir(t), "graphs", "*.mtx.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no graphs: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			g, err := sparse.ReadGraphFile(file, sparse.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			prec, err := gcrfbc.NewPrecision(g.N(), []*sparse.Graph{g})
			if err != nil {
				t.Fatal(err)
			}
			n, p := g.N(), prec.Pattern()
			values := make([]float64, p.NNZ())
			prec.AssembleTo(values, []float64{0.1, 1})
			sym, err := chol.Analyze(t.Context(), p, chol.Options{})
			if err != nil {
				t.Fatal(err)
			}
			f := sym.NewFactor()
			if err := f.Refactorize(t.Context(), values); err != nil {
				t.Fatal(err)
			}
			entries := make([]float64, p.NNZ())
			if err := f.SelectedInverse(t.Context(), entries); err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 2))
			x, b, r := make([]float64, n), make([]float64, n), make([]float64, n)
			for range 5 {
				clear(b)
				i := rng.IntN(n)
				b[i] = 1
				if err := f.SolveTo(x, b); err != nil {
					t.Fatal(err)
				}
				prec.Family().MulVecTo(r, x, values)
				for k := range r {
					if math.Abs(r[k]-b[k]) > 1e-12 {
						t.Fatalf("residual %g at row %d", r[k]-b[k], k)
					}
				}
				for q := p.Ptr()[i]; q < p.Ptr()[i+1]; q++ {
					if z := x[p.Idx()[q]]; math.Abs(entries[q]-z) > 1e-12*(1+math.Abs(z)) {
						t.Fatalf("inverse (%d, %d) is %.15g, by a solve %.15g", i, p.Idx()[q], entries[q], z)
					}
				}
			}
		})
	}
}

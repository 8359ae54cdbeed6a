package partial

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// TestBalance: the selected inverse keeps tr(AZ) = n, and sums over edges are as
// good as those over the diagonal.
func TestBalance(t *testing.T) {
	ctx := context.Background()
	p := newProblem(rand.New(rand.NewPCG(11, 12)), 1500, 9000, 0.05, true)
	f := p.factor(t, Options{Cmax: 4})
	z, want := make([]float64, len(p.values)), make([]float64, len(p.values))
	if err := f.SelectedInverse(ctx, z); err != nil {
		t.Fatal(err)
	}
	if err := p.exact(t).SelectedInverse(ctx, want); err != nil {
		t.Fatal(err)
	}
	ptr, idx := p.pattern.Ptr(), p.pattern.Idx()
	trace, diag, edges, edgesWant := 0.0, 0.0, 0.0, 0.0
	for i := range p.n() {
		last := ptr[i+1] - 1
		diag += p.ridge[i] * (z[last] - want[last])
		for q := ptr[i]; q < last; q++ {
			j := ptr[idx[q]+1] - 1
			edges -= p.values[q] * (z[last] + z[j] - 2*z[q])
			edgesWant -= p.values[q] * (want[last] + want[j] - 2*want[q])
		}
		trace += p.ridge[i] * z[last]
	}
	if n := float64(p.n()); math.Abs(trace+edges-n) > 1e-6*n {
		t.Errorf("tr(AZ) is %g, want %g", trace+edges, n)
	}
	if math.Abs(edges-edgesWant+diag) > 1e-6*edgesWant {
		t.Errorf("the sum over edges is off by %g, that over the diagonal by %g", edges-edgesWant, diag)
	}
	if math.Abs(diag) > 0.01*trace {
		t.Errorf("the sum over the diagonal is off by %g of %g", diag, trace)
	}
}

package partial

import (
	"sync"

	"github.com/gcrfbc/gcrfbc/chol/partial/internal/kernel"
)

const lanes = kernel.Lanes

// row is component i of eight vectors side by side.
type row = [lanes]float64

// at returns component i of the vectors in x.
func at(x []float64, i int) *row { return (*row)(x[i*lanes:]) }

// workspace is what one block of right-hand sides needs: eight side by side,
// or one.
type workspace struct {
	x             []float64 // over all nodes
	r, z, p, q, t []float64 // over the core
}

// workspaces are those not in use, of all factors of one analysis: the two of a
// model, P's and A's, seldom need theirs at the same time.
type workspaces struct {
	mu    sync.Mutex
	spare []*workspace
}

// take returns a workspace for width right-hand sides, 1 or lanes.
func (f *Factor) take(width int) *workspace {
	s := f.s
	all := s.workspaces
	all.mu.Lock()
	for i := len(all.spare) - 1; i >= 0; i-- {
		if w := all.spare[i]; len(w.x) == s.n*width {
			all.spare = append(all.spare[:i], all.spare[i+1:]...)
			all.mu.Unlock()
			return w
		}
	}
	all.mu.Unlock()
	nc := s.CoreN() * width
	memory := make([]float64, s.n*width+5*nc)
	cut := func(k int) []float64 {
		v := memory[:k:k]
		memory = memory[k:]
		return v
	}
	return &workspace{x: cut(s.n * width), r: cut(nc), z: cut(nc), p: cut(nc), q: cut(nc), t: cut(nc)}
}

func (f *Factor) give(w *workspace) {
	all := f.s.workspaces
	all.mu.Lock()
	all.spare = append(all.spare, w)
	all.mu.Unlock()
}

package partial

import "github.com/gcrfbc/gcrfbc/chol/partial/internal/kernel"

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

// take returns a workspace for width right-hand sides, 1 or lanes.
func (f *Factor) take(width int) *workspace {
	s := f.s
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := len(f.spare) - 1; i >= 0; i-- {
		if w := f.spare[i]; len(w.x) == s.n*width {
			f.spare = append(f.spare[:i], f.spare[i+1:]...)
			return w
		}
	}
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
	f.mu.Lock()
	f.spare = append(f.spare, w)
	f.mu.Unlock()
}

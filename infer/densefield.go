package infer

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// denseMax is the size up to which an instance is treated as dense: below it
// the sparse factor's index work costs more than the zeros it saves.
const denseMax = 48

// denseField is a Field for small instances: A = U'U with U upper triangular,
// row-major, so that every inner loop runs along a row.
type denseField struct {
	n       int
	where   []int32   // position in u of every entry of the pattern
	u       []float64 // n×n: U on and above the diagonal
	x       []float64 // n×n: U⁻¹ on and above the diagonal
	squares []float64 // squared diagonal of U: the pivots
	inv     []float64 // 1/U_ii
	haveX   bool
}

// denseIndex returns the position in an n×n upper triangle, row-major, of
// every entry of a lower-triangular pattern.
func denseIndex(p *sparse.Pattern) []int32 {
	n, _ := p.Dims()
	where := make([]int32, p.NNZ())
	ptr, idx := p.Ptr(), p.Idx()
	for i := range n {
		for q := ptr[i]; q < ptr[i+1]; q++ {
			where[q] = idx[q]*int32(n) + int32(i)
		}
	}
	return where
}

func newDenseField(n int, where []int32) *denseField {
	f := &denseField{}
	f.reset(n, where)
	return f
}

// reset makes the field one of another pattern, keeping its memory if it can.
func (f *denseField) reset(n int, where []int32) {
	if cap(f.u) < n*n {
		f.u = make([]float64, n*n)
		f.x = make([]float64, n*n)
		f.squares = make([]float64, n)
		f.inv = make([]float64, n)
	}
	f.n, f.where = n, where
	f.u, f.x = f.u[:n*n], f.x[:n*n]
	f.squares, f.inv = f.squares[:n], f.inv[:n]
	f.haveX = false
}

func (f *denseField) Update(_ context.Context, values []float64) error {
	n, u := f.n, f.u
	clear(u)
	f.haveX = false
	for q, w := range f.where {
		u[w] = values[q]
	}
	for k := range n {
		row := u[k*n+k : k*n+n]
		d := row[0]
		if !(d > 0) || math.IsInf(d, 0) {
			return &chol.NotPositiveDefiniteError{Row: k, Pivot: d}
		}
		f.squares[k] = d
		inv := 1 / math.Sqrt(d)
		f.inv[k] = inv
		for j := range row {
			row[j] *= inv
		}
		for i := k + 1; i < n; i++ {
			s := row[i-k]
			if s == 0 {
				continue
			}
			dst := u[i*n+i : i*n+n]
			src := row[i-k:]
			src = src[:len(dst)]
			for j := range dst {
				dst[j] -= s * src[j]
			}
		}
	}
	return nil
}

// SolveTo does not write to the field: it may be called by many goroutines.
func (f *denseField) SolveTo(dst, rhs []float64) error {
	n, u := f.n, f.u
	dst = dst[:n]
	copy(dst, rhs[:n])
	for k := range n { // U'y = rhs
		y := dst[k] * f.inv[k]
		dst[k] = y
		row := u[k*n+k+1 : k*n+n]
		tail := dst[k+1:]
		tail = tail[:len(row)]
		for j, v := range row {
			tail[j] -= v * y
		}
	}
	f.backSolve(dst)
	return nil
}

// backSolve solves U x = y in place.
func (f *denseField) backSolve(x []float64) {
	n, u := f.n, f.u
	for k := n - 1; k >= 0; k-- {
		row := u[k*n+k+1 : k*n+n]
		tail := x[k+1:]
		tail = tail[:len(row)]
		s := x[k]
		for j, v := range row {
			s -= v * tail[j]
		}
		x[k] = s * f.inv[k]
	}
}

// SampleTo solves U x = ε: the covariance of x is U⁻¹U⁻ᵀ = A⁻¹.
func (f *denseField) SampleTo(_ context.Context, dst []float64, rng *rand.Rand) error {
	for i := range dst[:f.n] {
		dst[i] = rng.NormFloat64()
	}
	f.backSolve(dst[:f.n])
	return nil
}

func (f *denseField) SolveManyTo(ctx context.Context, dst, rhs []float64, k int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for r := range k {
		f.SolveTo(dst[r*f.n:(r+1)*f.n], rhs[r*f.n:(r+1)*f.n])
	}
	return nil
}

func (f *denseField) LogDetRatio(_ context.Context, base Field) (value, stderr float64, err error) {
	return logDetRatio(f, base), 0, nil
}

func (f *denseField) exact() bool { return true }

func (f *denseField) pivots() []float64 { return f.squares }

// invertFactor computes X = U⁻¹, row i from those below it.
func (f *denseField) invertFactor() {
	if f.haveX {
		return
	}
	n := f.n
	for i := n - 1; i >= 0; i-- {
		x := f.x[i*n+i : i*n+n]
		clear(x)
		x[0] = f.inv[i]
		u := f.u[i*n+i : i*n+n]
		for k := i + 1; k < n; k++ {
			s := u[k-i] * f.inv[i]
			if s == 0 {
				continue
			}
			dst := x[k-i:]
			src := f.x[k*n+k : k*n+n]
			src = src[:len(dst)]
			for j := range dst {
				dst[j] -= s * src[j]
			}
		}
	}
	f.haveX = true
}

func (f *denseField) InverseDiagTo(_ context.Context, diag []float64) error {
	f.invertFactor()
	n := f.n
	for i := range n {
		s := 0.0
		for _, v := range f.x[i*n+i : i*n+n] {
			s += v * v
		}
		diag[i] = s
	}
	return nil
}

func (f *denseField) InverseTo(_ context.Context, entries []float64) error {
	f.invertFactor()
	n := f.n
	for q, w := range f.where {
		j, i := int(w)/n, int(w)%n // j ≤ i
		a := f.x[i*n+i : i*n+n]
		b := f.x[j*n+i : j*n+n]
		b = b[:len(a)]
		s := 0.0
		for k, v := range a {
			s += v * b[k]
		}
		entries[q] = s
	}
	return nil
}

package partial

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/internal/pool"
	"gonum.org/v1/gonum/mat"
)

// Estimate is a number with its standard error; 0 if it is exact.
type Estimate struct{ Value, StdErr float64 }

// probeTraces is tr log(G⁻¹KG⁻ᵀ), G = LD^½ of the incomplete factor: an exact
// part, and one estimate of the rest from each probe.
type probeTraces struct {
	valid bool
	exact float64
	probe []float64
}

// deflated is how many connected components of the core, the largest, have
// their near-constant mode taken out of the probes.
const deflated = lanes

// deflationSteps is the number of Lanczos steps from such a mode.
const deflationSteps = 14

// LogDet returns log|A|: exact columns, the incomplete factor's pivots, and the
// trace of the logarithm of what that leaves, by stochastic Lanczos quadrature
// (Ubaru, Chen & Saad 2017) with probes that depend on the seed alone. The
// near-constant mode, in which the incomplete factor is worst at a small ridge,
// is known and treated apart, without probes.
func (f *Factor) LogDet(ctx context.Context) (Estimate, error) {
	if !f.valid {
		return Estimate{}, chol.ErrNotFactorized
	}
	if err := f.traces(ctx); err != nil {
		return Estimate{}, err
	}
	sum := 0.0
	for _, d := range f.pivot {
		sum += math.Log(d)
	}
	e := estimate(f.lanczos.probe, nil)
	e.Value += sum + f.lanczos.exact
	return e, nil
}

// LogDetRatio returns log|A| − log|B| for a factor of another matrix B of the
// same analysis. Both use the same probes, so that most of their errors cancel;
// the standard error is that of the difference.
func (f *Factor) LogDetRatio(ctx context.Context, base *Factor) (Estimate, error) {
	if !f.valid || !base.valid {
		return Estimate{}, chol.ErrNotFactorized
	}
	if f.s != base.s {
		return Estimate{}, &OptionError{"", "of the two factors differ: they must be of one Symbolic"}
	}
	if err := f.traces(ctx); err != nil {
		return Estimate{}, err
	}
	if err := base.traces(ctx); err != nil {
		return Estimate{}, err
	}
	sum := 0.0
	for k, d := range f.pivot {
		b := base.pivot[k]
		sum += math.Log1p((d - b) / b)
	}
	e := estimate(f.lanczos.probe, base.lanczos.probe)
	e.Value += sum + (f.lanczos.exact - base.lanczos.exact)
	return e, nil
}

// estimate is the mean of a − b and its standard error.
func estimate(a, b []float64) Estimate {
	n := float64(len(a))
	if n == 0 {
		return Estimate{}
	}
	mean, squares := 0.0, 0.0
	diff := func(i int) float64 {
		if b == nil {
			return a[i]
		}
		return a[i] - b[i]
	}
	for i := range a {
		mean += diff(i) / n
	}
	for i := range a {
		d := diff(i) - mean
		squares += d * d
	}
	if n == 1 {
		return Estimate{mean, math.Inf(1)}
	}
	return Estimate{mean, math.Sqrt(squares / (n - 1) / n)}
}

// traces computes the probes' estimates of the present matrix, once.
func (f *Factor) traces(ctx context.Context) error {
	f.tracing.Lock()
	defer f.tracing.Unlock()
	if f.lanczos.valid {
		return nil
	}
	nc := f.s.CoreN()
	if nc == 0 {
		f.lanczos = probeTraces{valid: true}
		return nil
	}
	modes, of := f.modes()
	count := 0
	for _, l := range of {
		count = max(count, int(l)+1)
	}
	t := probeTraces{valid: true, probe: make([]float64, f.s.opts.Probes)}
	exact := make([]float64, count)
	// The modes first: they take the most steps.
	blocks := count + (f.s.opts.Probes+lanes-1)/lanes
	err := pool.Run(ctx, pool.Threads(f.s.opts.Threads), blocks, func(_, b int) error {
		if b < count {
			var err error
			exact[b], err = f.modeTrace(ctx, modes, of, int32(b))
			return err
		}
		b -= count
		w := f.take(lanes)
		defer f.give(w)
		rng := rand.New(rand.NewPCG(f.s.opts.Seed, uint64(b)))
		z := w.r
		for c := range nc {
			bits := rng.Uint64()
			for q := range lanes {
				z[c*lanes+q] = 1 - 2*float64(bits>>q&1)
			}
		}
		project(z, modes, of)
		var norm row
		squares(z, lanes, &norm)
		values, err := f.lanczosLog(ctx, w, lanes, f.s.opts.Steps)
		for q := range min(lanes, len(t.probe)-b*lanes) {
			t.probe[b*lanes+q] = norm[q] * values[q]
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, v := range exact {
		t.exact += v
	}
	f.lanczos = t
	return nil
}

// modes returns the near-constant mode Gᵀ1/‖Gᵀ1‖ of the largest components, all
// in one vector, and which of them a node is in, or −1.
func (f *Factor) modes() (u []float64, of []int32) {
	s := f.s
	nc := s.CoreN()
	size := make([]int, s.components)
	for _, c := range s.component {
		size[c]++
	}
	label := make([]int32, s.components)
	for c := range label {
		label[c] = -1
	}
	for l := range int32(min(deflated, s.components)) {
		best := -1
		for c := range label {
			if label[c] < 0 && (best < 0 || size[c] > size[best]) {
				best = c
			}
		}
		label[best] = l
	}
	u, of = make([]float64, nc), make([]int32, nc)
	var norm row
	for v := range nc {
		l := label[s.component[v]]
		of[v] = l
		if l >= 0 {
			// (Lᵀ1)_v = 1 − Σu = g/D
			u[v] = f.excess[v] / math.Sqrt(f.pivot[s.first+v])
			norm[l] += u[v] * u[v]
		}
	}
	for v, l := range of {
		if l >= 0 && norm[l] > 0 {
			u[v] /= math.Sqrt(norm[l])
		}
	}
	return u, of
}

// project takes the modes out of the vectors in z.
func project(z, modes []float64, of []int32) {
	var product [deflated]row
	for c, l := range of {
		if l >= 0 {
			zc := at(z, c)
			for q := range zc {
				product[l][q] += modes[c] * zc[q]
			}
		}
	}
	for c, l := range of {
		if l >= 0 {
			zc := at(z, c)
			for q := range zc {
				zc[q] -= modes[c] * product[l][q]
			}
		}
	}
}

// modeTrace is u' log(B) u of mode l.
func (f *Factor) modeTrace(ctx context.Context, modes []float64, of []int32, l int32) (float64, error) {
	w := f.take(1)
	defer f.give(w)
	clear(w.r)
	present := false
	for c, m := range of {
		if m == l {
			w.r[c] = modes[c]
			present = present || modes[c] != 0
		}
	}
	if !present {
		return 0, nil
	}
	values, err := f.lanczosLog(ctx, w, 1, deflationSteps)
	return values[0], err
}

// lanczosLog returns v' log(B) v / v'v for the vectors v in w.r, lanes of them
// or one, with B = G⁻¹KG⁻ᵀ, by Lanczos's method and Gauss quadrature (Golub &
// Meurant 1994).
func (f *Factor) lanczosLog(ctx context.Context, w *workspace, width, steps int) (values row, err error) {
	s := f.s
	nc := s.CoreN()
	inc := f.incomplete()
	root, inverse := make([]float64, nc), make([]float64, nc) // D^½, D^−½
	for c := range root {
		root[c] = math.Sqrt(f.pivot[s.first+c])
		inverse[c] = 1 / root[c]
	}
	v, old, y, q := w.r, w.p, w.z, w.q
	clear(old)
	alpha, beta := make([][lanes]float64, 0, steps), make([][lanes]float64, 0, steps)
	var norm, b row
	squares(v, width, &norm)
	start := norm
	scale(v, &norm, width)
	var ended [lanes]int // Lanczos steps of each lane, 0 while it goes on
	for k := range steps {
		if err := ctx.Err(); err != nil {
			return values, err
		}
		scaleRows(y, v, root, width)
		var unused, a row
		f.backwardMultiply(&inc, q, y, v, width, &unused, &unused)
		inc.forward(q, width)
		orthogonalize(q, old, v, inverse, width, &b, &a)
		alpha = append(alpha, a)
		norm = remove(q, v, width, &a)
		for l := range width {
			b[l] = math.Sqrt(norm[l])
			if ended[l] == 0 && (b[l] <= 1e-10*math.Abs(a[l]) || k == steps-1) {
				ended[l] = k + 1
			}
		}
		beta = append(beta, b)
		scale(q, &norm, width)
		v, old, q = q, v, old
	}
	for l := range width {
		if start[l] > 0 {
			values[l] = quadratureLog(alpha, beta, l, ended[l])
		}
	}
	return values, nil
}

// scaleRows writes diag(d) x.
func scaleRows(dst, x, d []float64, width int) {
	if width == 1 {
		for c, v := range d {
			dst[c] = x[c] * v
		}
		return
	}
	for c, v := range d {
		yc, xc := at(dst, c), at(x, c)
		for l := range yc {
			yc[l] = xc[l] * v
		}
	}
}

// orthogonalize sets q = diag(d) q − b old and a = q'v.
func orthogonalize(q, old, v, d []float64, width int, b, a *row) {
	if width == 1 {
		sum := 0.0
		for c, dc := range d {
			t := q[c]*dc - b[0]*old[c]
			q[c] = t
			sum += t * v[c]
		}
		a[0] = sum
		return
	}
	for c, dc := range d {
		qc, oc, vc := at(q, c), at(old, c), at(v, c)
		for l := range qc {
			t := qc[l]*dc - b[l]*oc[l]
			qc[l] = t
			a[l] += t * vc[l]
		}
	}
}

// remove sets q −= a v and returns the squares of q.
func remove(q, v []float64, width int, a *row) (norm row) {
	if width == 1 {
		v = v[:len(q)]
		for c := range q {
			t := q[c] - a[0]*v[c]
			q[c] = t
			norm[0] += t * t
		}
		return norm
	}
	for c := range len(q) / lanes {
		qc, vc := at(q, c), at(v, c)
		for l := range qc {
			t := qc[l] - a[l]*vc[l]
			qc[l] = t
			norm[l] += t * t
		}
	}
	return norm
}

// scale divides the vectors by the roots of squares; those of 0 become 0.
func scale(x []float64, squares *row, width int) {
	var inv row
	for l, v := range squares {
		if v > 0 {
			inv[l] = 1 / math.Sqrt(v)
		}
	}
	if width == 1 {
		for i := range x {
			x[i] *= inv[0]
		}
		return
	}
	for i := 0; i+lanes <= len(x); i += lanes {
		r := (*row)(x[i:])
		for l := range r {
			r[l] *= inv[l]
		}
	}
}

// quadratureLog is e₁' log(T) e₁ of lane l's tridiagonal matrix.
func quadratureLog(alpha, beta [][lanes]float64, l, steps int) float64 {
	t := mat.NewSymDense(steps, nil)
	for k := range steps {
		t.SetSym(k, k, alpha[k][l])
		if k+1 < steps {
			t.SetSym(k, k+1, beta[k][l])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(t, true) {
		return math.NaN()
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	sum := 0.0
	for k, value := range eigen.Values(nil) {
		c := vectors.At(0, k)
		sum += c * c * math.Log(value)
	}
	return sum
}

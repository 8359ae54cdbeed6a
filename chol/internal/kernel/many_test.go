package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var nan = math.NaN()

// randomPanel returns a w-column panel of w+r rows whose pivots are near 1;
// its upper triangle is not to be read.
func randomPanel(rng *rand.Rand, w, r int) (l []float64, ld int) {
	ld = w + r + rng.IntN(4)
	all, l := guarded(rng, max(0, (w-1)*ld+w+r))
	_ = all
	for j := range w {
		for i := range j {
			l[i+j*ld] = nan
		}
		l[j+j*ld] = 1 + rng.Float64()
		for i := j + 1; i < w; i++ {
			l[i+j*ld] *= 0.3
		}
	}
	return l, ld
}

func TestForwardMany(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(13, 14))
		check := func(nb, w, r int, fresh, push bool) {
			l, ld := randomPanel(rng, w, r)
			xAll, x := guarded(rng, w*nb)
			vAll, v := guarded(rng, r*nb)
			wantX, wantV := slices.Clone(x), slices.Clone(v)
			if fresh {
				clear(wantV)
				for i := range v {
					v[i] = nan
				}
			}
			forwardManyGo(nb, w, w, 0, l, ld, wantX, wantX)
			if w > 0 {
				forwardManyGo(nb, 0, r, w, l[w:], ld, wantX, wantV)
			} else {
				return
			}
			var p, want Parent
			var pxAll, pvAll []float64
			if push && r > 0 {
				m := r + rng.IntN(5)
				p.Rel, _ = randomRuns(rng, r, m, 0.5)
				p.W = rng.IntN(m + 1)
				pxAll, p.X = guarded(rng, p.W*nb)
				pvAll, p.V = guarded(rng, (m-p.W)*nb)
				want = Parent{Rel: p.Rel, X: slices.Clone(p.X), V: slices.Clone(p.V), W: p.W}
				addRowsGo(nb, p.Rel, wantV, want.X, want.W, want.V)
			}
			ForwardMany(nb, w, r, l, ld, x, v, fresh, p)
			checkGuard(t, xAll)
			checkGuard(t, vAll)
			if push && r > 0 {
				checkGuard(t, pxAll)
				checkGuard(t, pvAll)
				equal(t, "parent's pivots", p.X, want.X, 1e-10)
				equal(t, "parent's rows", p.V, want.V, 1e-10)
				copy(v, wantV)
			}
			name := fmt.Sprintf("nb %d, %d+%d", nb, w, r)
			equal(t, name+" x", x, wantX, 1e-10)
			equal(t, name+" v", v, wantV, 1e-10)
		}
		for _, nb := range []int{3, 8, 16, 24, 32, 40} {
			for w := range 15 {
				for r := range 14 {
					check(nb, w, r, r%2 == 1, (w+r/2)%2 == 1)
				}
			}
		}
		check(32, 70, 900, true, true)
		check(8, 50, 1500, false, true)
		check(16, 50, 1500, false, false)
	})
}

func TestBackwardMany(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(15, 16))
		check := func(nb, w, r int) {
			l, ld := randomPanel(rng, w, r)
			n := r + rng.IntN(9)
			rows := make([]int32, n)
			for i := range rows {
				rows[i] = int32(i)
			}
			rng.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			rows = rows[:r]
			slices.Sort(rows)
			_, y := guarded(rng, n*nb)
			all, x := guarded(rng, w*nb)
			want := slices.Clone(x)
			backwardManyGo(nb, w, l, ld, want, rows, y)
			BackwardMany(nb, w, l, ld, x, rows, y)
			checkGuard(t, all)
			equal(t, fmt.Sprintf("nb %d, %d+%d", nb, w, r), x, want, 1e-10)
		}
		for _, nb := range []int{3, 8, 16, 24, 32, 40} {
			for w := range 15 {
				for r := range 14 {
					check(nb, w, r)
				}
			}
		}
		check(32, 70, 900)
		check(8, 10, 2500)
	})
}

package dense

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// Benchmarks report GF/s: operations by the textbook count over time.

func benchLevels(b *testing.B, f func(b *testing.B, be Backend)) {
	for l := simd.AVX2; l <= simd.Best(); l++ {
		b.Run("level="+l.String(), func(b *testing.B) {
			defer simd.SetLevel(simd.SetLevel(l))
			f(b, Native{})
		})
	}
	for _, be := range others {
		b.Run("level="+be.Name(), func(b *testing.B) { f(b, be) })
	}
}

// others are the backends besides Native that this build has.
var others []Backend

func values(n int) []float64 {
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]float64, n)
	for i := range x {
		x[i] = 2*rnd.Float64() - 1
	}
	return x
}

func gflops(b *testing.B, flops float64, f func()) {
	f()
	for b.Loop() {
		f()
	}
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
}

var benchSizes = []int{8, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024}

func BenchmarkGemmNT(b *testing.B) {
	benchLevels(b, func(b *testing.B, be Backend) {
		for _, n := range benchSizes {
			b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
				x, y, z, ws := values(n*n), values(n*n), values(n*n), NewWorkspace()
				gflops(b, 2*float64(n)*float64(n)*float64(n), func() { be.GemmNT(ws, n, n, n, -1, x, n, y, n, z, n) })
			})
		}
	})
}

func BenchmarkGemmK(b *testing.B) {
	benchLevels(b, func(b *testing.B, be Backend) {
		for _, k := range []int{4, 8, 16, 32, 64, 128} {
			b.Run(fmt.Sprintf("n=512/k=%d", k), func(b *testing.B) {
				const n = 512
				x, y, z, ws := values(n*k), values(n*k), values(n*n), NewWorkspace()
				gflops(b, 2*n*n*float64(k), func() { be.GemmNT(ws, n, n, k, -1, x, n, y, n, z, n) })
			})
		}
	})
}

func BenchmarkSyrk(b *testing.B) {
	benchLevels(b, func(b *testing.B, be Backend) {
		for _, n := range benchSizes {
			b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
				x, z, ws := values(n*n), values(n*n), NewWorkspace()
				gflops(b, float64(n)*float64(n)*float64(n), func() { be.Syrk(ws, n, n, x, n, z, n) })
			})
		}
	})
}

func BenchmarkTrsmRight(b *testing.B) {
	benchLevels(b, func(b *testing.B, be Backend) {
		for _, n := range benchSizes {
			b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
				l, x, ws := values(n*n), values(n*n), NewWorkspace()
				for i := range n {
					for j := range n {
						l[i+j*n] *= 0.01
					}
					l[i+i*n] = 1
				}
				gflops(b, float64(n)*float64(n)*float64(n), func() { be.TrsmRight(ws, n, n, l, n, x, n) })
			})
		}
	})
}

func BenchmarkSymm(b *testing.B) {
	benchLevels(b, func(b *testing.B, be Backend) {
		for _, s := range [][2]int{{32, 8}, {64, 16}, {128, 32}, {256, 32}, {512, 64}, {1024, 128}, {1024, 1024}} {
			m, n := s[0], s[1]
			b.Run(fmt.Sprintf("m=%d/n=%d", m, n), func(b *testing.B) {
				z, y, c, ws := values(m*m), values(m*n), values(m*n), NewWorkspace()
				gflops(b, 2*float64(m)*float64(m)*float64(n), func() { be.Symm(ws, m, n, -1, z, m, y, m, c, m) })
			})
		}
	})
}

func BenchmarkPotrf(b *testing.B) {
	benchLevels(b, func(b *testing.B, be Backend) {
		for _, n := range benchSizes {
			b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
				a0, ws := values(n*n), NewWorkspace()
				for i := range n {
					a0[i+i*n] = float64(n)
				}
				a := make([]float64, n*n)
				// The time includes the copy.
				gflops(b, float64(n)*float64(n)*float64(n)/3, func() {
					copy(a, a0)
					if be.Potrf(ws, n, a, n) >= 0 {
						b.Fatal("not positive definite")
					}
				})
			})
		}
	})
}

func frontFlops(w, r float64) float64 { return w*w*w/3 + r*w*w + r*r*w }

func inverseFlops(w, r float64) float64 { return 2*w*w*w/3 + 2*r*w*w + 2*r*r*w }

var frontSizes = [][2]int{{1, 0}, {1, 4}, {2, 8}, {4, 12}, {4, 16}, {8, 16}, {8, 40}, {16, 48}, {24, 72}, {32, 64}, {32, 160}, {64, 128}, {128, 256}, {256, 512}, {512, 512}}

func BenchmarkFrontFactor(b *testing.B) {
	benchLevels(b, func(b *testing.B, be Backend) {
		for _, s := range frontSizes {
			w, r := s[0], s[1]
			b.Run(fmt.Sprintf("w=%d/r=%d", w, r), func(b *testing.B) {
				nr := w + r
				a0, u, ws := values(nr*w), values(r*r), NewWorkspace()
				for j := range w {
					a0[j+j*nr] = float64(nr)
				}
				a := make([]float64, nr*w)
				gflops(b, frontFlops(float64(w), float64(r)), func() {
					copy(a, a0)
					if be.FrontFactor(ws, nr, w, a, nr, u, max(r, 1)) >= 0 {
						b.Fatal("not positive definite")
					}
				})
			})
		}
	})
}

func BenchmarkFrontInverse(b *testing.B) {
	benchLevels(b, func(b *testing.B, be Backend) {
		for _, s := range frontSizes {
			w, r := s[0], s[1]
			b.Run(fmt.Sprintf("w=%d/r=%d", w, r), func(b *testing.B) {
				nr := w + r
				l, z, ws := values(nr*w), values(nr*nr), NewWorkspace()
				for j := range w {
					for i := range nr {
						l[i+j*nr] *= 0.01
					}
					l[j+j*nr] = 2
				}
				gflops(b, inverseFlops(float64(w), float64(r)), func() { be.FrontInverse(ws, nr, w, l, nr, z, nr) })
			})
		}
	})
}

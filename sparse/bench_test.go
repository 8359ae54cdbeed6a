package sparse_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/gcrfbc/gcrfbc/sparse"
)

// randomGraph has n nodes and about edges edges between arbitrary nodes.
func randomGraph(n, edges int, weighted bool) *sparse.Graph {
	r := rand.New(rand.NewPCG(1, 2))
	b := sparse.NewBuilder(n, n)
	for range edges {
		if i, j := r.IntN(n), r.IntN(n); i != j {
			b.Add(i, j, 1+r.Float64())
		}
	}
	g := must(b.Graph(sparse.SumDuplicates))
	if !weighted {
		return must(sparse.NewGraphFromPattern(g.Pattern(), nil))
	}
	return g
}

func benchGraphs() map[string]*sparse.Graph {
	return map[string]*sparse.Graph{"grid": sparse.Grid2D(700, 700), "random": randomGraph(250_000, 1_000_000, true)}
}

func BenchmarkRead(b *testing.B) {
	for name, g := range benchGraphs() {
		for _, format := range []string{"mtx", "csv", "mtx.gz"} {
			var buf bytes.Buffer
			switch format {
			case "mtx":
				sparse.WriteMatrixMarket(&buf, g)
			case "csv":
				sparse.WriteEdgeList(&buf, g)
			case "mtx.gz":
				z := gzip.NewWriter(&buf)
				sparse.WriteMatrixMarket(z, g)
				z.Close()
			}
			b.Run(fmt.Sprintf("format=%s/graph=%s/edges=%d", format, name, g.NumEdges()), func(b *testing.B) {
				b.SetBytes(int64(buf.Len()))
				b.ReportAllocs()
				for b.Loop() {
					must(sparse.ReadGraph(bytes.NewReader(buf.Bytes()), "bench", sparse.ReadOptions{}))
				}
				b.ReportMetric(float64(g.NumEdges())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Medges/s")
			})
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	for name, g := range benchGraphs() {
		b.Run(fmt.Sprintf("format=mtx/graph=%s/edges=%d", name, g.NumEdges()), func(b *testing.B) {
			var buf bytes.Buffer
			for b.Loop() {
				buf.Reset()
				sparse.WriteMatrixMarket(&buf, g)
			}
			b.SetBytes(int64(buf.Len()))
		})
	}
}

// Bytes moved: values written once, weights and offsets read once per term.
func BenchmarkFamily(b *testing.B) {
	for name, g := range benchGraphs() {
		n := g.N()
		other := randomGraph(n, n, true)
		for kind, terms := range map[string][]sparse.Term{
			"one":    {sparse.Identity(n), sparse.Laplacian(g)},
			"shared": {sparse.Identity(n), sparse.Laplacian(g), sparse.Laplacian(g.DegreeNormalized())},
			"mixed":  {sparse.Identity(n), sparse.Laplacian(g), sparse.Laplacian(other)},
		} {
			f := must(sparse.NewFamily(n, terms...))
			size := 8*f.Pattern().NNZ() + 8*n
			for _, t := range terms {
				if t.Graph != nil {
					size += 8*n + 8*t.Graph.NumEdges()
					if !t.Graph.Pattern().Equal(f.Edges()) {
						size += 4 * t.Graph.NumEdges()
					}
				}
			}
			values, q := make([]float64, f.Pattern().NNZ()), make([]float64, f.Edges().NNZ())
			x, z := make([]float64, n), make([]float64, n)
			theta, dst := make([]float64, len(terms)), make([]float64, len(terms))
			for i := range theta {
				theta[i] = 1
			}
			tag := fmt.Sprintf("/graph=%s/terms=%s", name, kind)
			run := func(op string, fn func()) {
				b.Run("op="+op+tag, func(b *testing.B) {
					b.SetBytes(int64(size))
					b.ReportAllocs()
					for b.Loop() {
						fn()
					}
				})
			}
			run("assemble", func() { f.AssembleTo(values, theta) })
			run("trace", func() { f.TraceTo(dst, values) })
			run("quad", func() { f.QuadTo(dst, x, z) })
			run("edgedot", func() { f.EdgeDotTo(dst, q) })
			run("new", func() { must(sparse.NewFamily(n, terms...)) })
		}
	}
}

func BenchmarkMulVec(b *testing.B) {
	for name, g := range benchGraphs() {
		sym := g.Laplacian()
		csr := sym.CSR()
		x, y := make([]float64, g.N()), make([]float64, g.N())
		for _, threads := range []int{1, runtime.NumCPU()} {
			for kind, mul := range map[string]func(dst, x []float64){"csr": csr.MulVecTo, "symmetric": sym.MulVecTo} {
				b.Run(fmt.Sprintf("storage=%s/graph=%s/threads=%d", kind, name, threads), func(b *testing.B) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
					b.ReportAllocs()
					for b.Loop() {
						mul(y, x)
					}
					b.ReportMetric(2*float64(csr.NNZ())*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
				})
			}
		}
	}
}

package partial_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc/chol/partial"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// social is a small graph with a few nodes of high degree, as a family of
// matrices: θ₀ times the identity plus θ₁ times the Laplacian.
func social() *sparse.Family {
	const n = 600
	rng := rand.New(rand.NewPCG(1, 2))
	weight := map[[2]int]bool{}
	var edges []sparse.Edge
	for i := 1; i < n; i++ {
		for range 5 {
			j := int(float64(i) * math.Pow(rng.Float64(), 2)) // early nodes are preferred
			if !weight[[2]int{i, j}] {
				weight[[2]int{i, j}] = true
				edges = append(edges, sparse.Edge{I: i, J: j, W: 1})
			}
		}
	}
	g, err := sparse.NewGraph(n, edges)
	if err != nil {
		panic(err)
	}
	f, err := sparse.NewFamily(n, sparse.Identity(n), sparse.Laplacian(g))
	if err != nil {
		panic(err)
	}
	return f
}

// factorize returns a factor of θ₀I + θ₁L, and its values.
func factorize(family *sparse.Family, s *partial.Symbolic, theta ...float64) (*partial.Factor, []float64) {
	values := make([]float64, family.Pattern().NNZ())
	family.AssembleTo(values, theta)
	f := s.NewFactor()
	if err := f.Refactorize(context.Background(), values); err != nil {
		panic(err)
	}
	return f, values
}

// Many right-hand sides, eight side by side, and again from the last solution
// after the matrix has changed a little.
func ExampleFactor_SolveManyTo() {
	ctx := context.Background()
	family := social()
	s, err := partial.Analyze(ctx, family.Pattern(), partial.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, values := factorize(family, s, 0.1, 1)

	const k = 8
	n := family.N()
	b, x := make([]float64, k*n), make([]float64, k*n)
	for r := range k {
		b[r*n+r] = 1 // column r of the inverse
	}
	cold, err := f.SolveManyTo(ctx, x, b, k, 1e-8, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	family.AssembleTo(values, []float64{0.1001, 1})
	if err := f.Refactorize(ctx, values); err != nil { // the analysis is kept
		fmt.Println(err)
		return
	}
	warm, err := f.SolveManyTo(ctx, x, b, k, 1e-8, true)
	fmt.Println("solved:", err == nil && cold.Residual <= 1e-8 && warm.Residual <= 1e-8)
	fmt.Println("fewer iterations from the last solution:", warm.Iterations < cold.Iterations)
	// Output:
	// solved: true
	// fewer iterations from the last solution: true
}

// Log-determinants come with a standard error. Differences of two of them, with
// the same probes, are known better than either.
func ExampleFactor_LogDetRatio() {
	ctx := context.Background()
	family := social()
	s, err := partial.Analyze(ctx, family.Pattern(), partial.Options{Probes: 32})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, _ := factorize(family, s, 0.1, 1)
	a, _ := factorize(family, s, 0.3, 1)
	alone, err := a.LogDet(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	ratio, err := a.LogDetRatio(ctx, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := partial.Analyze(ctx, family.Pattern(), partial.Options{Cmax: partial.Exact})
	if err != nil {
		fmt.Println(err)
		return
	}
	exactP, _ := factorize(family, e, 0.1, 1)
	exactA, _ := factorize(family, e, 0.3, 1)
	exact, err := exactA.LogDetRatio(ctx, exactP)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("the ratio is known better:", ratio.StdErr < alone.StdErr)
	fmt.Println("within four standard errors:", math.Abs(ratio.Value-exact.Value) < 4*ratio.StdErr)
	fmt.Println("exact elimination has none:", exact.StdErr == 0)
	// Output:
	// the ratio is known better: true
	// within four standard errors: true
	// exact elimination has none: true
}

// The inverse's entries where the matrix has entries, without solves.
func ExampleFactor_SelectedInverse() {
	ctx := context.Background()
	family := social()
	trace := func(cmax int) (value float64) {
		s, err := partial.Analyze(ctx, family.Pattern(), partial.Options{Cmax: cmax})
		if err != nil {
			fmt.Println(err)
			return
		}
		f, _ := factorize(family, s, 0.1, 1)
		entries := make([]float64, family.Pattern().NNZ())
		if err := f.SelectedInverse(ctx, entries); err != nil {
			fmt.Println(err)
			return
		}
		traces := make([]float64, 2) // tr(A⁻¹), tr(L A⁻¹)
		family.TraceTo(traces, entries)
		return traces[0]
	}
	approximate, exact := trace(16), trace(partial.Exact)
	fmt.Printf("the variances' sum is off by less than 0.2 %%: %t\n", math.Abs(approximate/exact-1) < 2e-3)
	// Output:
	// the variances' sum is off by less than 0.2 %: true
}

// Samples with the same noise move smoothly with the matrix.
func ExampleFactor_SampleTo() {
	ctx := context.Background()
	family := social()
	s, err := partial.Analyze(ctx, family.Pattern(), partial.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := make([]float64, family.N()), make([]float64, family.N())
	for _, draw := range []struct {
		theta float64
		to    []float64
	}{{0.1, x}, {0.101, y}} {
		f, values := factorize(family, s, draw.theta, 1)
		rng := rand.New(rand.NewPCG(7, 7)) // the same noise
		if err := f.SampleTo(ctx, draw.to, values, rng, 1e-8); err != nil {
			fmt.Println(err)
			return
		}
	}
	apart, size := 0.0, 0.0
	for i := range x {
		apart += (x[i] - y[i]) * (x[i] - y[i])
		size += x[i] * x[i]
	}
	fmt.Println("they are close:", math.Sqrt(apart/size) < 0.01)
	// Output:
	// they are close: true
}

// What a factor will take, before it is computed, and how good its inverse is.
func ExampleFactor_Quality() {
	ctx := context.Background()
	family := social()
	for _, cmax := range []int{4, 16} {
		s, err := partial.Analyze(ctx, family.Pattern(), partial.Options{Cmax: cmax})
		if err != nil {
			fmt.Println(err)
			return
		}
		forecast := s.Forecast()
		f, _ := factorize(family, s, 0.1, 1)
		q, err := f.Quality(ctx, 16)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("cmax %d: %d nodes left, %d entries, average error below 1 %%: %t\n", s.Cmax(), s.CoreN(), forecast.NNZ, q < 0.01)
	}
	// Output:
	// cmax 4: 594 nodes left, 2930 entries, average error below 1 %: true
	// cmax 16: 297 nodes left, 8442 entries, average error below 1 %: true
}

package chol_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// path returns the pattern and values of a chain of n nodes: 2+ridge on the
// diagonal, -1 beside it.
func path(n int, ridge float64) (*sparse.Pattern, []float64) {
	ptr, idx, values := []int{0}, []int32{}, []float64{}
	for i := range n {
		if i > 0 {
			idx, values = append(idx, int32(i-1)), append(values, -1)
		}
		idx, values = append(idx, int32(i)), append(values, 2+ridge)
		ptr = append(ptr, len(idx))
	}
	p, err := sparse.NewPattern(n, n, ptr, idx)
	if err != nil {
		log.Fatal(err)
	}
	return p, values
}

// Factorize and solve a tridiagonal system.
func Example() {
	ctx := context.Background()
	p, values := path(4, 0)
	s, err := chol.Analyze(ctx, p, chol.Options{})
	if err != nil {
		log.Fatal(err)
	}
	f := s.NewFactor()
	if err := f.Refactorize(ctx, values); err != nil {
		log.Fatal(err)
	}
	x := make([]float64, 4)
	if err := f.SolveTo(x, []float64{1, 0, 0, 1}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("x = %.3f\n", x)
	fmt.Printf("log det = %.4f\n", f.LogDet()) // det = 5
	// Output:
	// x = [1.000 1.000 1.000 1.000]
	// log det = 1.6094
}

// The entries of the inverse on the pattern: variances on the diagonal,
// covariances of neighbours beside it.
func ExampleFactor_SelectedInverse() {
	ctx := context.Background()
	p, values := path(3, 0)
	s, err := chol.Analyze(ctx, p, chol.Options{})
	if err != nil {
		log.Fatal(err)
	}
	f := s.NewFactor()
	if err := f.Refactorize(ctx, values); err != nil {
		log.Fatal(err)
	}
	z := make([]float64, p.NNZ())
	if err := f.SelectedInverse(ctx, z); err != nil {
		log.Fatal(err)
	}
	for i := range 3 {
		for k, j := range p.Row(i) {
			fmt.Printf("Z[%d,%d] = %.2f\n", i, j, z[p.Ptr()[i]+k])
		}
	}
	// Output:
	// Z[0,0] = 0.75
	// Z[1,0] = 0.50
	// Z[1,1] = 1.00
	// Z[2,1] = 0.50
	// Z[2,2] = 0.75
}

// One analysis serves any number of matrices with its pattern.
func ExampleFactor_Refactorize() {
	ctx := context.Background()
	p, _ := path(1000, 0)
	s, err := chol.Analyze(ctx, p, chol.Options{Refactorizations: 3})
	if err != nil {
		log.Fatal(err)
	}
	f := s.NewFactor()
	for _, ridge := range []float64{0.01, 0.1, 1} {
		_, values := path(1000, ridge)
		if err := f.Refactorize(ctx, values); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("ridge %.2f: log det %.3f\n", ridge, f.LogDet())
	}
	// Output:
	// ridge 0.01: log det 101.667
	// ridge 0.10: log det 315.685
	// ridge 1.00: log det 962.581
}

// Ask what a factorization will cost before allocating it.
func ExampleSymbolic_Forecast() {
	p, _ := path(1000, 0)
	s, err := chol.Analyze(context.Background(), p, chol.Options{Ordering: chol.Natural, MaxBytes: 1 << 20})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("nonzeros of L:", s.Forecast().NNZL)
	fmt.Println("operations:", s.Flops())
	// Output:
	// nonzeros of L: 1999
	// operations: 3997
}

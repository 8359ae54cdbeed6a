package simd_test

import (
	"fmt"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

func ExampleLogistic() {
	p := make([]float64, 3)
	simd.Logistic(p, []float64{-1000, 0, 1000})
	fmt.Println(p)
	// Output: [0 0.5 1]
}

func ExampleScatterAddLower() {
	// A 2×2 lower triangle goes to rows and columns 0 and 2 of a 3×3 one.
	u := []float64{1, 2, 0, 3}
	f := make([]float64, 9)
	simd.ScatterAddLower(0, 2, u, 2, []int32{0, 2}, 0, f, 3)
	fmt.Println(f)
	// Output: [1 0 2 0 0 0 0 0 3]
}

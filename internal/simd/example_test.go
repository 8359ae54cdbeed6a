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

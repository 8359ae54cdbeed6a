package fixedpoint_test

import (
	"fmt"
	"math"

	"github.com/gcrfbc/gcrfbc/internal/fixedpoint"
)

// The fixed point of the cosine, by plain steps and with acceleration.
func Example() {
	solve := func(acc *fixedpoint.Accelerator) (x float64, evaluations int) {
		xs, gx := []float64{1}, []float64{0}
		for k := 1; ; k++ {
			gx[0] = math.Cos(xs[0])
			if math.Abs(gx[0]-xs[0]) < 1e-12 {
				return xs[0], k
			}
			if acc == nil {
				xs[0] = gx[0]
			} else {
				acc.Next(xs, gx)
			}
		}
	}
	x, plain := solve(nil)
	_, anderson := solve(fixedpoint.NewAnderson(1, 2))
	fmt.Printf("%.10f: fewer evaluations: %v\n", x, anderson < plain/3)
	// Output: 0.7390851332: fewer evaluations: true
}

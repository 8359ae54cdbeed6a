package picture

import (
	"math"
	"testing"
)

// TestSmoothed: averages over squares, at the edges over what is there of them.
func TestSmoothed(t *testing.T) {
	const H, W = 3, 4
	colours := make([]float64, H*W*3)
	for i := range colours {
		colours[i] = float64(i * i % 17)
	}
	if got := smoothed(colours, H, W, 0); &got[0] != &colours[0] {
		t.Error("radius 0 copies")
	}
	for _, radius := range []int{1, 2, 10, math.MaxInt} {
		got := smoothed(colours, H, W, radius)
		for i := range H {
			for j := range W {
				for c := range 3 {
					sum, n := 0.0, 0.0
					for k := range H {
						for l := range W {
							if max(k-i, i-k) <= radius && max(l-j, j-l) <= radius {
								sum += colours[(k*W+l)*3+c]
								n++
							}
						}
					}
					if v := got[(i*W+j)*3+c]; math.Abs(v-sum/n) > 1e-12 {
						t.Fatalf("radius %d, pixel (%d, %d): %v, want %v", radius, i, j, v, sum/n)
					}
				}
			}
		}
	}
}

package dense

import (
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// levels runs f at every instruction level of this machine and build.
func levels(t *testing.T, f func(t *testing.T)) {
	for l := simd.Go; l <= simd.Best(); l++ {
		t.Run("level="+l.String(), func(t *testing.T) {
			defer simd.SetLevel(simd.SetLevel(l))
			f(t)
		})
	}
}

func TestNative(t *testing.T) {
	levels(t, func(t *testing.T) { conformance(t, Native{}) })
}

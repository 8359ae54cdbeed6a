//go:build arm64 || ppc64 || ppc64le || s390x || riscv64 || loong64

package simd

import "math"

// fma is x*y + z in one rounding, an instruction on these processors.
func fma(x, y, z float64) float64 { return math.FMA(x, y, z) }

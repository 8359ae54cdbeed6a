//go:build !(arm64 || ppc64 || ppc64le || s390x || riscv64 || loong64)

package simd

// fma is x*y + z in two roundings: where a fused one may have to be emulated
// the definitions do without. The conversion keeps compilers from fusing some
// of them, so that all elements are treated alike.
func fma(x, y, z float64) float64 { return float64(x*y) + z }

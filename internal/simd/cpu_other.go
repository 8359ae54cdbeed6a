//go:build !amd64 || noasm

package simd

func detect() Level { return Go }

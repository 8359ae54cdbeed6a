//go:build !amd64 || noasm

package kernel

func scatter(n int, rows *int32, u, x, v *float64) { scatterGo(n, rows, u, x, v) }

func gather(n int, rows *int32, u, x, sum *float64) { gatherGo(n, rows, u, x, sum) }

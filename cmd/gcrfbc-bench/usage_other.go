//go:build !unix

package main

import (
	"runtime"
	"time"
)

var processStart = time.Now()

// cpuSeconds returns wall time: there is no portable CPU time here.
func cpuSeconds() float64 { return time.Since(processStart).Seconds() }

// peakMegabytes returns the memory that the runtime took from the system.
func peakMegabytes() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys) / (1 << 20)
}

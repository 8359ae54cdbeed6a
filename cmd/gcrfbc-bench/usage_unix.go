//go:build unix

package main

import (
	"runtime"
	"syscall"
)

func usage() syscall.Rusage {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r) // cannot fail with these arguments
	return r
}

// cpuSeconds returns the CPU time that the process has used so far.
func cpuSeconds() float64 {
	r := usage()
	return float64(r.Utime.Sec+r.Stime.Sec) + 1e-6*float64(r.Utime.Usec+r.Stime.Usec)
}

// peakMegabytes returns the largest resident size of the process so far.
func peakMegabytes() float64 {
	unit := 1024.0 // kilobytes on Linux and the BSDs, bytes on Apple's systems
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		unit = 1
	}
	return float64(usage().Maxrss) * unit / (1 << 20)
}

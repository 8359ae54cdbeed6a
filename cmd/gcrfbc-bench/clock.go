package main

import (
	"slices"
	"time"
)

// clock collects repeated measurements of one phase: wall and CPU seconds (user
// and system, all threads).
type clock struct {
	wall, cpu []float64
	total     float64
}

// measure runs f once and records its time.
func (c *clock) measure(f func() error) error {
	cpu, began := cpuSeconds(), time.Now()
	if err := f(); err != nil {
		return err
	}
	w := time.Since(began).Seconds()
	c.wall = append(c.wall, w)
	c.cpu = append(c.cpu, cpuSeconds()-cpu)
	c.total += w
	return nil
}

// repeat measures f until at least 3 runs are in and budget seconds are spent, at
// most limit times.
func (c *clock) repeat(limit int, budget float64, f func() error) error {
	for len(c.wall) < 3 || len(c.wall) < limit && c.total < budget {
		if err := c.measure(f); err != nil {
			return err
		}
	}
	return nil
}

// median returns the median of v, 0 of nothing.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Clone(v)
	slices.Sort(s)
	if h := len(s) / 2; len(s)%2 == 0 {
		return (s[h-1] + s[h]) / 2
	}
	return s[len(s)/2]
}

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
	return c.runs(3, limit, budget, f)
}

// runs is repeat with at least the given number of runs.
func (c *clock) runs(least, most int, budget float64, f func() error) error {
	for len(c.wall) < least || len(c.wall) < most && c.total < budget {
		if err := c.measure(f); err != nil {
			return err
		}
	}
	return nil
}

// put writes what was measured into the fields of a record; see package record.
func (c *clock) put(fields map[string]any, name string) {
	if len(c.wall) == 0 {
		return
	}
	fields[name+"_s"], fields[name+"_min_s"], fields[name+"_cpu_s"] = median(c.wall), slices.Min(c.wall), median(c.cpu)
	fields[name+"_runs"], fields[name+"_all_s"] = len(c.wall), slices.Clone(c.wall)
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

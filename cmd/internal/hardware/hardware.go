// Package hardware asks the system how much memory and how many processors the
// process may have.
package hardware

import (
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Memory returns the bytes of physical memory, 0 where it cannot be read.
func Memory() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) { // MemTotal:       24559444 kB
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
			if kb, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				return kb << 10
			}
		}
	}
	return 0
}

// UsableMemory returns four fifths of the memory that the process may have, of the
// machine or of its control group, 0 where it cannot be known.
func UsableMemory() int64 {
	limit := Memory()
	if _, b := Limits("/"); b > 0 && (limit == 0 || b < limit) {
		limit = b
	}
	return limit / 10 * 8
}

// Limits returns the processors and bytes that the control group of the process
// allows, 0 where there is no limit; root is "/" but for tests. A group is bound by
// those above it too.
func Limits(root string) (cpus float64, memory int64) {
	groups, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return 0, 0
	}
	var bytes float64
	lower := func(limit *float64, v float64, err error) {
		if err == nil && v > 0 && (*limit == 0 || v < *limit) {
			*limit = v
		}
	}
	parse := func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
	for line := range strings.Lines(string(groups)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3) // 0::/path, or 4:memory:/path
		if len(f) != 3 {
			continue
		}
		for group := path.Clean("/" + f[2]); ; group = path.Dir(group) {
			at := func(controller, file string) string {
				return FirstLine(filepath.Join(root, "sys/fs/cgroup", controller, group, file))
			}
			if f[1] == "" {
				if quota, period, ok := strings.Cut(at("", "cpu.max"), " "); ok {
					q, err := parse(quota) // "max": no limit
					p, _ := parse(period)
					lower(&cpus, q/max(p, 1), err)
				}
				v, err := parse(at("", "memory.max"))
				lower(&bytes, v, err)
			}
			for controller := range strings.SplitSeq(f[1], ",") {
				switch controller {
				case "cpu":
					q, err := parse(at(controller, "cpu.cfs_quota_us")) // −1: no limit
					p, _ := parse(at(controller, "cpu.cfs_period_us"))
					lower(&cpus, q/max(p, 1), err)
				case "memory":
					if v, err := parse(at(controller, "memory.limit_in_bytes")); v < 1<<60 { // beyond: no limit
						lower(&bytes, v, err)
					}
				}
			}
			if group == "/" || group == "." {
				break
			}
		}
	}
	return cpus, int64(min(bytes, math.MaxInt64/2))
}

// FirstLine returns the first line of a file, nothing where it cannot be read.
func FirstLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return line
}

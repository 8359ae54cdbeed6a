package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

// memoryFlag is a number of bytes, 0 for no limit.
type memoryFlag struct{ bytes int64 }

func (m *memoryFlag) Type() string { return "size" }

func (m *memoryFlag) String() string {
	if m.bytes == 0 {
		return "0"
	}
	return formatBytes(m.bytes)
}

var units = []struct {
	name string
	size float64
}{
	{"KIB", 1 << 10}, {"MIB", 1 << 20}, {"GIB", 1 << 30}, {"TIB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"B", 1},
}

func (m *memoryFlag) Set(s string) error {
	number, size := strings.ToUpper(strings.TrimSpace(s)), 1.0
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, size = strings.TrimSpace(rest), u.size
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v >= 0) || v*size >= math.MaxInt64 {
		return fmt.Errorf("want a size such as 8GB or 512MiB, or 0 for no limit")
	}
	m.bytes = int64(v * size)
	return nil
}

func formatBytes(b int64) string {
	switch v := float64(b); {
	case v >= 1e9:
		return strconv.FormatFloat(v/1e9, 'f', 1, 64) + "GB"
	case v >= 1e6:
		return strconv.FormatFloat(v/1e6, 'f', 0, 64) + "MB"
	default:
		return strconv.FormatInt(b, 10) + "B"
	}
}

// defaultMemory is 80 % of the physical memory where it can be read, else no limit.
func defaultMemory() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		// MemTotal:       24559444 kB
		if rest, ok := strings.CutPrefix(sc.Text(), "MemTotal:"); ok {
			if fields := strings.Fields(rest); len(fields) == 2 && fields[1] == "kB" {
				if kb, err := strconv.ParseInt(fields[0], 10, 64); err == nil {
					return kb * 1024 / 10 * 8
				}
			}
		}
	}
	return 0
}

// Package bytesize reads and writes sizes of memory, such as 8GB and 512MiB.
package bytesize

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

var units = []struct {
	name string
	size float64
}{
	{"KIB", 1 << 10}, {"MIB", 1 << 20}, {"GIB", 1 << 30}, {"TIB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"B", 1},
}

// Parse reads a size; a number without a unit is of bytes. The case of letters does
// not matter.
func Parse(s string) (int64, error) {
	number, size := strings.ToUpper(strings.TrimSpace(s)), 1.0
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, size = strings.TrimSpace(rest), u.size
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v >= 0) || v*size >= math.MaxInt64 {
		return 0, fmt.Errorf("want a size such as 8GB or 512MiB, or 0 for no limit")
	}
	return int64(math.Round(v * size)), nil
}

// Format writes a size in the largest decimal unit below it.
func Format(b int64) string {
	switch v := float64(b); {
	case v >= 1e9:
		return strconv.FormatFloat(v/1e9, 'f', 1, 64) + "GB"
	case v >= 1e6:
		return strconv.FormatFloat(v/1e6, 'f', 0, 64) + "MB"
	default:
		return strconv.FormatInt(b, 10) + "B"
	}
}

// Flag is a size as the value of a command line flag (pflag.Value), 0 for no limit.
type Flag struct{ Bytes int64 }

// Type names the kind of value in help.
func (f *Flag) Type() string { return "size" }

func (f *Flag) String() string {
	if f.Bytes == 0 {
		return "0"
	}
	return Format(f.Bytes)
}

// Set reads a size.
func (f *Flag) Set(s string) (err error) {
	v, err := Parse(s)
	if err == nil {
		f.Bytes = v
	}
	return err
}

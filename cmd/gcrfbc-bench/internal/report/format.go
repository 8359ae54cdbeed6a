package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"

	"gonum.org/v1/gonum/stat"
)

// missing stands where there is no number.
const missing = "–"

// fixed formats with a number of decimals, or as missing.
func fixed(v float64, decimals int) Cell {
	if math.IsNaN(v) {
		return num(missing, v)
	}
	return num(strconv.FormatFloat(v, 'f', decimals, 64), v)
}

// digits formats with a number of significant digits, or as missing.
func digits(v float64, n int) Cell {
	if math.IsNaN(v) {
		return num(missing, v)
	}
	if v != 0 && (math.Abs(v) < 1e-4 || math.Abs(v) >= 1e7) {
		return num(strconv.FormatFloat(v, 'e', n-1, 64), v)
	}
	return num(strconv.FormatFloat(v, 'g', n, 64), v)
}

// duration formats seconds in the unit that suits.
func duration(s float64) Cell {
	text := missing
	switch {
	case math.IsNaN(s):
	case s < 1e-3:
		text = fmt.Sprintf("%.3g µs", 1e6*s)
	case s < 1:
		text = fmt.Sprintf("%.3g ms", 1e3*s)
	default:
		text = fmt.Sprintf("%.3g s", s)
	}
	return num(text, s)
}

// spread formats mean ± standard deviation.
func spread(v []float64, decimals int) Cell {
	if len(v) == 0 {
		return num(missing, math.NaN())
	}
	mean, sd := stat.MeanStdDev(v, nil)
	f := func(x float64) string { return strconv.FormatFloat(x, 'f', decimals, 64) }
	if len(v) == 1 {
		return num(f(mean), mean)
	}
	return num(f(mean)+" ± "+f(sd), mean)
}

// count formats a whole number with thin spaces between thousands.
func count(v float64) Cell {
	if math.IsNaN(v) {
		return num(missing, v)
	}
	s := strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u2009" + s[i:]
	}
	return num(s, v)
}

// value returns a number of a record, NaN if there is none.
func value(r record.Record, key string) float64 {
	if v, ok := r.Float(key); ok {
		return v
	}
	return math.NaN()
}

// percent formats a fraction.
func percent(v float64) Cell {
	if math.IsNaN(v) {
		return num(missing, v)
	}
	return num(fmt.Sprintf("%.1f %%", 100*v), v)
}

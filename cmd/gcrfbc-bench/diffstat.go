package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// comparisonOf is what two samples of one quantity say.
type comparisonOf struct {
	old, now  benchmath.Summary // median of all runs with its interval, by order statistics
	n         [2]int            // runs
	records   [2]int            // records that they are from, as a rule of different processes
	ratio     float64           // of the medians, new to old
	low, high float64           // its interval
	best      float64           // ratio of the smallest values, of the largest where more is better
	p         float64           // test of no difference
	adjusted  float64           // p for all comparisons together
	between   bool              // interval and p are of the records' medians, not of the runs
	verdict   verdict
}

type verdict string

// Verdicts.
const (
	better  verdict = "better"
	worse   verdict = "worse"
	noise   verdict = "~"            // no difference beyond the noise
	fewRuns verdict = "too few runs" // no number of these could show a difference
)

const (
	alpha        = 0.05
	confidence   = 0.95
	resamples    = 2000
	leastRecords = 3 // on both sides, to see how processes differ
)

// compareSamples compares two samples, each a list of records' runs; the verdict is
// left for judge. From three records a side on, what counts is how much their medians
// differ: runs of one process share its conditions, as its place in memory and what
// else the machine did.
func compareSamples(old, now [][]float64, lowerIsBetter bool) comparisonOf {
	thresholds := benchmath.DefaultThresholds
	thresholds.CompareAlpha = alpha
	a, b := benchmath.NewSample(slices.Concat(old...), &thresholds), benchmath.NewSample(slices.Concat(now...), &thresholds)
	c := comparisonOf{old: benchmath.AssumeNothing.Summary(a, confidence), now: benchmath.AssumeNothing.Summary(b, confidence),
		n: [2]int{len(a.Values), len(b.Values)}, records: [2]int{len(old), len(now)}}
	c.ratio, c.best = c.now.Center/c.old.Center, b.Values[0]/a.Values[0]
	if !lowerIsBetter {
		c.best = b.Values[len(b.Values)-1] / a.Values[len(a.Values)-1]
	}
	if c.between = min(len(old), len(now)) >= leastRecords; c.between {
		c.ratio, c.low, c.high, c.p = betweenRecords(old, now)
	} else {
		c.low, c.high = ratioInterval(a.Values, b.Values)
		c.p = benchmath.AssumeNothing.Compare(a, b).P
	}
	c.adjusted = c.p
	return c
}

// betweenRecords compares the logarithms of the records' medians by Welch's t test (B.
// L. Welch, The generalization of Student's problem, Biometrika 1947). The ratio is
// that of their geometric means.
func betweenRecords(old, now [][]float64) (ratio, low, high, p float64) {
	moments := func(list [][]float64) (mean, variance, n float64) {
		logs := make([]float64, len(list))
		for i, runs := range list {
			logs[i] = math.Log(median(runs))
		}
		mean, variance = stat.MeanVariance(logs, nil)
		return mean, variance / float64(len(logs)), float64(len(logs))
	}
	m0, v0, n0 := moments(old)
	m1, v1, n1 := moments(now)
	d, se := m1-m0, math.Sqrt(v0+v1)
	if se == 0 { // identical medians in all records
		p = 1
		if d != 0 {
			p = 0
		}
		return math.Exp(d), math.Exp(d), math.Exp(d), p
	}
	t := distuv.StudentsT{Sigma: 1, Nu: (v0 + v1) * (v0 + v1) / (v0*v0/(n0-1) + v1*v1/(n1-1))}
	half := t.Quantile((1+confidence)/2) * se
	return math.Exp(d), math.Exp(d - half), math.Exp(d + half), 2 * t.CDF(-math.Abs(d)/se)
}

// ratioInterval returns the 95 % percentile interval of the ratio of medians of
// samples drawn with replacement (B. Efron, Bootstrap methods: another look at the
// jackknife, Annals of Statistics 1979). The same samples give the same interval.
func ratioInterval(old, now []float64) (low, high float64) {
	rng := rand.New(rand.NewPCG(1979, 7))
	ratios := make([]float64, resamples)
	draw := func(dst, v []float64) float64 {
		for i := range dst {
			dst[i] = v[rng.IntN(len(v))]
		}
		slices.Sort(dst)
		h := len(dst) / 2
		if len(dst)%2 == 0 {
			return (dst[h-1] + dst[h]) / 2
		}
		return dst[h]
	}
	a, b := make([]float64, len(old)), make([]float64, len(now))
	for i := range ratios {
		ratios[i] = draw(b, now) / draw(a, old)
	}
	slices.Sort(ratios)
	tail := int(math.Round((1 - confidence) / 2 * resamples))
	return ratios[tail], ratios[resamples-1-tail]
}

// separable reports whether the test could tell samples of n1 and n2 runs apart: the
// smallest p is 2 over the number of ways to mix them.
func separable(n1, n2 int) bool {
	ways := 1.0
	for i := 1; i <= n1; i++ {
		ways *= float64(n2+i) / float64(i)
	}
	return 2/ways <= alpha
}

// testable reports whether the test could find a difference.
func (c *comparisonOf) testable() bool {
	return !math.IsNaN(c.p) && (c.between || separable(c.n[0], c.n[1]))
}

// judge gives verdicts. The p-values are adjusted for their number, so that of all
// differences found about 5 % at most are none (Y. Benjamini, Y. Hochberg,
// Controlling the false discovery rate, JRSS B 1995). A difference counts if its
// adjusted p is below .05, the interval of the ratio excludes 1, it is at least the
// threshold, and the best runs, which other load disturbs least, differ by half of it
// in the same direction.
func judge(list []*comparisonOf, lowerIsBetter []bool, threshold float64) {
	var tested []*comparisonOf
	for _, c := range list {
		if c.testable() {
			tested = append(tested, c)
		}
	}
	slices.SortFunc(tested, func(a, b *comparisonOf) int { return cmp.Compare(a.p, b.p) })
	least := 1.0
	for i := len(tested) - 1; i >= 0; i-- {
		least = min(least, tested[i].p*float64(len(tested))/float64(i+1))
		tested[i].adjusted = least
	}
	for i, c := range list {
		found := c.adjusted < alpha && (c.low > 1 && c.ratio >= 1+threshold && c.best >= 1+threshold/2 ||
			c.high < 1 && c.ratio <= 1-threshold && c.best <= 1-threshold/2)
		switch {
		case !c.testable():
			c.verdict = fewRuns
		case !found:
			c.verdict = noise
		case c.ratio < 1 == lowerIsBetter[i]:
			c.verdict = better
		default:
			c.verdict = worse
		}
	}
}

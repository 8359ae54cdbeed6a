package learn

import (
	"math"
	"time"
)

// timeLeft estimates how long a run still takes from the trend of its projected
// gradient: quasi-Newton methods take it down by about a constant factor an
// iteration, so its logarithm is followed over the last iterations.
type timeLeft struct {
	target float64 // projected gradient at which the run ends
	least  float64 // smallest so far
	times  [trend]time.Duration
	logs   [trend]float64 // log of least
	count  int
}

const trend = 12 // iterations

// add takes an iterate's projected gradient at time t of the run, and returns
// the time left, or 0 while it is unknown.
func (e *timeLeft) add(t time.Duration, gradient float64) time.Duration {
	if e.count == 0 || gradient < e.least {
		e.least = gradient
	}
	now := e.count % trend
	e.times[now], e.logs[now] = t, math.Log(e.least)
	e.count++
	if e.count < 4 || !(e.least > e.target) || !(e.target > 0) {
		return 0
	}
	then := 0
	if e.count > trend {
		then = e.count % trend
	}
	fall := e.logs[then] - e.logs[now]
	left := float64(t-e.times[then]) * math.Log(e.least/e.target) / fall
	if !(fall > 0) || !(left < float64(1000*time.Hour)) {
		return 0
	}
	return time.Duration(left)
}

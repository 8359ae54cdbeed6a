package learn

import (
	"math"
	"testing"
	"time"
)

// TestTimeLeft: with a gradient that falls by a constant factor an iteration the
// estimate is exact; where it does not fall it is unknown.
func TestTimeLeft(t *testing.T) {
	e := timeLeft{target: 1e-6}
	for k := range 40 {
		left := e.add(time.Duration(k)*time.Second, 10*math.Pow(0.7, float64(k)))
		want := math.Log(10*math.Pow(0.7, float64(k))/1e-6) / -math.Log(0.7)
		if k >= 3 && math.Abs(left.Seconds()-want) > 1e-6 {
			t.Errorf("iteration %d: %v left, want %.3f s", k, left, want)
		}
		if k < 3 && left != 0 {
			t.Errorf("iteration %d: %v left from next to nothing", k, left)
		}
	}
	e = timeLeft{target: 1e-6}
	for k := range 30 {
		if left := e.add(time.Duration(k)*time.Second, 1+float64(k%3)); left != 0 {
			t.Errorf("iteration %d: %v left while nothing falls", k, left)
		}
	}
	if left := e.add(time.Minute, 0); left != 0 {
		t.Errorf("%v left at a gradient of 0", left)
	}
}

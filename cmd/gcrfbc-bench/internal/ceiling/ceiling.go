package ceiling

import (
	"context"
	"sync"
	"time"
)

// Side calls f(worker) on every one of threads goroutines at once, again and again
// until each has worked for the given time, and returns the calls and the seconds
// from the first begin to the last end.
func Side(ctx context.Context, threads int, each time.Duration, f func(worker int)) (calls int, seconds float64) {
	var wg sync.WaitGroup
	begin := make(chan struct{})
	counts := make([]int, threads)
	for w := range threads {
		wg.Go(func() {
			<-begin
			n := 0
			for began := time.Now(); n == 0 || time.Since(began) < each && ctx.Err() == nil; n++ {
				f(w)
			}
			counts[w] = n
		})
	}
	began := time.Now()
	close(begin)
	wg.Wait()
	seconds = time.Since(began).Seconds()
	for _, n := range counts {
		calls += n
	}
	return calls, seconds
}

// FMA returns the rate of fused multiply-adds, 10⁹ operations a second of all
// threads together, of runs that take the given time each.
func FMA(ctx context.Context, threads, runs int, each time.Duration) []float64 {
	constants := make([][]float64, threads)
	for w := range constants {
		constants[w] = make([]float64, 8) // a cache line of its own
		constants[w][0], constants[w][1] = .5, .5
	}
	const rounds = 4096
	chains := multiplyAdd(1, constants[0])
	rates := make([]float64, 0, runs)
	for range runs {
		if ctx.Err() != nil {
			break
		}
		calls, seconds := Side(ctx, threads, each, func(w int) { multiplyAdd(rounds, constants[w]) })
		rates = append(rates, 1e-9*float64(calls)*rounds*4*2*float64(chains)/seconds)
	}
	return rates
}

// Triad returns the rate of a = b + s c on arrays of the given number of elements in
// all, shared out among the threads: 10⁹ bytes a second, 24 an element as STREAM
// counts; what a cache reads before it writes comes on top.
func Triad(ctx context.Context, threads, runs, elements int, each time.Duration) []float64 {
	const chunk = 1 << 14 // elements a call between looks at the clock
	own := max(1, elements/(threads*chunk)) * chunk
	arrays := make([][3][]float64, threads)
	var wg sync.WaitGroup
	for w := range arrays {
		wg.Go(func() { // the thread that uses memory touches it first
			for i := range arrays[w] {
				a := make([]float64, own)
				for j := range a {
					a[j] = 1
				}
				arrays[w][i] = a
			}
		})
	}
	wg.Wait()
	at := make([]struct {
		next int
		_    [7]int // a cache line of its own
	}, threads)
	rates := make([]float64, 0, runs)
	for range runs {
		if ctx.Err() != nil {
			break
		}
		calls, seconds := Side(ctx, threads, each, func(w int) {
			lo := at[w].next
			hi := lo + chunk
			at[w].next = hi % own
			triad(.5, arrays[w][0][lo:hi], arrays[w][1][lo:hi], arrays[w][2][lo:hi])
		})
		rates = append(rates, 1e-9*float64(calls)*chunk*24/seconds)
	}
	return rates
}

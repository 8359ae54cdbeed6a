// Package pool runs numbered blocks of work on a fixed number of goroutines.
//
// Blocks are handed out in order but may finish in any; callers that need the
// same bits for any number of workers write results per block and reduce them
// in block order.
package pool

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Threads returns n, or GOMAXPROCS when n is zero or negative.
func Threads(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Run calls fn(worker, block) for every block in [0, blocks) on at most
// threads goroutines, worker in [0, threads). It stops handing out blocks when
// ctx ends or a block fails and returns the failure of the lowest block that
// ran, so that an error does not depend on timing more than it must. With one
// thread everything runs on the calling goroutine.
func Run(ctx context.Context, threads, blocks int, fn func(worker, block int) error) error {
	if threads > blocks {
		threads = blocks
	}
	if threads <= 1 {
		for b := range blocks {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fn(0, b); err != nil {
				return err
			}
		}
		return nil
	}
	var (
		next   atomic.Int64
		failed atomic.Bool
		mu     sync.Mutex
		first  = blocks
		err    error
		wg     sync.WaitGroup
	)
	for w := range threads {
		wg.Go(func() {
			for !failed.Load() && ctx.Err() == nil {
				b := int(next.Add(1) - 1)
				if b >= blocks {
					return
				}
				if e := fn(w, b); e != nil {
					failed.Store(true)
					mu.Lock()
					if b < first {
						first, err = b, e
					}
					mu.Unlock()
					return
				}
			}
		})
	}
	wg.Wait()
	if err == nil {
		err = ctx.Err()
	}
	return err
}

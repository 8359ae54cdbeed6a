package partial

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gcrfbc/gcrfbc/internal/pool"
)

// partWork is the work, in additions, that a goroutine takes at a time where
// columns depend on each other. Little of it waits for the part before.
const partWork = 1 << 13

// divide cuts the columns into parts of about equal work.
func (s *Symbolic) divide() {
	cut := func(n int, work func(k int) int) []int32 {
		parts, sum := []int32{0}, 0
		for k := range n {
			if sum += 16 + work(k); sum >= partWork || k == n-1 {
				parts, sum = append(parts, int32(k+1)), 0
			}
		}
		return parts
	}
	s.coreParts = cut(s.n-s.first, func(c int) int { return s.triPtr[c+1] - s.triPtr[c] + s.corePtr[c+1] - s.corePtr[c] })
	s.exactParts = cut(s.first, func(k int) int {
		d := s.colPtr[k+1] - s.colPtr[k]
		return d * d
	})
}

// progress says which columns are done.
type progress struct {
	column []atomic.Uint32 // done when equal to round
	part   []atomic.Uint32
	round  uint32
}

func newProgress(parts []int32) *progress {
	return &progress{column: make([]atomic.Uint32, parts[len(parts)-1]), part: make([]atomic.Uint32, len(parts))}
}

// downward runs fn for all columns, the last one first. A column may read what
// fn wrote for the columns rows(k) > k; rows at or beyond the number of columns
// were there before. Each column is written by one goroutine from the same
// numbers, so results do not depend on threads.
//
// Parts are taken in order, and a goroutine waits for a column where it needs
// it: the first part that is not done never has to wait.
func (p *progress) downward(ctx context.Context, threads int, parts []int32, rows func(k int) []int32, fn func(worker, k int)) error {
	n := len(parts) - 1
	p.round++
	var states [64]struct {
		done int // parts before this one are done
		_    [56]byte
	}
	threads = min(threads, len(states))
	return pool.Run(ctx, threads, n, func(w, b int) error {
		done := &states[w].done
		for *done < b && p.part[*done].Load() == p.round {
			*done++
		}
		known := parts[n-*done] // columns from here on are done
		for k := int(parts[n-b]) - 1; k >= int(parts[n-b-1]); k-- {
			if threads > 1 {
				for _, r := range rows(k) {
					if r >= known {
						break
					}
					for spin := 0; p.column[r].Load() != p.round; spin++ {
						switch {
						case spin > 300: // the other goroutine may have lost its processor
							time.Sleep(20 * time.Microsecond)
						case spin > 100:
							runtime.Gosched()
						}
					}
				}
			}
			fn(w, k)
			p.column[k].Store(p.round)
		}
		p.part[b].Store(p.round)
		return nil
	})
}

package sparse

import (
	"io"
	"sync"
)

// readAhead reads in a goroutine of its own, a few blocks ahead: inflating
// takes longer than parsing, and the two then run side by side.
type readAhead struct {
	full, free chan []byte
	stop       chan struct{}
	done       sync.WaitGroup
	err        error // of the reader; set before full is closed
	block      []byte
	rest       []byte
}

const aheadBlock = 1 << 17

func newReadAhead(r io.Reader) *readAhead {
	a := &readAhead{full: make(chan []byte, 2), free: make(chan []byte, 2), stop: make(chan struct{})}
	a.free <- make([]byte, aheadBlock)
	a.free <- make([]byte, aheadBlock)
	a.done.Go(func() {
		defer close(a.full)
		for {
			var b []byte
			select {
			case b = <-a.free:
			case <-a.stop:
				return
			}
			n, err := 0, error(nil)
			for n < cap(b) && err == nil {
				var k int
				k, err = r.Read(b[n:cap(b)])
				n += k
			}
			a.full <- b[:n] // never blocks: as many places as blocks
			if err != nil {
				a.err = err
				return
			}
		}
	})
	return a
}

func (a *readAhead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.block != nil {
			a.free <- a.block
			a.block = nil
		}
		b, ok := <-a.full
		if !ok {
			return 0, a.err
		}
		a.block, a.rest = b, b
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// close ends the goroutine and waits for it, so that the caller may close the
// file it reads from.
func (a *readAhead) close() {
	close(a.stop)
	a.done.Wait()
}

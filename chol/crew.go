package chol

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/gcrfbc/gcrfbc/internal/dense"
)

// crewPool keeps the working storage of calls between them, so that repeated
// calls allocate nothing and factors of one analysis share it.
type crewPool struct {
	mu   sync.Mutex
	free []*crew
}

func (p *crewPool) get(s *Symbolic) *crew {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := len(p.free) - 1; k >= 0 {
		c := p.free[k]
		p.free = p.free[:k]
		return c
	}
	return newCrew(s)
}

func (p *crewPool) put(c *crew) {
	c.job = nil
	p.mu.Lock()
	p.free = append(p.free, c)
	p.mu.Unlock()
}

// job is what a crew does to the items of the plan.
type job interface {
	// run processes the supernodes of an item.
	run(w *worker, it *item)
}

// crew is the state of one call: a fixed set of workers that share the items
// of the plan. Items become ready when the items below (up) or above (down)
// them are done.
type crew struct {
	sym          *Symbolic
	workers      []worker
	common       []float64 // the shared arena
	y, commonVec []float64 // solves

	ctx  context.Context
	done <-chan struct{}
	job  job
	up   bool
	stop atomic.Bool  // cancelled
	fail atomic.Int64 // lowest supernode or column that failed; those above it are skipped

	// The pivot that failed there, under mu.
	badColumn int
	badPivot  float64

	mu    sync.Mutex
	cond  sync.Cond
	waits []int32 // by item: what it still waits for
	ready []int32 // stack of items other than tasks in order
	next  int     // next task (up only)
	left  int     // items not done
	open  int     // workers whose loop may need help

	task    func(*crew, *worker) // what the workers run
	working sync.WaitGroup

	// Job states, here so that a call allocates nothing.
	factorJob  factorJob
	inverseJob inverseJob
	solveJob   solveJob
	moving     moving

	columnFactor  columnFactor
	columnInverse columnInverse
	columnSolve   columnSolve
}

// worker is one goroutine's storage.
type worker struct {
	crew  *crew
	start func() // runs the crew's task: made once, as a goroutine's function is allocated
	arena []float64
	vec   []float64 // temporaries of solves
	kids  []int32
	ws    dense.Workspace
	tick  int // work until ctx is looked at again
	loop  loop
	big   bigFront
}

// loop is a parallel loop over the blocks of one large front.
type loop struct {
	next    atomic.Int32
	n       int32
	step    bigStep
	open    bool // under crew.mu
	helpers int  // under crew.mu
}

func newCrew(s *Symbolic) *crew {
	c := &crew{sym: s, workers: make([]worker, s.plan.threads), waits: make([]int32, len(s.plan.items))}
	c.cond.L = &c.mu
	for k := range c.workers {
		w := &c.workers[k]
		w.crew = c
		w.start = func() {
			defer c.working.Done()
			c.task(c, w)
		}
	}
	return c
}

// each runs task on the first workers and returns when all have.
func (c *crew) each(workers int, task func(*crew, *worker)) {
	c.task = task
	c.working.Add(workers - 1)
	for k := 1; k < workers; k++ {
		go c.workers[k].start()
	}
	task(c, &c.workers[0])
	c.working.Wait()
}

// need makes the arenas large enough for matrices. They are allocated once for
// factorizations, and once more if inverses take more.
func (c *crew) need(size arena) {
	grow(&c.common, size.common)
	for k := range c.workers {
		grow(&c.workers[k].arena, size.worker)
	}
}

func grow(a *[]float64, size int) {
	if len(*a) < size {
		*a = nil // may be freed before
		*a = make([]float64, size)
	}
}

const noFailure = int64(1) << 62

// failed records that the pivot of a column in supernode (or column) at is bad.
func (c *crew) failed(at int64, column int, pivot float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at < c.fail.Load() {
		c.fail.Store(at)
		c.badColumn, c.badPivot = column, pivot
	}
}

// process runs the job on all items and returns ctx's error if it ended early.
func (c *crew) process(ctx context.Context, j job, up bool, workers int) error {
	p := c.sym.plan
	c.ctx, c.done, c.job, c.up = ctx, ctx.Done(), j, up
	c.stop.Store(false)
	c.fail.Store(noFailure)
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(p.items) == 1 && (workers == 1 || !p.share) {
		w := &c.workers[0]
		w.tick = 0
		j.run(w, &p.items[0])
		return c.finish()
	}
	c.left, c.next, c.open, c.ready = len(p.items), 0, 0, c.ready[:0]
	for k := range p.items {
		it := &p.items[k]
		if up {
			c.waits[k] = it.waits
		} else {
			c.waits[k] = min(1, it.parent+1)
		}
		if c.waits[k] == 0 && (!up || k >= p.tasks) {
			c.ready = append(c.ready, int32(k))
		}
	}
	if !up {
		c.next = p.tasks
	}
	c.each(workers, (*crew).work)
	return c.finish()
}

func (c *crew) finish() error {
	ctx := c.ctx
	c.ctx, c.done = nil, nil
	if c.stop.Load() {
		return ctx.Err()
	}
	return nil
}

// work takes items, or helps with large fronts, until all items are done.
func (c *crew) work(w *worker) {
	p := c.sym.plan
	w.tick = 0
	idle := 0
	c.mu.Lock()
	for {
		k := int32(-1)
		switch {
		case len(c.ready) > 0:
			k = c.ready[len(c.ready)-1]
			c.ready = c.ready[:len(c.ready)-1]
		case c.next < p.tasks:
			k = int32(c.next)
			c.next++
		}
		if k < 0 {
			if c.left == 0 {
				break
			}
			if l, owner := c.openLoop(); l != nil {
				l.helpers++
				c.mu.Unlock()
				l.run(w, owner)
				c.mu.Lock()
				if l.helpers--; l.helpers == 0 && !l.open {
					c.cond.Broadcast()
				}
				idle = 0
				continue
			}
			if idle++; idle < spins {
				c.mu.Unlock()
				runtime.Gosched()
				c.mu.Lock()
				continue
			}
			c.cond.Wait()
			continue
		}
		idle = 0
		for k >= 0 {
			c.mu.Unlock()
			if !c.stop.Load() {
				c.job.run(w, &p.items[k])
			}
			c.mu.Lock()
			k = c.complete(k)
		}
	}
	c.cond.Broadcast()
	c.mu.Unlock()
}

// spins is how often an idle worker looks again before it sleeps; a step of a
// large front is shorter than waking a goroutine.
const spins = 100

// complete marks an item done and returns one that this makes ready, or -1.
func (c *crew) complete(k int32) int32 {
	it := &c.sym.plan.items[k]
	c.left--
	if c.left == 0 {
		c.cond.Broadcast()
	}
	if c.up {
		if it.parent >= 0 {
			if c.waits[it.parent]--; c.waits[it.parent] == 0 {
				return it.parent
			}
		}
		return -1
	}
	if len(it.kids) == 0 {
		return -1
	}
	// Kids are tasks by decreasing cost, then top nodes: continue with the
	// last, leave the others.
	last := len(it.kids) - 1
	c.ready = append(c.ready, it.kids[:last]...)
	if last > 0 {
		c.cond.Broadcast()
	}
	return it.kids[last]
}

// openLoop returns a loop with blocks left. Called with mu held.
func (c *crew) openLoop() (*loop, *worker) {
	if c.open == 0 {
		return nil, nil
	}
	for k := range c.workers {
		w := &c.workers[k]
		if w.loop.open && w.loop.next.Load() < w.loop.n {
			return &w.loop, w
		}
	}
	return nil, nil
}

// run executes blocks of owner's front with the storage of w.
func (l *loop) run(w, owner *worker) {
	for {
		k := l.next.Add(1) - 1
		if k >= l.n {
			return
		}
		owner.big.block(w, l.step, int(k))
	}
}

// blocks executes the n blocks of a step of w's large front, with the help of
// idle workers, and returns when all are done.
func (w *worker) blocks(step bigStep, n int) {
	c := w.crew
	if n <= 1 || !c.sym.plan.share {
		for k := range n {
			w.big.block(w, step, k)
		}
		return
	}
	l := &w.loop
	c.mu.Lock()
	l.n, l.step, l.open = int32(n), step, true
	l.next.Store(0)
	c.open++
	c.cond.Broadcast()
	c.mu.Unlock()
	l.run(w, w)
	c.mu.Lock()
	l.open = false
	c.open--
	for spin := 0; l.helpers > 0; spin++ {
		if spin < spins {
			c.mu.Unlock()
			runtime.Gosched()
			c.mu.Lock()
			continue
		}
		c.cond.Wait()
	}
	c.mu.Unlock()
}

// cancelled reports whether to stop; work is the operations since the last
// call, so that ctx is looked at about every 0.1 ms.
func (w *worker) cancelled(work int) bool {
	c := w.crew
	if c.done == nil {
		return false
	}
	if w.tick -= work; w.tick > 0 {
		return false
	}
	w.tick = 4 << 20
	if c.stop.Load() {
		return true
	}
	select {
	case <-c.done:
		c.stop.Store(true)
		return true
	default:
		return false
	}
}

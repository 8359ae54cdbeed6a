package dense

import "github.com/gcrfbc/gcrfbc/internal/simd"

// A front too large for one worker is computed in blocks of rows between
// barriers. The blocks follow from the sizes alone and each is computed by the
// serial kernels, so the bits are the same for any Runner; they differ from
// those of FrontFactor and FrontInverse, which sum in another order.

// Task is a numbered set of independent blocks.
type Task interface {
	// Do computes one block with the workspace of one worker.
	Do(worker, block int)
}

// Runner executes tasks on some number of workers.
type Runner interface {
	// Run calls t.Do(worker, block) once for each block in [0, blocks), no two
	// at a time for one worker, and returns when all are done.
	Run(blocks int, t Task)
}

// Serial is the Runner of one worker.
type Serial struct{}

// Run does the blocks in order.
func (Serial) Run(blocks int, t Task) {
	for b := range blocks {
		t.Do(0, b)
	}
}

const (
	// rowBlock is the height of a block of rows, columnBlock the width of one
	// of columns, panelBlock the width of a panel of pivot columns. All are
	// multiples of Tile.
	rowBlock    = 192
	columnBlock = 48
	panelBlock  = 96
)

func blocks(rows int) int { return (rows + rowBlock - 1) / rowBlock }

// stage is what the blocks of a front's task compute next.
type stage int

const (
	solvePanel     stage = iota // rows below a diagonal block: B L⁻ᵀ
	updateTrailing              // the pivot columns still to come
	updateFront                 // u −= L21 L21ᵀ
	multiplyL                   // rows of Y = L21 L11⁻¹
	multiplyZ                   // rows of Z21 = −Z22 Y
	multiplyY                   // columns of Z11
)

// frontTask is the state of one front's computation; it lives in the first
// worker's Workspace so that running it allocates nothing.
type frontTask struct {
	ws    []*Workspace
	stage stage
	nr, w int // of the front, or of its part below and right of column j
	j, nb int // the panel
	a, u  []float64
	lda   int
	ldu   int
	t     []float64 // see start
	wp    int
}

// Do computes one block of rows, counted from the bottom: the lowest rows of a
// triangle are the longest.
func (f *frontTask) Do(worker, block int) {
	ws := f.ws[worker]
	switch f.stage {
	case solvePanel:
		i0, i1 := rowRange(block, f.nr-f.j-f.nb)
		d := f.j + f.j*f.lda
		trsmRight(ws, i1-i0, f.nb, f.a[d:], f.lda, f.a[d+f.nb+i0:], f.lda)
	case updateTrailing:
		e := f.j + f.nb
		i0, i1 := rowRange(block, f.nr-e)
		lowerRows(ws, i0, i1, f.w-e, f.nb, f.a[e+f.j*f.lda:], f.lda, f.a[e+e*f.lda:], f.lda)
	case updateFront:
		i0, i1 := rowRange(block, f.nr-f.w)
		lowerRows(ws, i0, i1, f.nr-f.w, f.w, f.a[f.w:], f.lda, f.u, f.ldu)
	case multiplyL:
		i0, i1 := rowRange(block, f.nr-f.w)
		f.rowsY(ws, i0, i1)
	case multiplyZ:
		i0, i1 := rowRange(block, f.nr-f.w)
		f.rowsZ(ws, i0, i1)
	case multiplyY:
		j := block * columnBlock
		f.columnsZ(ws, j, min(f.w, j+columnBlock))
	}
}

// rowRange is the rows of a block, the last first.
func rowRange(block, rows int) (i0, i1 int) {
	b := blocks(rows) - 1 - block
	return b * rowBlock, min(rows, (b+1)*rowBlock)
}

// lowerRows computes rows i0..i1 of the first n columns of the lower triangle
// of C −= A Aᵀ.
func lowerRows(ws *Workspace, i0, i1, n, k int, a []float64, lda int, c []float64, ldc int) {
	left := operand{form: plain, a: a[i0:], ld: lda}
	product(ws, i1-i0, min(i0, n), k, -1, left, a, lda, 1, c[i0:], ldc, 0)
	if i0 < n {
		product(ws, i1-i0, min(i1, n)-i0, k, -1, left, a[i0:], lda, 1, c[i0+i0*ldc:], ldc, simd.Lower)
	}
}

// task returns the task of the first workspace. All of ws are distinct and
// none nil.
func task(ws []*Workspace) *frontTask {
	if len(ws) == 0 {
		panic("dense: no workspace")
	}
	return &ws[0].task
}

// done drops the references to the caller's memory.
func (f *frontTask) done() { *f = frontTask{} }

// FrontFactorParallel is FrontFactor by the workers of run, worker i with
// ws[i].
func FrontFactorParallel(run Runner, ws []*Workspace, nr, w int, a []float64, lda int, u []float64, ldu int) (info int) {
	checkMat(nr, w, a, lda)
	if w > nr {
		panic("dense: front wider than tall")
	}
	checkMat(nr-w, nr-w, u, ldu)
	f := task(ws)
	*f = frontTask{ws: ws, nr: nr, w: w, a: a, lda: lda, u: u, ldu: ldu}
	defer f.done()
	for j := 0; j < w; j += panelBlock {
		f.j, f.nb = j, min(panelBlock, w-j)
		e := j + f.nb
		if i := factorPanel(ws[0], f.nb, f.nb, a[j+j*lda:], lda); i >= 0 {
			return j + i
		}
		if e < nr {
			f.stage = solvePanel
			run.Run(blocks(nr-e), f)
		}
		if e < w {
			f.stage = updateTrailing
			run.Run(blocks(nr-e), f)
		}
	}
	if nr > w && w > 0 {
		f.stage = updateFront
		run.Run(blocks(nr-w), f)
	}
	return -1
}

// FrontInverseParallel is FrontInverse by the workers of run, worker i with
// ws[i].
func FrontInverseParallel(run Runner, ws []*Workspace, nr, w int, l []float64, ldl int, z []float64, ldz int) {
	checkMat(nr, w, l, ldl)
	checkMat(nr, nr, z, ldz)
	if w > nr {
		panic("dense: front wider than tall")
	}
	if w == 0 {
		return
	}
	f := task(ws)
	defer f.done()
	nb := split(w, inverseBlock(nr), Tile)
	for j := (w - 1) / nb * nb; j >= 0; j -= nb {
		n := nr - j
		*f = frontTask{ws: ws, nr: n, w: min(nb, w-j), a: l[j+j*ldl:], lda: ldl, u: z[j+j*ldz:], ldu: ldz}
		f.start(ws[0])
		if n > f.w {
			f.stage = multiplyL
			run.Run(blocks(n-f.w), f)
			f.stage = multiplyZ
			run.Run(blocks(n-f.w), f)
		}
		f.stage = multiplyY
		run.Run((f.w+columnBlock-1)/columnBlock, f)
	}
}

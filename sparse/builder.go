package sparse

import "fmt"

// Duplicates says what a Builder does with an entry given more than once. The
// zero value is an error, so that summing is always asked for.
type Duplicates uint8

const (
	ErrorOnDuplicates Duplicates = iota // return an *EntryError
	SumDuplicates                       // add the values, in the order given
)

// Builder collects entries in any order and compresses them into a CSR, a
// Symmetric or a Graph. It takes 16 bytes an entry (8 while all values are 1)
// and never copies as it grows. The zero value is not usable; see NewBuilder.
type Builder struct {
	rows, cols int
	t          triplets
	err        error // the first bad entry; reported when building
}

// NewBuilder starts a rows×cols matrix.
func NewBuilder(rows, cols int) *Builder {
	return &Builder{rows: rows, cols: cols, err: checkDims(rows, cols)}
}

// Add appends entry (i, j) with value v, zeros included. An index outside the
// matrix is remembered and reported by the building method.
func (b *Builder) Add(i, j int, v float64) {
	if uint(i) >= uint(b.rows) || uint(j) >= uint(b.cols) || b.err != nil {
		if b.err == nil {
			b.err = &EntryError{Row: i, Col: j, Fault: FaultRange, Msg: fmt.Sprintf("outside a %d×%d matrix", b.rows, b.cols)}
		}
		return
	}
	b.t.add(int32(i), int32(j), v)
}

// Len returns the number of entries added so far, duplicates included.
func (b *Builder) Len() int { return b.t.n }

// CSR compresses the entries into rows. The builder stays usable.
func (b *Builder) CSR(d Duplicates) (*CSR, error) {
	p, v, err := b.compress(d, asGiven)
	if err != nil {
		return nil, err
	}
	return &CSR{p, v}, nil
}

// Symmetric compresses the entries into a symmetric matrix. Entries (i, j) and
// (j, i) are the same entry: give each pair once, in either triangle; giving
// both counts as a duplicate.
func (b *Builder) Symmetric(d Duplicates) (*Symmetric, error) {
	if err := b.square(); err != nil {
		return nil, err
	}
	p, v, err := b.compress(d, folded)
	if err != nil {
		return nil, err
	}
	return &Symmetric{p, v}, nil
}

// Graph compresses the entries into an undirected graph: entry (i, j) with
// value w is the edge {i, j} of weight w. (i, j) and (j, i) are the same edge.
// Self loops and weights that are negative or not finite are errors.
func (b *Builder) Graph(d Duplicates) (*Graph, error) {
	if err := b.square(); err != nil {
		return nil, err
	}
	p, v, err := b.compress(d, folded)
	if err != nil {
		return nil, err
	}
	return NewGraphFromPattern(p, v)
}

func (b *Builder) square() error {
	if b.err == nil && b.rows != b.cols {
		return &ShapeError{What: "number of columns", Got: b.cols, Want: b.rows}
	}
	return b.err
}

func (b *Builder) compress(d Duplicates, s side) (*Pattern, []float64, error) {
	if b.err != nil {
		return nil, nil, b.err
	}
	p, v, dup := b.t.compress(b.rows, b.cols, s, d == SumDuplicates)
	if dup != nil {
		msg := "given twice; remove one, or build with SumDuplicates"
		if s == folded && dup.row != dup.col {
			msg = "given twice ((i, j) and (j, i) are the same entry); remove one, or build with SumDuplicates"
		}
		return nil, nil, &EntryError{Row: int(dup.row), Col: int(dup.col), Fault: FaultDuplicate, Msg: msg}
	}
	return p, v, nil
}

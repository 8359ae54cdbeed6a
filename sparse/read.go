package sparse

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// ReadOptions says what a reader may take for granted. The zero value works.
type ReadOptions struct {
	// N is the number of nodes of a graph. An edge list does not say it; 0
	// takes the largest index plus one. A Matrix Market file that declares
	// another size is an error. Matrix readers do not use it.
	N int
	// MaxNodes limits the number of rows, columns or nodes that a file may
	// declare, since empty rows cost memory too. 0 allows 2^24 plus 64 for
	// every entry: enough for real graphs, while a slip in one number of a
	// small file does not allocate gigabytes. N stands above it.
	MaxNodes int
}

func (o ReadOptions) limit(entries int) int {
	if o.MaxNodes > 0 {
		return max(o.MaxNodes, o.N)
	}
	return max(1<<24+64*entries, o.N)
}

// entries collects what a file gives, and remembers on which lines.
type entries struct {
	t     triplets
	lines []lineMark
}

// lineMark says that entries from ordinal on lie shift lines further down than
// their ordinal. Files without blank or comment lines need one.
type lineMark struct{ ordinal, shift int }

func (e *entries) add(line int, i, j int32, v float64) {
	if shift := line - e.t.n; len(e.lines) == 0 || e.lines[len(e.lines)-1].shift != shift {
		e.lines = append(e.lines, lineMark{e.t.n, shift})
	}
	e.t.add(i, j, v)
}

// linesOf finds the first two lines that give entry (i, j), or with either
// also (j, i). It is slow and for messages only.
func (e *entries) linesOf(i, j int, either bool) (first, second int) {
	mark := 0
	e.t.each(func(k int, a, b int32, _ float64) bool {
		for mark+1 < len(e.lines) && e.lines[mark+1].ordinal <= k {
			mark++
		}
		if int(a) == i && int(b) == j || either && int(a) == j && int(b) == i {
			if first > 0 {
				second = k + e.lines[mark].shift
				return false
			}
			first = k + e.lines[mark].shift
		}
		return true
	})
	return first, second
}

// duplicate reports an entry given twice; base is 1 where the file's indices
// count from 1.
func (e *entries) duplicate(l *lineReader, d *duplicate, either bool, base int) error {
	i, j := int(d.row), int(d.col)
	first, second := e.linesOf(i, j, either)
	also := ""
	if either && i != j {
		also = fmt.Sprintf("; (%d, %d) and (%d, %d) are the same", i+base, j+base, j+base, i+base)
	}
	l.line = second
	return l.fail(0, FaultDuplicate, "entry (%d, %d) was already given on line %d%s; give it once", i+base, j+base, first, also)
}

// ReadGraph reads a weighted undirected graph, plain or gzip-compressed (told
// by its first bytes); name stands in error messages. The format is told by
// the content:
//
//   - Matrix Market coordinate, pattern (weights 1), real or integer. A
//     symmetric file gives every edge once, in either triangle; a general file
//     must give (i, j) and (j, i) with equal weights. Indices count from 1.
//   - An edge list, comma-separated with a header: i,j or u,v or source,target
//     or from,to, then, if there are weights, w or weight. Indices count from
//     0, every edge is given once, in either direction; lines that start with
//     # are comments.
//
// Weights must be finite and ≥ 0; edges of weight 0 are kept. Self loops and
// duplicates are errors. Errors are *ParseError. Reading takes 8 bytes an edge
// (16 with weights) besides the graph itself.
func ReadGraph(r io.Reader, name string, opts ReadOptions) (*Graph, error) {
	if opts.N < 0 || opts.N > maxDim {
		return nil, checkDims(opts.N, opts.N)
	}
	l, err := newLineReader(r, name)
	if err != nil {
		return nil, err
	}
	defer l.close()
	line, ok, err := l.nextContent('#')
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, l.fail(0, FaultBanner, "the file is empty; it needs a %%%%MatrixMarket banner or an edge-list header such as i,j,w")
	}
	if line[skipBlank(line, 0)] == '%' {
		return readMarketGraph(l, line, opts)
	}
	return readEdgeList(l, line, opts)
}

// ReadGraphFile opens and reads a graph; see ReadGraph.
func ReadGraphFile(path string, opts ReadOptions) (*Graph, error) {
	return readFile(path, opts, ReadGraph)
}

func readFile[T any](path string, opts ReadOptions, read func(io.Reader, string, ReadOptions) (T, error)) (T, error) {
	f, err := os.Open(path)
	if err != nil {
		var zero T
		return zero, &ParseError{File: path, Fault: FaultRead, Msg: strings.TrimPrefix(err.Error(), "open "+path+": "), Err: err}
	}
	defer f.Close()
	return read(f, path, opts)
}

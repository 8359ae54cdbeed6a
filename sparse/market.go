package sparse

import (
	"io"
	"strings"
)

// marketHeader is the banner and the size line of a coordinate file.
type marketHeader struct {
	pattern, symmetric bool
	rows, cols, nnz    int
	sizeLine           int
}

// readMarketHeader takes the banner line and reads on to the size line.
func readMarketHeader(l *lineReader, banner []byte) (h marketHeader, err error) {
	const want = "want %%MatrixMarket matrix coordinate pattern|real|integer general|symmetric"
	f := strings.Fields(strings.ToLower(string(banner)))
	switch {
	case len(f) == 0 || f[0] != "%%matrixmarket":
		return h, l.fail(1, FaultBanner, "no %%%%MatrixMarket banner; %s", want)
	case len(f) != 5 || f[1] != "matrix":
		return h, l.fail(1, FaultBanner, "incomplete banner; %s", want)
	case f[2] != "coordinate":
		return h, l.fail(1, FaultBanner, "format %q is not supported; %s", f[2], want)
	case f[3] != "pattern" && f[3] != "real" && f[3] != "integer":
		return h, l.fail(1, FaultBanner, "field %q is not supported; %s", f[3], want)
	case f[4] != "general" && f[4] != "symmetric":
		return h, l.fail(1, FaultBanner, "symmetry %q is not supported; %s", f[4], want)
	}
	h.pattern, h.symmetric = f[3] == "pattern", f[4] == "symmetric"

	line, ok, err := l.nextContent('%')
	if err != nil {
		return h, err
	}
	if !ok {
		return h, l.fail(0, FaultSize, "no size line; after the banner comes: rows columns entries")
	}
	h.sizeLine = l.line
	p := 0
	for k, to := range [...]*int{&h.rows, &h.cols, &h.nnz} {
		p = skipBlank(line, p)
		v, next := scanIndex(line, p)
		if next == p || next < len(line) && line[next] != ' ' && line[next] != '\t' {
			return h, l.fail(p+1, FaultSize, "bad size line; it must be three whole numbers: rows columns entries")
		}
		if k < 2 && v > maxDim {
			return h, l.fail(p+1, FaultSize, "size %s is beyond the limit of %d (32-bit indices)", word(line, p), maxDim)
		}
		*to, p = v, next
	}
	if p = skipBlank(line, p); p < len(line) {
		return h, l.fail(p+1, FaultSize, "bad size line; it must be three whole numbers: rows columns entries")
	}
	if h.symmetric && h.rows != h.cols {
		return h, l.fail(0, FaultSize, "a symmetric matrix cannot be %d×%d; make the size square or the file general", h.rows, h.cols)
	}
	return h, nil
}

// readMarketEntries reads the entries as they come: what the size line
// declares is checked, never allocated. With graph set, values must be legal
// weights and the diagonal empty.
func readMarketEntries(l *lineReader, h marketHeader, graph bool, e *entries) error {
	for {
		line, ok, err := l.nextContent('%')
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if e.t.n == h.nnz {
			return l.fail(0, FaultCount, "more entries than the %d declared on line %d; correct the size line", h.nnz, h.sizeLine)
		}
		i, p, err := marketIndex(l, line, 0, h.rows, "row")
		if err != nil {
			return err
		}
		j, p, err := marketIndex(l, line, p, h.cols, "column")
		if err != nil {
			return err
		}
		at, v := skipBlank(line, p), 1.0
		if !h.pattern {
			if at == len(line) {
				return l.fail(0, FaultSyntax, "no value; an entry is: row column value (or declare the field as pattern)")
			}
			if v, p, err = l.float(line, at); err != nil {
				return err
			}
		}
		if end := skipBlank(line, p); end < len(line) {
			return l.fail(end+1, FaultSyntax, "more fields than the banner declares")
		}
		if graph {
			if err := l.checkEdge(i-1, j-1, v, at, 1); err != nil {
				return err
			}
		}
		e.add(l.line, int32(i-1), int32(j-1), v)
	}
	if e.t.n < h.nnz {
		return l.fail(0, FaultCount, "the file ends after %d of the %d entries declared on line %d; it may be cut off, or correct the size line", e.t.n, h.nnz, h.sizeLine)
	}
	return nil
}

// marketIndex reads an index, 1…bound.
func marketIndex(l *lineReader, line []byte, p, bound int, what string) (v, next int, err error) {
	p = skipBlank(line, p)
	v, next = scanIndex(line, p)
	if next == p || next < len(line) && line[next] != ' ' && line[next] != '\t' {
		switch {
		case p == len(line):
			return 0, 0, l.fail(0, FaultSyntax, "no %s; an entry is: row column, and a value unless the field is pattern", what)
		case line[p] == '-':
			return 0, 0, l.fail(p+1, FaultRange, "%s %s is outside 1…%d; indices count from 1", what, word(line, p), bound)
		}
		return 0, 0, l.fail(p+1, FaultNumber, "%q is not a %s index; use whole numbers from 1", word(line, p), what)
	}
	if v < 1 || v > bound {
		return 0, 0, l.fail(p+1, FaultRange, "%s %s is outside 1…%d; indices count from 1", what, word(line, p), bound)
	}
	return v, next, nil
}

// startMarket reads header and entries of a matrix.
func startMarket(l *lineReader, opts ReadOptions) (h marketHeader, e *entries, err error) {
	line, ok, err := l.nextContent('#')
	if err != nil {
		return h, nil, err
	}
	if !ok {
		return h, nil, l.fail(0, FaultBanner, "the file is empty; it needs a %%%%MatrixMarket banner")
	}
	if h, err = readMarketHeader(l, line); err != nil {
		return h, nil, err
	}
	e = new(entries)
	if err = readMarketEntries(l, h, false, e); err != nil {
		return h, nil, err
	}
	return h, e, checkLimit(l, h, e, opts)
}

func checkLimit(l *lineReader, h marketHeader, e *entries, opts ReadOptions) error {
	if lim := opts.limit(e.t.n); max(h.rows, h.cols) > lim {
		l.line = h.sizeLine
		return l.fail(0, FaultSize, "%d×%d is beyond the limit of %d for %d entries; if it is right, raise MaxNodes", h.rows, h.cols, lim, e.t.n)
	}
	return nil
}

// ReadMatrixMarket reads a coordinate file (pattern with values 1, real or
// integer; general or symmetric), plain or gzip-compressed, told by its first
// bytes. A symmetric file gives every pair once and is expanded to both
// triangles. Values must be finite; an entry given twice is an error. name
// stands in error messages, which are *ParseError. ReadOptions.N is not used.
func ReadMatrixMarket(r io.Reader, name string, opts ReadOptions) (*CSR, error) {
	l, err := newLineReader(r, name)
	if err != nil {
		return nil, err
	}
	defer l.close()
	h, e, err := startMarket(l, opts)
	if err != nil {
		return nil, err
	}
	if h.symmetric {
		a, err := compressSymmetric(l, h, e)
		if err != nil {
			return nil, err
		}
		return a.CSR(), nil
	}
	p, v, dup := e.t.compress(h.rows, h.cols, asGiven, false)
	if dup != nil {
		return nil, e.duplicate(l, dup, false, 1)
	}
	return &CSR{p, v}, nil
}

// ReadMatrixMarketFile opens and reads a matrix; see ReadMatrixMarket.
func ReadMatrixMarketFile(path string, opts ReadOptions) (*CSR, error) {
	return readFile(path, opts, ReadMatrixMarket)
}

// ReadSymmetricMatrixMarket is ReadMatrixMarket for a symmetric matrix. A
// general file must give (i, j) and (j, i) with equal values.
func ReadSymmetricMatrixMarket(r io.Reader, name string, opts ReadOptions) (*Symmetric, error) {
	l, err := newLineReader(r, name)
	if err != nil {
		return nil, err
	}
	defer l.close()
	h, e, err := startMarket(l, opts)
	if err != nil {
		return nil, err
	}
	return compressSymmetric(l, h, e)
}

// ReadSymmetricMatrixMarketFile opens and reads a symmetric matrix.
func ReadSymmetricMatrixMarketFile(path string, opts ReadOptions) (*Symmetric, error) {
	return readFile(path, opts, ReadSymmetricMatrixMarket)
}

func readMarketGraph(l *lineReader, banner []byte, opts ReadOptions) (*Graph, error) {
	h, err := readMarketHeader(l, banner)
	if err != nil {
		return nil, err
	}
	if opts.N > 0 && (h.rows != opts.N || h.cols != opts.N) {
		return nil, l.fail(0, FaultSize, "the graph is %d×%d, but there are %d nodes; check that the files belong together", h.rows, h.cols, opts.N)
	}
	var e entries
	if err := readMarketEntries(l, h, true, &e); err != nil {
		return nil, err
	}
	if err := checkLimit(l, h, &e, opts); err != nil {
		return nil, err
	}
	a, err := compressSymmetric(l, h, &e)
	if err != nil {
		return nil, err
	}
	return l.graph(a.p, a.v)
}

// compressSymmetric makes the lower triangle, comparing it with the upper one
// if the file holds both.
func compressSymmetric(l *lineReader, h marketHeader, e *entries) (*Symmetric, error) {
	if h.rows != h.cols {
		l.line = h.sizeLine
		return nil, l.fail(0, FaultSize, "a symmetric matrix or graph cannot be %d×%d", h.rows, h.cols)
	}
	if h.symmetric {
		p, v, dup := e.t.compress(h.rows, h.cols, folded, false)
		if dup != nil {
			return nil, e.duplicate(l, dup, true, 1)
		}
		return &Symmetric{p, v}, nil
	}
	p, v, dup := e.t.compress(h.rows, h.cols, lowerOnly, false)
	if dup != nil {
		return nil, e.duplicate(l, dup, false, 1)
	}
	q, u, dup := e.t.compress(h.rows, h.cols, upperOnly, false)
	if dup != nil {
		dup.row, dup.col = dup.col, dup.row
		return nil, e.duplicate(l, dup, false, 1)
	}
	for i := range p.rows {
		low, up := p.Row(i), q.Row(i)
		if k := len(low) - 1; k >= 0 && int(low[k]) == i {
			low = low[:k]
		}
		for k := range max(len(low), len(up)) {
			switch {
			case k >= len(up) || k < len(low) && low[k] < up[k]:
				return nil, e.unpaired(l, i, int(low[k]))
			case k >= len(low) || up[k] < low[k]:
				return nil, e.unpaired(l, int(up[k]), i)
			case v[p.ptr[i]+k] != u[q.ptr[i]+k]:
				j := int(low[k])
				a, _ := e.linesOf(i, j, false)
				b, _ := e.linesOf(j, i, false)
				l.line = max(a, b)
				return nil, l.fail(0, FaultAsymmetric, "(%d, %d) is %v on line %d, but (%d, %d) is %v on line %d; they must be equal", i+1, j+1, v[p.ptr[i]+k], a, j+1, i+1, u[q.ptr[i]+k], b)
			}
		}
	}
	return &Symmetric{p, v}, nil
}

// unpaired reports an entry of a general file without its mirror image.
func (e *entries) unpaired(l *lineReader, i, j int) error {
	l.line, _ = e.linesOf(i, j, false)
	return l.fail(0, FaultAsymmetric, "(%d, %d) is given, but not (%d, %d); add it, or declare the file symmetric and give each pair once", i+1, j+1, j+1, i+1)
}

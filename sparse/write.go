package sparse

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Storable are the types that WriteMatrixMarket writes.
type Storable interface{ *CSR | *Symmetric | *Graph }

// WriteMatrixMarket writes a coordinate file: a CSR as general, a Symmetric
// and a Graph as symmetric by their lower triangles; a graph whose weights are
// all 1 as pattern, everything else as real. Values are written with the
// fewest digits that read back to the same bits; one that is not finite is an
// *EntryError.
func WriteMatrixMarket[M Storable](w io.Writer, m M) error {
	var p *Pattern
	var v []float64
	symmetry := "symmetric"
	switch m := any(m).(type) {
	case *CSR:
		p, v, symmetry = m.p, m.v, "general"
	case *Symmetric:
		p, v = m.p, m.v
	case *Graph:
		p = m.p
		if !m.unit() {
			v = m.w
		}
	}
	field := "real"
	if v == nil {
		field = "pattern"
	}
	head := fmt.Sprintf("%%%%MatrixMarket matrix coordinate %s %s\n%d %d %d\n", field, symmetry, p.rows, p.cols, p.NNZ())
	return writeEntries(w, head, p, v, 1, ' ')
}

// WriteEdgeList writes comma-separated edges with the header i,j,w, or i,j if
// all weights are 1; nodes count from 0. Isolated nodes beyond the last edge's
// are not in such a file: reading it back needs ReadOptions.N.
func WriteEdgeList(w io.Writer, g *Graph) error {
	if g.unit() {
		return writeEntries(w, "i,j\n", g.p, nil, 0, ',')
	}
	return writeEntries(w, "i,j,w\n", g.p, g.w, 0, ',')
}

// WriteGraphFile writes a graph as path's extension says: .mtx or .csv,
// compressed if .gz follows.
func WriteGraphFile(path string, g *Graph) (err error) {
	base, zipped := strings.CutSuffix(path, ".gz")
	write := WriteEdgeList
	switch {
	case strings.HasSuffix(base, ".mtx"):
		write = WriteMatrixMarket[*Graph]
	case !strings.HasSuffix(base, ".csv"):
		return fmt.Errorf("sparse: %s: unknown extension; use .mtx or .csv, with .gz to compress", path)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	if !zipped {
		return write(f, g)
	}
	z := gzip.NewWriter(f)
	if err := write(z, g); err != nil {
		return err
	}
	return z.Close()
}

// unit reports whether there is nothing but weight 1.
func (g *Graph) unit() bool {
	for _, w := range g.w {
		if w != 1 {
			return false
		}
	}
	return true
}

func writeEntries(w io.Writer, head string, p *Pattern, v []float64, base int, sep byte) error {
	out := bufio.NewWriterSize(w, 1<<16)
	out.WriteString(head) // bufio keeps the first error for Flush
	for i := range p.rows {
		for k := p.ptr[i]; k < p.ptr[i+1]; k++ {
			b := strconv.AppendInt(out.AvailableBuffer(), int64(i+base), 10)
			b = append(b, sep)
			b = strconv.AppendInt(b, int64(p.idx[k])+int64(base), 10)
			if v != nil {
				if v[k]-v[k] != 0 {
					return &EntryError{Row: i, Col: int(p.idx[k]), Fault: FaultNotFinite, Msg: fmt.Sprintf("value %v has no place in a file", v[k])}
				}
				b = strconv.AppendFloat(append(b, sep), v[k], 'g', -1, 64)
			}
			if _, err := out.Write(append(b, '\n')); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

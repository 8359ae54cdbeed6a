package dataio

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// ReadGraphSpec reads "file" or "file,normalized": a Matrix Market file or an
// edge list, gzipped or not, or a sparse matrix saved by SciPy, told apart by
// their content; normalized turns it into D^-½ W D^-½. n is the number of rows of
// the node table of the given name. Faults inside the file are [*sparse.ParseError], others [*Error].
func ReadGraphSpec(spec string, n int, table string) (*sparse.Graph, gcrfbc.GraphInfo, error) {
	path, normalized, err := splitSpec(spec)
	info := gcrfbc.GraphInfo{Name: filepath.Base(path), Normalized: normalized}
	if err != nil {
		return nil, info, err
	}
	g, err := readGraph(path, n, table)
	if err != nil {
		return nil, info, err
	}
	if normalized {
		g = g.DegreeNormalized()
	}
	return g, info, nil
}

func readGraph(path string, n int, table string) (*sparse.Graph, error) {
	if isArchive(path) {
		return readSciPy(path, n, table)
	}
	// An edge list does not say its size: nodes after its largest index have no
	// edge. A Matrix Market file does, and is refused if it is another.
	g, err := sparse.ReadGraphFile(path, sparse.ReadOptions{N: n})
	if err != nil {
		return nil, graphError(path, n, table, err)
	}
	return g, nil
}

// splitSpec takes the option off a graph's name, which may hold commas itself.
func splitSpec(spec string) (path string, normalized bool, err error) {
	if path, ok := strings.CutSuffix(spec, ",normalized"); ok {
		return path, true, nil
	}
	k := strings.LastIndexByte(spec, ',')
	if k < 0 {
		return spec, false, nil
	}
	if _, err := os.Stat(spec); err == nil {
		return spec, false, nil
	}
	path = spec[:k]
	return path, false, &Error{File: path, Msg: fmt.Sprintf("unknown option %s; want %s or %s,normalized", quote(spec[k+1:]), path, path)}
}

// graphError says which files do not belong together when a graph is sound in
// itself but has other nodes than the table.
func graphError(path string, n int, table string, err error) error {
	var pe *sparse.ParseError
	if !errors.As(err, &pe) {
		return err
	}
	switch pe.Fault {
	case sparse.FaultRead:
		return &Error{File: path, Msg: "cannot be read: " + reason(err), Err: err}
	case sparse.FaultSize, sparse.FaultRange:
		g, other := sparse.ReadGraphFile(path, sparse.ReadOptions{})
		if other != nil || g.N() == n {
			return err // it is faulty in itself
		}
		e := mismatch(path, fmt.Sprint(g.N()), n, table)
		e.Line, e.Err = pe.Line, err
		return e
	}
	return err
}

func mismatch(path, nodes string, n int, table string) *Error {
	return &Error{File: path, Msg: fmt.Sprintf("has %s nodes, but %s has %d rows; table and graph must describe the same nodes (counted from 0 in an edge list, from 1 in a Matrix Market file)", nodes, table, n)}
}

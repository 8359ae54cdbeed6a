package dataio

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// ReadGraphSpec reads "file" or "file,normalized": a Matrix Market file or an
// edge list, gzipped or not, or a sparse matrix saved by SciPy, told apart by
// their content; normalized turns it into D^-½ W D^-½. n is the number of rows of
// the node table of the given name.
func ReadGraphSpec(spec string, n int, table string) (*sparse.Graph, gcrfbc.GraphInfo, error) {
	path, option, has := strings.Cut(spec, ",")
	info := gcrfbc.GraphInfo{Name: filepath.Base(path), Normalized: option == "normalized"}
	if has && !info.Normalized {
		return nil, info, &Error{File: path, Msg: fmt.Sprintf("unknown option %q; want %s or %s,normalized", option, path, path)}
	}
	g, err := readGraph(path, n, table)
	if err != nil {
		return nil, info, err
	}
	if info.Normalized {
		g = g.DegreeNormalized()
	}
	return g, info, nil
}

func readGraph(path string, n int, table string) (*sparse.Graph, error) {
	if isArchive(path) {
		return readSciPy(path, n, table)
	}
	g, err := sparse.ReadGraphFile(path, sparse.ReadOptions{})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil, &Error{File: path, Msg: "cannot be opened: " + reason(err), Err: err}
	}
	if err != nil {
		return nil, err
	}
	if g.N() < n {
		// An edge list ends at its largest index: nodes after it have no edge.
		// A Matrix Market file says its size, and is refused.
		if padded, err := sparse.ReadGraphFile(path, sparse.ReadOptions{N: n}); err == nil {
			return padded, nil
		}
	}
	if g.N() != n {
		return nil, mismatch(path, fmt.Sprint(g.N()), n, table)
	}
	return g, nil
}

func mismatch(path, nodes string, n int, table string) error {
	return &Error{File: path, Msg: fmt.Sprintf("has %s nodes, but %s has %d rows; table and graph must describe the same nodes", nodes, table, n)}
}

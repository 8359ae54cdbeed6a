package dataio

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/gcrfbc/gcrfbc/sparse"
)

// isArchive reports whether a file is a zip archive, by its first bytes.
func isArchive(path string) bool { return startsWith(path, "PK\x03\x04") }

// startsWith reports whether a regular file has the given first bytes; pipes,
// which can be read only once, are not looked into.
func startsWith(path, magic string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == magic
}

// readSciPy reads the graph of a symmetric sparse matrix written by
// scipy.sparse.save_npz, in the formats csr, csc and coo, of n rows.
func readSciPy(path string, n int, table string) (*sparse.Graph, error) {
	a, err := openArchive(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = a.zip.Close() }()
	shape, err := a.read("shape")
	if err != nil {
		return nil, err
	}
	const remedy = "write it with scipy.sparse.save_npz(file, A.tocsr())"
	if shape == nil || len(shape.values) != 2 {
		return nil, &Error{File: path, Msg: "is an archive, but not of a sparse matrix; " + remedy}
	}
	if shape.values[0] != shape.values[1] {
		return nil, &Error{File: path, Msg: fmt.Sprintf("is a matrix of %v×%v; that of a graph is square, one row a node", shape.values[0], shape.values[1])}
	}
	if shape.values[0] != float64(n) {
		return nil, mismatch(path, fmt.Sprint(shape.values[0]), n, table)
	}
	data, err := a.read("data")
	if err != nil {
		return nil, err
	}
	rows, columns, err := a.sciPyIndices(n)
	if err != nil {
		return nil, err
	}
	if data == nil || rows == nil || len(data.shape) != 1 || len(data.values) != len(columns) || len(rows) != len(columns) {
		return nil, &Error{File: path, Msg: "is not a sparse matrix in a format that is read (csr, csc, coo); " + remedy}
	}
	full := sparse.NewBuilder(n, n)
	for e, v := range data.values {
		full.Add(rows[e], columns[e], v)
	}
	// The graph takes each pair once; the other half must say the same.
	matrix, err := full.CSR(sparse.ErrorOnDuplicates)
	if err != nil {
		return nil, &Error{File: path, Msg: err.Error() + " (A.sum_duplicates() joins doubles)", Err: err}
	}
	lower, err := matrix.LowerSymmetric()
	if err != nil {
		return nil, &Error{File: path, Msg: err.Error() + " (A.maximum(A.T) makes a matrix symmetric)", Err: err}
	}
	edges := sparse.NewBuilder(n, n)
	p, values := lower.Pattern(), lower.Values()
	for i := range n {
		for e := p.Ptr()[i]; e < p.Ptr()[i+1]; e++ {
			j := int(p.Idx()[e])
			if j == i && values[e] == 0 {
				continue // stored, but no loop
			}
			edges.Add(i, j, values[e])
		}
	}
	g, err := edges.Graph(sparse.ErrorOnDuplicates)
	if err != nil {
		return nil, &Error{File: path, Msg: err.Error(), Err: err}
	}
	return g, nil
}

// sciPyIndices returns the row and column of each entry; rows and columns may be
// the other way round, which symmetry forgives. Without indices both are nil.
func (a *archive) sciPyIndices(n int) (rows, columns []int, err error) {
	whole := func(name string) ([]int, error) {
		x, err := a.read(name)
		if err != nil || x == nil {
			return nil, err
		}
		out := make([]int, len(x.values))
		for k, v := range x.values {
			if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
				return nil, a.fault(name, "%s[%d] is %v, which is no index", name, k, v)
			}
			out[k] = int(v)
		}
		return out, nil
	}
	if columns, err = whole("col"); err != nil {
		return nil, nil, err
	}
	if columns != nil {
		rows, err = whole("row")
		return rows, columns, err
	}
	if columns, err = whole("indices"); err != nil {
		return nil, nil, err
	}
	ptr, err := whole("indptr")
	if err != nil {
		return nil, nil, err
	}
	if columns == nil || len(ptr) != n+1 {
		return nil, nil, nil
	}
	rows = make([]int, 0, len(columns))
	for i := range n {
		if ptr[i] != len(rows) || ptr[i+1] < ptr[i] || ptr[i+1] > len(columns) {
			return nil, nil, a.fault("indptr", "%s does not go up from 0 to the %d entries", fmt.Sprintf("indptr[%d]", i+1), len(columns))
		}
		for range ptr[i+1] - ptr[i] {
			rows = append(rows, i)
		}
	}
	return rows, columns, nil
}

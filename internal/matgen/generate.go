package matgen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc/sparse"
)

// Ridge is added to the diagonal of Laplacians.
const Ridge = 0.1

// maxNodes keeps a mistyped size from taking all memory.
const maxNodes = 1 << 28

// SpecError says what is wrong with a specification.
type SpecError struct{ Spec, Msg string }

func (e *SpecError) Error() string {
	return fmt.Sprintf("matrix %q: %s; write grid2d:N, grid3d:N, rgg:N:DEGREE, ba:N:M, or the name of a .mtx or .mtx.gz file", e.Spec, e.Msg)
}

// Generate returns the matrix of a specification (see the package's
// documentation) by the rows of its lower triangle: row i holds columns
// idx[ptr[i]:ptr[i+1]], ascending, the diagonal last. Errors are *SpecError, or
// those of reading the file.
func Generate(spec string) (n int, ptr []int, idx []int32, values []float64, err error) {
	if strings.HasSuffix(spec, ".mtx") || strings.HasSuffix(spec, ".mtx.gz") {
		return readFile(spec)
	}
	kind, rest, _ := strings.Cut(spec, ":")
	var sizes []int
	for f := range strings.SplitSeq(rest, ":") {
		v, err := strconv.Atoi(f)
		if err != nil || v < 1 {
			return 0, nil, nil, nil, &SpecError{spec, fmt.Sprintf("%q is not a size", f)}
		}
		sizes = append(sizes, v)
	}
	want, known := map[string]int{"grid2d": 1, "grid3d": 1, "rgg": 2, "ba": 2}[kind]
	if !known {
		return 0, nil, nil, nil, &SpecError{spec, fmt.Sprintf("no kind %q", kind)}
	}
	if len(sizes) != want {
		return 0, nil, nil, nil, &SpecError{spec, fmt.Sprintf("%d sizes, %s takes %d", len(sizes), kind, want)}
	}
	n = sizes[0]
	if n <= maxNodes { // products cannot overflow
		switch kind {
		case "grid2d":
			n *= n
		case "grid3d":
			if n > 1<<10 {
				n = maxNodes + 1
			} else {
				n *= n * n
			}
		}
	}
	if n > maxNodes {
		return 0, nil, nil, nil, &SpecError{spec, fmt.Sprintf("more than %d rows", maxNodes)}
	}
	var e *edges
	switch kind {
	case "grid2d":
		e = grid2D(sizes[0])
	case "grid3d":
		e = grid3D(sizes[0])
	case "rgg":
		e = randomGeometric(n, sizes[1])
	case "ba":
		if sizes[1] >= n {
			return 0, nil, nil, nil, &SpecError{spec, "M must be below N"}
		}
		e = preferentialAttachment(n, sizes[1])
	}
	ptr, idx, values = e.laplacian(n)
	return n, ptr, idx, values, nil
}

// readFile reads a matrix, or a graph if the file holds no diagonal.
func readFile(path string) (n int, ptr []int, idx []int32, values []float64, err error) {
	a, err := sparse.ReadMatrixMarketFile(path, sparse.ReadOptions{})
	if err != nil {
		return 0, nil, nil, nil, err
	}
	s, err := a.LowerSymmetric()
	if err != nil {
		return 0, nil, nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	p := s.Pattern()
	n, _ = p.Dims()
	ptr, idx, values = p.Ptr(), p.Idx(), s.Values()
	diagonal := 0
	for i := range n {
		if k := ptr[i+1] - 1; k >= ptr[i] && int(idx[k]) == i {
			diagonal++
		}
	}
	switch diagonal {
	case n:
		return n, ptr, idx, values, nil
	case 0:
		g, err := sparse.NewGraphFromPattern(p, values)
		if err != nil {
			return 0, nil, nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		lap := g.Laplacian()
		ptr, idx, values = lap.Pattern().Ptr(), lap.Pattern().Idx(), append([]float64(nil), lap.Values()...)
		for i := range n {
			values[ptr[i+1]-1] += Ridge
		}
		return n, ptr, idx, values, nil
	}
	return 0, nil, nil, nil, &SpecError{path, fmt.Sprintf("%d of %d diagonal entries; a matrix holds all, a graph none", diagonal, n)}
}

package sparse_test

import (
	"fmt"
	"os"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gcrfbc/gcrfbc/sparse"
)

func ExampleReadGraph() {
	file := `%%MatrixMarket matrix coordinate real symmetric
% three towns in a row
3 3 2
2 1 0.5
3 2 2
`
	g, err := sparse.ReadGraph(strings.NewReader(file), "towns.mtx", sparse.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.N(), g.NumEdges(), g.Degrees())
	fmt.Println(mat.Formatted(g.Laplacian()))
	// Output:
	// 3 2 [0.5 2.5 2]
	// ⎡ 0.5  -0.5     0⎤
	// ⎢-0.5   2.5    -2⎥
	// ⎣   0    -2     2⎦
}

func ExampleReadGraph_edgeList() {
	// An edge list does not say how many nodes there are; N does.
	g, err := sparse.ReadGraph(strings.NewReader("i,j,w\n0,1,2\n1,1,3\n"), "edges.csv", sparse.ReadOptions{N: 4})
	fmt.Println(g, err)
	g, err = sparse.ReadGraph(strings.NewReader("i,j,w\n0,1,2\n1,2,3\n"), "edges.csv", sparse.ReadOptions{N: 4})
	fmt.Println(g.N(), g.Edges(), err)
	// Output:
	// <nil> edges.csv:3: self loop (1, 1); remove the line, a graph has no diagonal
	// 4 [{1 0 2} {2 1 3}] <nil>
}

func ExampleFamily() {
	g := sparse.Grid2D(1, 3) // a path of three nodes
	f, err := sparse.NewFamily(g.N(), sparse.Identity(g.N()), sparse.Laplacian(g))
	if err != nil {
		fmt.Println(err)
		return
	}
	values := make([]float64, f.Pattern().NNZ())
	f.AssembleTo(values, []float64{0.5, 2})
	p, _ := sparse.NewSymmetric(f.Pattern(), values)
	fmt.Println(mat.Formatted(p))

	x := []float64{1, 2, 4}
	quad := make([]float64, f.NumTerms())
	f.QuadTo(quad, x, x) // x'x, and the sum of squared differences over edges
	fmt.Println(quad)
	// Output:
	// ⎡2.5   -2    0⎤
	// ⎢ -2  4.5   -2⎥
	// ⎣  0   -2  2.5⎦
	// [21 5]
}

func ExampleBuilder() {
	b := sparse.NewBuilder(2, 3)
	b.Add(1, 2, 5)
	b.Add(0, 0, 1)
	b.Add(1, 2, 2)
	a, err := b.CSR(sparse.SumDuplicates)
	fmt.Println(mat.Formatted(a), err)
	_, err = b.CSR(sparse.ErrorOnDuplicates)
	fmt.Println(err)
	// Output:
	// ⎡1  0  0⎤
	// ⎣0  0  7⎦ <nil>
	// sparse: entry (1, 2): given twice; remove one, or build with SumDuplicates
}

func ExamplePerm_Symmetric() {
	a := sparse.Grid2D(1, 3).Laplacian()
	b, err := sparse.Perm{1, 0, 2}.Symmetric(a) // the middle node first
	fmt.Println(mat.Formatted(b), err)
	// Output:
	// ⎡ 2  -1  -1⎤
	// ⎢-1   1   0⎥
	// ⎣-1   0   1⎦ <nil>
}

func ExampleWriteMatrixMarket() {
	if err := sparse.WriteMatrixMarket(os.Stdout, sparse.Grid2D(2, 2)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// %%MatrixMarket matrix coordinate pattern symmetric
	// 4 4 4
	// 2 1
	// 3 1
	// 4 2
	// 4 3
}

package interop_test

import (
	"fmt"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/mat"

	"github.com/gcrfbc/gcrfbc/sparse"
	"github.com/gcrfbc/gcrfbc/sparse/interop"
)

func ExampleFromGonum() {
	h := simple.NewWeightedUndirectedGraph(0, 0)
	h.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(10), T: simple.Node(20), W: 2})
	h.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(20), T: simple.Node(30), W: 3})
	g, ids, err := interop.FromGonum(h)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ids, g.Degrees())
	fmt.Println(mat.Formatted(interop.ToSymDense(g.Laplacian())))
	// Output:
	// [10 20 30] [2 5 3]
	// ⎡ 2  -2   0⎤
	// ⎢-2   5  -3⎥
	// ⎣ 0  -3   3⎦
}

func ExampleToJB() {
	a := sparse.Grid2D(1, 3).Laplacian().CSR()
	b := interop.ToJB(a) // shares the values
	fmt.Println(b.NNZ(), b.At(1, 0), &b.RawMatrix().Data[0] == &a.Values()[0])
	// Output: 7 -1 true
}

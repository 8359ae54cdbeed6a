package picture_test

import (
	"fmt"
	"log"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse"
	"github.com/gcrfbc/gcrfbc/sparse/picture"
)

// One row of four pixels, dark and bright: links within a colour keep weight one,
// unless colours are averaged first.
func ExampleGraphs() {
	const H, W = 1, 4
	rgb := []float64{10, 10, 10, 10, 10, 10, 200, 200, 200, 200, 200, 200}
	colours := picture.Pairs([]float64{1}, []int{0, 1})
	grid := sparse.Grid2D(H, W)
	graphs, err := picture.Graphs(grid, H, W, rgb, colours)
	if err != nil {
		log.Fatal(err)
	}
	for l, g := range graphs {
		fmt.Printf("%v: %.2f\n", colours[l], g.Weights())
	}
	// Output:
	// contrast 1: [1.00 0.05 1.00]
	// contrast 1 smooth 1: [0.37 0.37 0.37]
}

// A data set of pictures: the grid is shared, the colour graphs are each picture's
// own.
func ExampleDefault() {
	const H, W = 2, 3
	pictures := [][]float64{make([]float64, 3*H*W), make([]float64, 3*H*W)}
	colours, grid := picture.Default(), sparse.Grid2D(H, W)
	d := &gcrfbc.Dataset{K: 1, Graphs: []*sparse.Graph{grid}}
	d.GraphInfo = append([]gcrfbc.GraphInfo{{Name: "grid"}}, picture.Info(colours)...)
	for _, rgb := range pictures {
		own, err := picture.Graphs(grid, H, W, rgb, colours)
		if err != nil {
			log.Fatal(err)
		}
		d.Instances = append(d.Instances, gcrfbc.Instance{Scores: make([]float64, H*W), Labels: make([]int8, H*W), Graphs: own})
	}
	fmt.Println(d.Validate() == nil, d.NumGraphs() == 1+len(colours))
	// Output: true true
}

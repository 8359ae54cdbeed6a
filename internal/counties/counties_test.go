package counties_test

import (
	"fmt"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/internal/counties"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// The tables of sizes in the documentation of the data.
func TestCounties(t *testing.T) {
	nodes := counties.Nodes()
	graph, info := counties.Graph()
	if nodes.N() != 3108 || graph.N() != 3108 || graph.NumEdges() != 8731 || info.Name == "" || info.Normalized {
		t.Errorf("%d rows, %d nodes, %d edges, %+v", nodes.N(), graph.N(), graph.NumEdges(), info)
	}
	if again, _ := counties.Graph(); again != graph || counties.Nodes() != nodes {
		t.Error("parsed twice")
	}
	for label, ones := range map[string]int{counties.Label: 1938, "class_win": 534} {
		labels, err := nodes.Labels(label)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := nodes.Scores(counties.Scores)
		if err != nil {
			t.Fatal(err)
		}
		d := &gcrfbc.Dataset{K: 2, Graphs: []*sparse.Graph{graph}, Instances: []gcrfbc.Instance{{Scores: scores, Labels: labels}}}
		if err := d.Validate(); err != nil {
			t.Error(err)
		}
		if _, n, missing := d.LabelCounts(); n != ones || missing != 0 {
			t.Errorf("%s: %d ones, %d missing", label, n, missing)
		}
	}
	for mask, want := range map[string]int{counties.Train: 1554, counties.Test: 777} {
		rows, err := nodes.Mask(mask)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, in := range rows {
			if in {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d rows, want %d", mask, n, want)
		}
	}
}

func Example() {
	graph, _ := counties.Graph()
	fmt.Println(counties.Nodes().N(), "counties,", graph.NumEdges(), "borders")
	// Output: 3108 counties, 8731 borders
}

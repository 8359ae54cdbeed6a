// Package counties holds the data set that the commands use when none is given:
// 3 108 counties of the contiguous United States with two binary tasks, swing
// and win, two scores for each, a split into train, valid and test, and the
// graph of common borders. The NOTICE file names sources and licences.
package counties

import (
	"bytes"
	_ "embed"
	"sync"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/gcrfbc/gcrfbc/sparse"
)

//go:embed nodes.csv.gz
var nodes []byte

//go:embed graph.mtx.gz
var graph []byte

// The default task: did the Democratic share of the two-party vote rise from
// 2016 to 2020?
const (
	Label = "class_swing"
	Train = "split=train"
	Test  = "split=test"
)

// Scores are the columns of the default task's scores: logistic regression and
// gradient boosting on features without location.
var Scores = []string{"lr_swing", "gb_swing"}

// Nodes returns the node table.
var Nodes = sync.OnceValue(func() *dataio.Table {
	t, err := dataio.ReadTableFrom(bytes.NewReader(nodes), "counties/nodes.csv.gz")
	if err != nil {
		panic("counties: " + err.Error()) // embedded at build time
	}
	return t
})

var readGraph = sync.OnceValue(func() *sparse.Graph {
	g, err := sparse.ReadGraph(bytes.NewReader(graph), "counties/graph.mtx.gz", sparse.ReadOptions{})
	if err != nil {
		panic("counties: " + err.Error())
	}
	return g
})

// Graph returns the graph of common borders, unit weights.
func Graph() (*sparse.Graph, gcrfbc.GraphInfo) {
	return readGraph(), gcrfbc.GraphInfo{Name: "borders"}
}

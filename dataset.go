package gcrfbc

import (
	"fmt"
	"math"

	"github.com/gcrfbc/gcrfbc/sparse"
)

// Missing marks a node without a label.
const Missing int8 = -1

// Instance is one realisation of the field: the scores and labels of N nodes,
// and the graphs that belong to it alone.
type Instance struct {
	Scores []float64       // N×K row-major: score k of node i is Scores[i*K+k]
	Labels []int8          // N: 0, 1 or Missing
	Graphs []*sparse.Graph // own graphs, after those that the dataset shares; nil if none
}

// N returns the number of nodes.
func (in *Instance) N() int { return len(in.Labels) }

// Dataset is a set of independent instances with the same K predictors and L
// graphs. Graph l of an instance is Graphs[l] for l < len(Graphs) and its own
// Graphs[l-len(Graphs)] after that. When graphs are shared every instance has
// their number of nodes; otherwise N may differ between instances.
type Dataset struct {
	K         int             // predictors, ≥ 1
	Graphs    []*sparse.Graph // shared by all instances
	Instances []Instance

	ScoreNames []string    // K names for messages and the model file; nil: unnamed
	GraphInfo  []GraphInfo // L descriptions for messages and the model file; nil: unnamed
}

// GraphInfo describes where a graph came from.
type GraphInfo struct {
	Name       string `json:"name"`
	Normalized bool   `json:"normalized"` // degree-normalised: D^-½ W D^-½

	// Of a graph made from a picture's colours: how fast weights fall with the
	// difference, and over how many pixels colours were smoothed before.
	Contrast float64 `json:"contrast,omitempty"`
	Smooth   int     `json:"smooth,omitempty"`
}

// NumGraphs returns L, shared and own graphs together.
func (d *Dataset) NumGraphs() int {
	if len(d.Instances) == 0 {
		return len(d.Graphs)
	}
	return len(d.Graphs) + len(d.Instances[0].Graphs)
}

// GraphsOf returns the L graphs of instance j, shared ones first.
func (d *Dataset) GraphsOf(j int) []*sparse.Graph {
	own := d.Instances[j].Graphs
	if len(own) == 0 {
		return d.Graphs
	}
	all := make([]*sparse.Graph, 0, len(d.Graphs)+len(own))
	return append(append(all, d.Graphs...), own...)
}

// NumNodes returns the number of nodes of all instances together.
func (d *Dataset) NumNodes() int {
	n := 0
	for j := range d.Instances {
		n += d.Instances[j].N()
	}
	return n
}

// LabelCounts returns how many nodes are labelled 0 and 1 and how many are
// missing.
func (d *Dataset) LabelCounts() (zeros, ones, missing int) {
	for j := range d.Instances {
		for _, y := range d.Instances[j].Labels {
			switch y {
			case 0:
				zeros++
			case 1:
				ones++
			default:
				missing++
			}
		}
	}
	return
}

// WithLabels returns a dataset that shares everything with d but the labels:
// instance j has labels[j]. Lengths are checked by Validate.
func (d *Dataset) WithLabels(labels [][]int8) *Dataset {
	c := *d
	c.Instances = append([]Instance(nil), d.Instances...)
	for j := range c.Instances {
		c.Instances[j].Labels = labels[j]
	}
	return &c
}

// Validate checks shapes and values in one pass and returns a *DataError that
// names the instance and node of the first fault. It does not ask for labels;
// see [Dataset.ValidateLabels].
func (d *Dataset) Validate() error {
	if d.K < 1 {
		return &DataError{Instance: -1, Node: -1, Msg: "there are no predictors; give at least one score for each node"}
	}
	if len(d.Instances) == 0 {
		return &DataError{Instance: -1, Node: -1, Msg: "there are no instances"}
	}
	if d.ScoreNames != nil && len(d.ScoreNames) != d.K {
		return &DataError{Instance: -1, Node: -1, Msg: fmt.Sprintf("%d score names for %d predictors", len(d.ScoreNames), d.K)}
	}
	L := d.NumGraphs()
	if d.GraphInfo != nil && len(d.GraphInfo) != L {
		return &DataError{Instance: -1, Node: -1, Msg: fmt.Sprintf("%d graph descriptions for %d graphs", len(d.GraphInfo), L)}
	}
	for j := range d.Instances {
		if err := d.validateInstance(j, L); err != nil {
			return err
		}
	}
	return nil
}

func (d *Dataset) validateInstance(j, L int) error {
	in := &d.Instances[j]
	n := in.N()
	if n == 0 {
		return &DataError{Instance: j, Node: -1, Msg: "has no nodes"}
	}
	if len(in.Scores) != n*d.K {
		return &DataError{Instance: j, Node: -1, Msg: fmt.Sprintf("has %d scores for %d nodes and %d predictors; want %d", len(in.Scores), n, d.K, n*d.K)}
	}
	if len(d.Graphs)+len(in.Graphs) != L {
		return &DataError{Instance: j, Node: -1, Msg: fmt.Sprintf("has %d graphs, the first instance %d", len(d.Graphs)+len(in.Graphs), L)}
	}
	check := func(g *sparse.Graph, l int) error {
		if g == nil {
			return &DataError{Instance: j, Node: -1, Msg: fmt.Sprintf("graph %d is nil", l)}
		}
		if g.N() != n {
			return &DataError{Instance: j, Node: -1, Msg: fmt.Sprintf("has %d nodes, but its graph %s has %d; table and graph must describe the same nodes", n, d.graphName(l), g.N())}
		}
		return nil
	}
	for l, g := range d.Graphs {
		if err := check(g, l); err != nil {
			return err
		}
	}
	for l, g := range in.Graphs {
		if err := check(g, len(d.Graphs)+l); err != nil {
			return err
		}
	}
	for i, r := range in.Scores {
		if math.IsNaN(r) || math.IsInf(r, 0) {
			return &DataError{Instance: j, Node: i / d.K, Msg: fmt.Sprintf("score %s is %v; scores must be finite real numbers, best logits", d.scoreName(i%d.K), r)}
		}
	}
	for i, y := range in.Labels {
		if y != 0 && y != 1 && y != Missing {
			return &DataError{Instance: j, Node: i, Msg: fmt.Sprintf("label is %d; labels are 0, 1, or -1 for missing", y)}
		}
	}
	return nil
}

func (d *Dataset) graphName(l int) string {
	if l < len(d.GraphInfo) && d.GraphInfo[l].Name != "" {
		return d.GraphInfo[l].Name
	}
	return fmt.Sprintf("number %d", l+1)
}

func (d *Dataset) scoreName(k int) string {
	if k < len(d.ScoreNames) && d.ScoreNames[k] != "" {
		return d.ScoreNames[k]
	}
	return fmt.Sprintf("number %d", k+1)
}

// ValidateLabels reports a *LabelError unless both classes are present, which
// fitting needs.
func (d *Dataset) ValidateLabels() error {
	zeros, ones, missing := d.LabelCounts()
	if zeros > 0 && ones > 0 {
		return nil
	}
	return &LabelError{Zeros: zeros, Ones: ones, Missing: missing}
}

// DataError names what is wrong with a dataset and where.
type DataError struct {
	Instance int // index of the instance, −1 if the fault is not of one instance
	Node     int // index of the node, −1 if the fault is not of one node
	Msg      string
}

func (e *DataError) Error() string {
	switch {
	case e.Instance < 0:
		return "gcrfbc: " + e.Msg
	case e.Node < 0:
		return fmt.Sprintf("gcrfbc: instance %d %s", e.Instance, e.Msg)
	}
	return fmt.Sprintf("gcrfbc: instance %d, node %d: %s", e.Instance, e.Node, e.Msg)
}

// LabelError says that the labels do not allow a fit.
type LabelError struct{ Zeros, Ones, Missing int }

func (e *LabelError) Error() string {
	if e.Zeros+e.Ones == 0 {
		return fmt.Sprintf("gcrfbc: none of the %d nodes has a label; label some nodes 0 and 1 (−1 or empty means missing)", e.Missing)
	}
	one := 1
	if e.Ones == 0 {
		one = 0
	}
	return fmt.Sprintf("gcrfbc: all %d labels are %d; a fit needs nodes of both classes", e.Zeros+e.Ones, one)
}

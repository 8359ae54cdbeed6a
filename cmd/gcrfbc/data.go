package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/internal/counties"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// data is what a command works on: one instance from a node table and graphs, or
// the instances of an .npz file.
type data struct {
	set      *gcrfbc.Dataset // Labels hold all known ones
	table    *dataio.Table   // nil for .npz
	shape    []int           // of .npz: (M, N) or (M, H, W)
	embedded bool
	name     string // for messages
	label    string // what label 1 is
}

// needs says what a command cannot do without.
type needs struct {
	labels bool
	model  *gcrfbc.Model // whose scores and label are the defaults, or nil
}

// load reads the data that the flags describe.
func (f *dataFlags) load(n needs, stdin io.Reader) (*data, error) {
	switch {
	case f.npz != "":
		for _, other := range []string{"nodes", "graph", "label", "scores"} {
			if f.set(other) {
				return nil, usagef("--npz holds scores, labels and graphs itself; --%s does not go with it", other)
			}
		}
		return f.loadInstances(n)
	case f.nodes != "":
		return f.loadTable(n, stdin)
	case f.set("npz"):
		return nil, usagef("--npz: give the name of a file")
	case f.set("nodes"):
		return nil, usagef("--nodes: give the name of a node table")
	case f.set("graph"):
		return nil, usagef("--graph needs --nodes, the table of the graph's nodes")
	case f.set("contrast"), f.set("smooth"):
		return nil, usagef("--%s needs --npz with pictures", f.pictureFlag())
	}
	return f.loadCounties(n)
}

func (f *dataFlags) loadCounties(n needs) (*data, error) {
	g, info := counties.Graph()
	d := &data{table: counties.Nodes(), embedded: true, name: "the embedded counties"}
	scores, label := strings.Join(counties.Scores, ","), counties.Label
	if n.model != nil && len(n.model.Scores) > 0 && n.model.Label != "" {
		scores, label = strings.Join(n.model.Scores, ","), n.model.Label
	}
	if f.set("scores") {
		scores = f.scores
	}
	if f.set("label") {
		label = f.label
	}
	if err := d.fill(scores, label, []*sparse.Graph{g}, []gcrfbc.GraphInfo{info}); err != nil {
		return nil, fmt.Errorf("%w; without --nodes and --npz the data are the embedded counties", err)
	}
	return d, nil
}

func (f *dataFlags) loadTable(n needs, stdin io.Reader) (d *data, err error) {
	if f.set("contrast") || f.set("smooth") {
		return nil, usagef("--%s is for pictures in --npz files", f.pictureFlag())
	}
	scores, label := f.scores, f.label
	if n.model != nil {
		if !f.set("scores") {
			scores = strings.Join(n.model.Scores, ",")
		}
		if !f.set("label") {
			label = n.model.Label
		}
	}
	if strings.Trim(scores, ", ") == "" {
		return nil, usagef("no predictors: name one or more score columns of %s, such as --scores lr,nb", f.nodes)
	}
	if n.labels && label == "" {
		return nil, usagef("no labels: name the label column of %s, such as --label class or --label class=3", f.nodes)
	}
	d = &data{name: f.nodes}
	if f.nodes == "-" {
		d.name = "stdin"
		d.table, err = dataio.ReadTableFrom(stdin, d.name)
	} else {
		d.table, err = dataio.ReadTable(f.nodes)
	}
	if err != nil {
		return nil, err
	}
	var graphs []*sparse.Graph
	var infos []gcrfbc.GraphInfo
	for _, spec := range f.graphs {
		if spec == "-" || strings.HasPrefix(spec, "-,") {
			return nil, usagef("--graph %s: only --nodes is read from standard input; name the graph's file", spec)
		}
		g, info, err := dataio.ReadGraphSpec(spec, d.table.N(), d.name)
		if err != nil {
			return nil, err
		}
		graphs, infos = append(graphs, g), append(infos, info)
	}
	if n.model != nil && !n.labels && !f.set("label") {
		label = "" // predictions from scores and graphs need none; the table may have none yet
	}
	return d, d.fill(scores, label, graphs, infos)
}

// fill makes the dataset of a table and its graphs.
func (d *data) fill(scores, label string, graphs []*sparse.Graph, infos []gcrfbc.GraphInfo) error {
	var names []string
	for s := range strings.SplitSeq(scores, ",") {
		if s = strings.TrimSpace(s); s == "" {
			return usagef("--scores %s: an empty name; separate columns by single commas", scores)
		}
		if slices.Contains(names, s) {
			return usagef("--scores %s: column %s is named twice", scores, s)
		}
		names = append(names, s)
	}
	r, err := d.table.Scores(names)
	if err != nil {
		return err
	}
	labels := missing(d.table.N())
	if label != "" {
		if labels, err = d.table.Labels(label); err != nil {
			return err
		}
		d.label = label
	}
	d.set = &gcrfbc.Dataset{
		K: len(names), Graphs: graphs, Instances: []gcrfbc.Instance{{Scores: r, Labels: labels}},
		ScoreNames: names, GraphInfo: infos,
	}
	return d.validate()
}

// pictureFlag is the flag given that only pictures have.
func (f *dataFlags) pictureFlag() string {
	if f.set("contrast") {
		return "contrast"
	}
	return "smooth"
}

func (f *dataFlags) loadInstances(n needs) (*data, error) {
	opts := f.pictures.Options()
	if n.model != nil {
		opts = f.pictures.Following(n.model, f.set("contrast"), f.set("smooth"))
	}
	in, err := dataio.ReadInstances(f.npz, opts)
	if err != nil {
		return nil, err
	}
	if flag := f.pictureFlag(); f.set(flag) && len(opts.Colours) > 0 && !in.Coloured {
		if len(in.Shape) != 3 {
			return nil, inputf("%s: --%s is for pictures, R of shape (M, H, W, K); here R holds %d instances of %d nodes", f.npz, flag, in.Shape[0], in.Shape[1])
		}
		return nil, inputf("%s: --%s needs the pictures' colours, an array rgb of shape (M, H, W, 3); leave --%s out if there are none", f.npz, flag, flag)
	}
	if n.labels && !in.HasLabels {
		return nil, inputf("%s: there is no array Y of labels; fitting and evaluating need it: shape of R without its last axis, values 0, 1 and -1 (missing)", f.npz)
	}
	d := &data{set: in.Dataset, shape: in.Shape, name: f.npz, label: "Y"}
	return d, d.validate()
}

// pictures reports whether the instances are pictures.
func (d *data) pictures() bool { return len(d.shape) == 3 }

func (d *data) validate() error {
	if err := d.set.Validate(); err != nil {
		return fmt.Errorf("%s: %w", d.name, err)
	}
	return nil
}

// arrayShape is the shape of arrays with one number a node.
func (d *data) arrayShape() []int {
	if d.shape != nil {
		return d.shape
	}
	return []int{1, d.set.NumNodes()}
}

func missing(n int) []int8 {
	return slices.Repeat([]int8{gcrfbc.Missing}, n)
}

// allLabels returns the labels of every instance.
func (d *data) allLabels() [][]int8 {
	out := make([][]int8, len(d.set.Instances))
	for j := range out {
		out[j] = d.set.Instances[j].Labels
		if out[j] == nil {
			out[j] = missing(d.set.Instances[j].N())
		}
	}
	return out
}

// where returns the labels of the nodes that spec, COLUMN=VALUE, selects, and
// those of the others; the rest of each is missing. An empty spec selects all.
func (d *data) where(flag, spec string) (selected, others [][]int8, err error) {
	if spec == "" {
		none := make([][]int8, len(d.set.Instances))
		for j := range none {
			none[j] = missing(d.set.Instances[j].N())
		}
		return d.allLabels(), none, nil
	}
	if d.table == nil {
		return nil, nil, usagef("--%s selects rows of a node table; with --npz every labelled node counts", flag)
	}
	mask, err := d.table.Mask(spec)
	if err != nil {
		return nil, nil, err
	}
	labels := d.set.Instances[0].Labels
	in, out := missing(len(labels)), missing(len(labels))
	for i, y := range labels {
		if mask[i] {
			in[i] = y
		} else {
			out[i] = y
		}
	}
	return [][]int8{in}, [][]int8{out}, nil
}

// count returns how many labels are 0 and 1.
func count(labels [][]int8) (zeros, ones int) {
	for _, l := range labels {
		for _, y := range l {
			switch y {
			case 0:
				zeros++
			case 1:
				ones++
			}
		}
	}
	return zeros, ones
}

package dataio

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/sparse"
	"github.com/gcrfbc/gcrfbc/sparse/picture"
)

const table = "node,class,split,a,b\n0,3,train,1.5,-2\n1,1,test,0,1e3\n2,-1,train,.25,4\n3,,none,-1,5\n"

func parse(t *testing.T, text string) *Table {
	t.Helper()
	x, err := ReadTableFrom(strings.NewReader(text), "nodes.csv")
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestTable(t *testing.T) {
	x := parse(t, table)
	scores, err := x.Scores([]string{"b", "a"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]float64{-2, 1.5, 1e3, 0, 4, .25, 5, -1}, scores); d != "" {
		t.Error(d)
	}
	labels, err := x.Labels("class=3")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int8{1, 0, gcrfbc.Missing, gcrfbc.Missing}, labels); d != "" {
		t.Error(d)
	}
	mask, err := x.Mask("split=train")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]bool{true, false, true, false}, mask); d != "" {
		t.Error(d)
	}
	if x.N() != 4 {
		t.Errorf("N = %d", x.N())
	}
	var z bytes.Buffer
	g := gzip.NewWriter(&z)
	io.WriteString(g, table)
	g.Close()
	if y, err := ReadTableFrom(&z, "nodes.csv.gz"); err != nil || y.N() != 4 {
		t.Errorf("gzip: %v", err)
	}
}

// wantError checks the message, and that the error says where.
func wantError(t *testing.T, name string, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", name)
		return
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Errorf("%s: %T: %v", name, err, err)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("%s: %q lacks %q", name, err, p)
		}
	}
}

func TestTableErrors(t *testing.T) {
	read := func(text string) error {
		_, err := ReadTableFrom(strings.NewReader(text), "nodes.csv")
		return err
	}
	wantError(t, "empty", read(""), "nodes.csv: is empty")
	wantError(t, "header only", read("a,b\n"), "no rows")
	wantError(t, "ragged", read("a,b\n1,2\n3\n"), "nodes.csv:3", "number of fields")
	wantError(t, "quote", read("a,b\n1,\"2\n"), "nodes.csv:")
	wantError(t, "double column", read("a,a\n1,2\n"), "column a", "twice")
	wantError(t, "node order", read("node,a\n0,1\n2,1\n"), "nodes.csv:3:1", "column node", "in order from 0")
	var z bytes.Buffer
	g := gzip.NewWriter(&z)
	io.WriteString(g, "a,b\n")
	for i := range 5000 {
		fmt.Fprintf(g, "%d,%d\n", i, i*i)
	}
	g.Close()
	_, err := ReadTableFrom(bytes.NewReader(z.Bytes()[:z.Len()/2]), "cut.csv.gz")
	wantError(t, "truncated gzip", err, "cut.csv.gz", "end early")
	_, err = ReadTable(filepath.Join(t.TempDir(), "none.csv"))
	wantError(t, "no file", err, "none.csv", "no such file")

	x := parse(t, "a,b,c\n1,NaN,0\n2,1,7\nx,2,1\n3,inf,0\n")
	_, err = x.Scores([]string{"a"})
	wantError(t, "not a number", err, "nodes.csv:4:1", "column a", `"x"`, "node 2")
	_, err = x.Scores([]string{"b"})
	wantError(t, "NaN", err, "nodes.csv:2:2", "column b", "NaN", "finite")
	_, err = parse(t, "a,b\n1,inf\n").Scores([]string{"b"})
	wantError(t, "infinite", err, "nodes.csv:2:2", "inf", "finite")
	_, err = x.Scores([]string{"d"})
	wantError(t, "no column", err, `"d"`, "a, b, c")
	_, err = x.Scores(nil)
	wantError(t, "no predictors", err, "--scores")
	_, err = x.Scores([]string{"c", "c"})
	wantError(t, "score twice", err, "twice")
	_, err = x.Labels("c")
	wantError(t, "label", err, "nodes.csv:3:3", "column c", `"7"`, "want 0, 1")
	_, err = x.Labels("c=9")
	wantError(t, "no such class", err, `"9"`, "0, 7, 1")
	_, err = x.Labels("z")
	wantError(t, "no label column", err, `"z"`)
	_, err = x.Mask("c")
	wantError(t, "mask without value", err, "column=value")
	_, err = x.Mask("c=5")
	wantError(t, "mask of nothing", err, `"5"`)
}

func TestReadGraphSpec(t *testing.T) {
	dir := t.TempDir()
	mtx := filepath.Join(dir, "g.mtx")
	os.WriteFile(mtx, []byte("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n3 2 4\n"), 0o644)
	csv := filepath.Join(dir, "g.csv")
	os.WriteFile(csv, []byte("i,j,w\n0,1,2\n"), 0o644)
	g, info, err := ReadGraphSpec(mtx, 3, "nodes.csv")
	if err != nil || g.NumEdges() != 2 || info.Name != "g.mtx" || info.Normalized {
		t.Errorf("%v %+v", err, info)
	}
	g, info, err = ReadGraphSpec(mtx+",normalized", 3, "nodes.csv")
	if err != nil || !info.Normalized {
		t.Fatal(err)
	}
	if w, _ := g.Weight(1, 0); math.Abs(w-1/math.Sqrt(5)) > 1e-15 {
		t.Errorf("normalised weight %v", w)
	}
	txt := filepath.Join(dir, "edges.txt") // told by its content
	os.WriteFile(txt, []byte("source,target\n0,1\n"), 0o644)
	for _, path := range []string{csv, txt} {
		if g, _, err = ReadGraphSpec(path, 5, "nodes.csv"); err != nil || g.N() != 5 {
			t.Errorf("edge list: %v", err)
		}
	}
	_, _, err = ReadGraphSpec(mtx, 4, "nodes.csv")
	wantError(t, "wrong N", err, "g.mtx", "3 nodes", "nodes.csv has 4 rows")
	_, _, err = ReadGraphSpec(mtx+",upside-down", 3, "nodes.csv")
	wantError(t, "option", err, "upside-down")
	_, _, err = ReadGraphSpec(filepath.Join(dir, "none.mtx"), 3, "nodes.csv")
	wantError(t, "no file", err, "none.mtx", "no such file")
}

func TestLabelsWrittenAsFloats(t *testing.T) {
	x := parse(t, "c,k\n1.0,3\n0.,3.0\n-1.0,red\n1e0,\n")
	labels, err := x.Labels("c")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int8{1, 0, gcrfbc.Missing, 1}, labels); d != "" {
		t.Error(d)
	}
	for _, value := range []string{"3", "3.0"} {
		if labels, err = x.Labels("k=" + value); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]int8{1, 1, 0, gcrfbc.Missing}, labels); d != "" {
			t.Error(d)
		}
	}
	if labels, err = x.Labels("k=red"); err != nil || labels[2] != 1 || labels[0] != 0 {
		t.Errorf("%v %v", labels, err)
	}
	_, err = parse(t, "c\n0.5\n").Labels("c")
	wantError(t, "half", err, `"0.5"`, "want 0, 1")
}

func TestSciPyGraph(t *testing.T) {
	i4 := func(name string, v ...int32) npyArray {
		return npyArray{name, "<i4", fmt.Sprintf("(%d,)", len(v)), false, v}
	}
	shape := func(rows, columns int64) npyArray {
		return npyArray{"shape", "<i8", "(2,)", false, []int64{rows, columns}}
	}
	format := npyArray{"format", "|S3", "()", false, []byte("csr")}
	read := func(a ...npyArray) (*sparse.Graph, error) {
		g, _, err := ReadGraphSpec(writeNPZ(t, append(a, format)...), 3, "nodes.csv")
		return g, err
	}
	// Weights 2 between 0 and 1, 5 between 1 and 2; row 1 unsorted; a stored zero on the diagonal.
	csr := []npyArray{i4("indptr", 0, 2, 4, 5), i4("indices", 1, 0, 2, 0, 1), f8("data", "(5,)", 2, 0, 5, 2, 5), shape(3, 3)}
	coo := []npyArray{i4("row", 0, 1, 1, 2), i4("col", 1, 0, 2, 1), f8("data", "(4,)", 2, 2, 5, 5), shape(3, 3)}
	for name, a := range map[string][]npyArray{"csr": csr, "coo": coo} {
		g, err := read(a...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff([]sparse.Edge{{I: 1, J: 0, W: 2}, {I: 2, J: 1, W: 5}}, g.Edges()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	fails := func(name string, want string, a ...npyArray) {
		t.Helper()
		_, err := read(a...)
		wantError(t, name, err, "x.npz", want)
	}
	fails("asymmetric", "A.maximum(A.T)", csr[0], csr[1], f8("data", "(5,)", 2, 0, 5, 3, 5), csr[3])
	fails("half", "A.maximum(A.T)", i4("row", 1), i4("col", 0), f8("data", "(1,)", 1), shape(3, 3))
	fails("self loop", "(0, 0)", csr[0], csr[1], f8("data", "(5,)", 2, 1, 5, 2, 5), csr[3])
	fails("negative", "-5", csr[0], csr[1], f8("data", "(5,)", 2, 0, -5, 2, -5), csr[3])
	fails("double", "sum_duplicates", i4("row", 0, 0), i4("col", 1, 1), f8("data", "(2,)", 1, 1), shape(3, 3))
	fails("out of range", "(0, 3)", i4("row", 0), i4("col", 3), f8("data", "(1,)", 1), shape(3, 3))
	fails("fractional index", "col[0] is 0.5", i4("row", 0), f8("col", "(1,)", .5), f8("data", "(1,)", 1), shape(3, 3))
	fails("bad indptr", "indptr[2]", i4("indptr", 0, 2, 1, 5), csr[1], csr[2], csr[3])
	fails("no rows", "save_npz", csr[1], csr[2], csr[3])
	fails("blocks", "save_npz", csr[0], csr[1], f8("data", "(5, 1, 1)", 2, 0, 5, 2, 5), csr[3])
	fails("instances", "save_npz", f8("R", "(1, 2, 1)", 1, 2))
	fails("other N", "nodes.csv has 3 rows", shape(1<<40, 1<<40))
	fails("not square", "square", shape(3, 4))
}

// npyArray is one array of a test archive; raw bytes follow the header as they are.
type npyArray struct {
	name, descr, shape string
	fortran            bool
	data               any
}

func writeNPZ(t testing.TB, arrays ...npyArray) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.npz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, a := range arrays {
		w, err := z.Create(a.name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		order := "False"
		if a.fortran {
			order = "True"
		}
		h := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", a.descr, order, a.shape)
		h += strings.Repeat(" ", 63-(10+len(h))%64) + "\n"
		io.WriteString(w, "\x93NUMPY\x01\x00")
		binary.Write(w, binary.LittleEndian, uint16(len(h)))
		io.WriteString(w, h)
		binary.Write(w, binary.LittleEndian, a.data)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func f8(name, shape string, v ...float64) npyArray { return npyArray{name, "<f8", shape, false, v} }

func TestInstances(t *testing.T) {
	path := writeNPZ(t,
		f8("R", "(2, 2, 1)", 10, 20, 30, 40), npyArray{"Y", "|i1", "(2, 2)", false, []int8{0, 1, -1, 1}},
		f8("S", "(2, 2, 2)", 0, 1, 1, 0, 0, 0, 0, 0), f8("Si", "(2, 2, 2)", 0, 3, 3, 0, 0, 0, 0, 0), f8("scale", "(1,)", 10), f8("extra", "(1,)", 1))
	in, err := ReadInstances(path, InstanceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d := in.Dataset
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	if d.NumGraphs() != 3 || !in.HasLabels || d.Instances[1].Scores[1] != 4 || d.Instances[1].Labels[0] != gcrfbc.Missing {
		t.Errorf("%+v", d)
	}
	if d.Instances[0].Graphs[0].Pattern() != d.Instances[1].Graphs[0].Pattern() {
		t.Error("own graphs do not share their pattern")
	}
	if w, ok := d.Instances[1].Graphs[0].Weight(1, 0); !ok || w != 0 {
		t.Errorf("weight %v %v", w, ok)
	}
	for _, set := range []string{"emotions", "ski"} {
		in, err := ReadInstances(filepath.Join("..", "..", "testdata", "labelsets", set, "train.npz"), InstanceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Dataset.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func contrast(c float64) InstanceOptions {
	return InstanceOptions{Colours: []picture.Colour{{Contrast: c}}}
}

func TestPictures(t *testing.T) {
	// One picture of 1×3 pixels; half floats 1, -2, 0.5.
	path := writeNPZ(t, npyArray{"R", "<f2", "(1, 1, 3, 1)", false, []uint16{0x3c00, 0xc000, 0x3800}},
		npyArray{"rgb", "|u1", "(1, 1, 3, 3)", false, []uint8{0, 0, 0, 255, 0, 0, 255, 0, 0}})
	in, err := ReadInstances(path, InstanceOptions{Colours: []picture.Colour{{Contrast: 2}, {Contrast: 1, Smooth: 2}}})
	if err != nil {
		t.Fatal(err)
	}
	d := in.Dataset
	if diff := cmp.Diff([]float64{1, -2, .5}, d.Instances[0].Scores); diff != "" {
		t.Error(diff)
	}
	if d.NumGraphs() != 3 || in.HasLabels || d.Graphs[0].Pattern() != d.Instances[0].Graphs[0].Pattern() {
		t.Errorf("%d graphs", d.NumGraphs())
	}
	if got := d.Instances[0].Graphs[1].Weights(); !cmp.Equal([]float64{1, 1}, got) { // all pixels are in every square
		t.Errorf("smoothed: weights %v", got)
	}
	// A model says how its graphs were made.
	m := &gcrfbc.Model{Graphs: d.GraphInfo}
	if opts, ok := PictureOptions(m); !ok || !cmp.Equal([]picture.Colour{{Contrast: 2}, {Contrast: 1, Smooth: 2}}, opts.Colours) {
		t.Errorf("of a model: %v %t", opts, ok)
	}
	// Differences 1 and 0, mean ½.
	if diff := cmp.Diff([]float64{math.Exp(-4), 1}, d.Instances[0].Graphs[0].Weights()); diff != "" {
		t.Error(diff)
	}
	if in, err = ReadInstances(path, InstanceOptions{}); err != nil || in.Dataset.NumGraphs() != 1 {
		t.Errorf("without contrast: %v", err)
	}
}

func TestHalf(t *testing.T) {
	for b, want := range map[uint16]float64{0: 0, 0x3c00: 1, 0xbc00: -1, 0x7bff: 65504, 0x0001: 0x1p-24, 0x03ff: 1023 * 0x1p-24, 0x3555: 0.333251953125, 0xfc00: math.Inf(-1)} {
		if got := half(b); got != want {
			t.Errorf("half(%#x) = %v, want %v", b, got, want)
		}
	}
	if !math.IsNaN(half(0x7e00)) {
		t.Error("NaN lost")
	}
}

func TestInstanceErrors(t *testing.T) {
	R := f8("R", "(1, 2, 1)", 1, 2)
	read := func(a ...npyArray) error {
		_, err := ReadInstances(writeNPZ(t, a...), contrast(1))
		return err
	}
	wantError(t, "no R", read(f8("X", "(1,)", 1)), "no array R", "X")
	wantError(t, "R of two dimensions", read(f8("R", "(2, 1)", 1, 2)), "array R", "R[None]")
	wantError(t, "empty R", read(f8("R", "(0, 2, 1)")), "empty")
	wantError(t, "NaN", read(f8("R", "(1, 2, 1)", 1, math.NaN())), "R[0, 1, 0] is NaN")
	wantError(t, "Fortran", read(npyArray{"R", "<f8", "(1, 2, 1)", true, []float64{1, 2}}), "Fortran", "ascontiguousarray")
	wantError(t, "big endian", read(npyArray{"R", ">f8", "(1, 2, 1)", false, []float64{1, 2}}), "big-endian", "astype")
	wantError(t, "complex", read(npyArray{"R", "<c16", "(1, 2, 1)", false, []complex128{1, 2}}), "array R")
	wantError(t, "object", read(npyArray{"R", "|O", "(1, 2, 1)", false, []float64{1, 2}}), "array R")
	wantError(t, "short", read(f8("R", "(1, 3, 1)", 1, 2)), "array R", "cut off")
	wantError(t, "huge", read(f8("R", "(1000000, 1000000, 1000000)", 1, 2)), "array R")
	wantError(t, "Y shape", read(R, f8("Y", "(2, 1)", 1, 0)), "array Y", "[1 2]")
	wantError(t, "Y value", read(R, f8("Y", "(1, 2)", 1, 2)), "Y[0, 1] is 2")
	wantError(t, "scale shape", read(R, f8("scale", "(2,)", 1, 2)), "array scale")
	wantError(t, "scale value", read(R, f8("scale", "(1,)", 0)), "scale[0] is 0")
	wantError(t, "S of two dimensions", read(R, f8("S", "(2, 2)", 0, 1, 1, 0)), "S[None]")
	wantError(t, "S shape", read(R, f8("S", "(1, 3, 3)", make([]float64, 9)...)), "array S")
	wantError(t, "asymmetric", read(R, f8("S", "(1, 2, 2)", 0, 1, 2, 0)), "S[0, 1, 0] is 2", "symmetric")
	wantError(t, "negative", read(R, f8("S", "(1, 2, 2)", 0, -1, -1, 0)), "S[0, 1, 0] is -1", "not negative")
	wantError(t, "NaN weight", read(R, f8("S", "(1, 2, 2)", 0, math.NaN(), math.NaN(), 0)), "NaN")
	wantError(t, "self loop", read(R, f8("S", "(1, 2, 2)", 1, 0, 0, 0)), "S[0, 0, 0] is 1", "diagonal")
	wantError(t, "Si shape", read(R, f8("Si", "(2, 2, 2)", make([]float64, 8)...)), "array Si")
	pixels := f8("R", "(1, 1, 2, 1)", 1, 2)
	wantError(t, "rgb shape", read(pixels, f8("rgb", "(1, 1, 2, 1)", 1, 2)), "array rgb")
	wantError(t, "S with pictures", read(pixels, f8("S", "(1, 2, 2)", 0, 1, 1, 0)), "pictures")

	whole, err := os.ReadFile(writeNPZ(t, R))
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.npz")
	os.WriteFile(cut, whole[:len(whole)/2], 0o644)
	_, err = ReadInstances(cut, InstanceOptions{})
	wantError(t, "truncated", err, "cut.npz", "not a complete .npz")
	_, err = ReadInstances(cut+"x", InstanceOptions{})
	wantError(t, "no file", err, "no such file")
}

func TestWriteFileKeepsTheOldOne(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.txt")
	os.WriteFile(path, []byte("old"), 0o644)
	boom := errors.New("boom")
	err := WriteFile(path, func(w io.Writer) error {
		io.WriteString(w, "half")
		return boom
	})
	if !errors.Is(err, boom) {
		t.Errorf("error %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("content %q", b)
	}
	if err := WriteFile(path, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "new" {
		t.Errorf("content %q", b)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("files left: %v", left)
	}
	if runtime.GOOS == "windows" {
		return
	}
	// Links and permissions stay.
	link := filepath.Join(dir, "link")
	if err := errors.Join(os.Chmod(path, 0o640), os.Symlink("out.txt", link)); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(link, func(w io.Writer) error { _, err := io.WriteString(w, "linked"); return err }); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "linked" {
		t.Errorf("content %q", b)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions: %v %v", info, err)
	}
	// A pipe is written to, not replaced.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if device := fmt.Sprintf("/dev/fd/%d", w.Fd()); fileExists(device) {
		if err := WriteFile(device, func(w io.Writer) error { _, err := io.WriteString(w, "piped"); return err }); err != nil {
			t.Fatal(err)
		}
		w.Close()
		if b, _ := io.ReadAll(r); string(b) != "piped" {
			t.Errorf("piped %q", b)
		}
	}
	wantError(t, "folder", WriteFile(dir, func(io.Writer) error { return nil }), "cannot be written", "directory")
	wantError(t, "no folder", WriteFile(filepath.Join(dir, "none", "x"), func(io.Writer) error { return nil }), "cannot be written")
}

func fileExists(path string) bool { _, err := os.Stat(path); return err == nil }

func TestWritePredictions(t *testing.T) {
	p := &infer.Prediction{Instances: []infer.InstancePrediction{
		{P1: []float64{0.1, 1.0 / 3}, Mean: []float64{-2, -1}, Variance: []float64{0, 5e-324}},
		{P1: []float64{1, 0}, Mean: []float64{1e300, 3}, Variance: []float64{1, 2}},
	}}
	var b bytes.Buffer
	if err := WritePredictionsCSV(&b, p); err != nil {
		t.Fatal(err)
	}
	want := "instance,node,p1,mean,variance\n0,0,0.1,-2,0\n0,1,0.3333333333333333,-1,5e-324\n1,0,1,1e+300,1\n1,1,0,3,2\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
	p.Instances[0].Lower, p.Instances[0].Upper = []float64{0, .25}, []float64{.5, .5}
	p.Instances[1].Lower, p.Instances[1].Upper = []float64{1, 0}, []float64{1, .125}
	b.Reset()
	if err := WritePredictionsCSV(&b, p, ExtraColumn{"split", func(j, i int) string { return []string{"train", `a,"b"`}[i] }}); err != nil {
		t.Fatal(err)
	}
	want = "instance,node,p1,mean,variance,lower,upper,split\n0,0,0.1,-2,0,0,0.5,train\n0,1,0.3333333333333333,-1,5e-324,0.25,0.5,\"a,\"\"b\"\"\"\n" +
		"1,0,1,1e+300,1,1,1,train\n1,1,0,3,2,0,0.125,\"a,\"\"b\"\"\"\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
	path := filepath.Join(t.TempDir(), "p.npz")
	if err := WriteFile(path, func(w io.Writer) error { return WritePredictionsNPZ(w, []int{2, 2}, p) }); err != nil {
		t.Fatal(err)
	}
	a, err := openArchive(path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.zip.Close()
	x, err := a.read("mean")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{2, 2}, x.shape); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]float64{-2, -1, 1e300, 3}, x.values); d != "" {
		t.Error(d)
	}
}

// A header must not make the reader allocate what the file cannot hold.
func TestLyingHeaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npz")
	for _, start := range []string{"\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'", "\x93NUMPY\x01\x00\xff\xff{'descr'", "\x93NUMPY", ""} {
		err := WriteFile(path, func(w io.Writer) error {
			z := zip.NewWriter(w)
			f, err := z.Create("R.npy")
			if err == nil {
				_, err = io.WriteString(f, start)
			}
			return errors.Join(err, z.Close())
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = ReadInstances(path, InstanceOptions{})
		wantError(t, fmt.Sprintf("%q", start), err, "array R", "not a NumPy array")
	}
}

func FuzzReadTable(f *testing.F) {
	f.Add([]byte(table))
	f.Add([]byte("a\n\"1\n"))
	f.Add([]byte{0x1f, 0x8b, 8, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ReadTableFrom(bytes.NewReader(b), "f")
		if err != nil {
			return
		}
		for _, c := range x.Columns() {
			x.Scores([]string{c})
			x.Labels(c)
			x.Mask(c + "=1")
		}
	})
}

func FuzzReadInstances(f *testing.F) {
	for _, a := range [][]npyArray{
		{f8("R", "(1, 2, 1)", 1, 2), f8("S", "(1, 2, 2)", 0, 1, 1, 0)},
		{npyArray{"row", "<i4", "(2,)", false, []int32{0, 1}}, npyArray{"col", "<i4", "(2,)", false, []int32{1, 0}}, f8("data", "(2,)", 2, 2), f8("shape", "(2,)", 3, 3)},
		{npyArray{"R", "<f2", "(1, 1, 2, 1)", false, []uint16{1, 2}}, npyArray{"rgb", "|u1", "(1, 1, 2, 3)", false, []uint8{1, 2, 3, 4, 5, 6}}},
	} {
		b, err := os.ReadFile(writeNPZ(f, a...))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	path := filepath.Join(f.TempDir(), "fuzz.npz")
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, _ = ReadGraphSpec(path, 3, "nodes.csv")
		in, err := ReadInstances(path, contrast(1))
		if err == nil {
			if err := in.Dataset.Validate(); err != nil {
				t.Errorf("read without error, but %v", err)
			}
		}
	})
}

// FuzzArrays damages the arrays within a sound archive.
func FuzzArrays(f *testing.F) {
	raw := func(a npyArray) []byte {
		z, err := zip.OpenReader(writeNPZ(f, a))
		if err != nil {
			f.Fatal(err)
		}
		defer z.Close()
		r, err := z.File[0].Open()
		if err != nil {
			f.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			f.Fatal(err)
		}
		return b
	}
	labels := raw(npyArray{"Y", "|i1", "(1, 2)", false, []int8{0, 1}})
	f.Add(raw(f8("R", "(1, 2, 1)", 1, 2)), labels, raw(f8("S", "(1, 2, 2)", 0, 1, 1, 0)), raw(f8("Si", "(1, 2, 2)", 0, 1, 1, 0)), raw(f8("scale", "(1,)", 10)), []byte{})
	f.Add(raw(npyArray{"R", "<f2", "(1, 1, 2, 1)", false, []uint16{1, 2}}), []byte{}, []byte{}, []byte{}, []byte{}, raw(npyArray{"rgb", "|u1", "(1, 1, 2, 3)", false, []uint8{1, 2, 3, 4, 5, 6}}))
	path := filepath.Join(f.TempDir(), "fuzz.npz")
	names := []string{"R", "Y", "S", "Si", "scale", "rgb"}
	f.Fuzz(func(t *testing.T, a0, a1, a2, a3, a4, a5 []byte) {
		var file bytes.Buffer
		z := zip.NewWriter(&file)
		for k, b := range [][]byte{a0, a1, a2, a3, a4, a5} {
			if len(b) == 0 {
				continue
			}
			w, err := z.CreateHeader(&zip.FileHeader{Name: names[k] + ".npy", Method: zip.Store})
			if err != nil {
				t.Fatal(err)
			}
			w.Write(b)
		}
		if err := errors.Join(z.Close(), os.WriteFile(path, file.Bytes(), 0o644)); err != nil {
			t.Fatal(err)
		}
		in, err := ReadInstances(path, contrast(1))
		if err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		if err := in.Dataset.Validate(); err != nil {
			t.Errorf("read without error, but %v", err)
		}
	})
}

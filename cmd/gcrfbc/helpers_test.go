package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc"
)

// cli runs a command line in-process.
func cli(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return cliWith(t, context.Background(), "", args...)
}

func cliWith(t *testing.T, ctx context.Context, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(ctx, args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// must runs a command line that has to succeed and returns its stdout.
func must(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := cli(t, args...)
	if code != exitOK {
		t.Fatalf("gcrfbc %s: exit %d\n%s", strings.Join(args, " "), code, errs)
	}
	return out
}

// object decodes stdout that has to hold one JSON object and nothing else.
func object(t *testing.T, stdout string) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(stdout))
	var o map[string]any
	if err := d.Decode(&o); err != nil {
		t.Fatalf("stdout is no JSON object: %v\n%s", err, stdout)
	}
	if d.More() {
		t.Fatalf("more than one JSON object:\n%s", stdout)
	}
	return o
}

// numbers checks that keys hold finite numbers.
func numbers(t *testing.T, o map[string]any, keys ...string) {
	t.Helper()
	for _, k := range keys {
		if v, ok := o[k].(float64); !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%s is %v, want a number", k, o[k])
		}
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readBack(t *testing.T, path string) *gcrfbc.Model {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	m, err := gcrfbc.ReadModel(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// onlyFiles checks that a folder holds nothing else, such as temporary files.
func onlyFiles(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, n := range names {
		want[n] = true
	}
	for _, e := range entries {
		if !want[e.Name()] {
			t.Errorf("%s left behind", e.Name())
		}
		delete(want, e.Name())
	}
	for n := range want {
		t.Errorf("%s is missing", n)
	}
}

// tiny is a node table with a ring of n nodes: classes in two arcs, scores that
// are wrong at every fifth node, alternating splits.
func tiny(t *testing.T, dir string, n int) (nodes, graph string) {
	t.Helper()
	var table, edges strings.Builder
	table.WriteString("node,class,a,b,split\n")
	edges.WriteString("i,j\n")
	for i := range n {
		y := 2 * i / n
		s := float64(2*y-1) + .3*math.Sin(float64(i))
		if i%5 == 0 {
			s = -s
		}
		if i%11 == 3 {
			y = 1 - y
		}
		fmt.Fprintf(&table, "%d,%d,%.4f,%.4f,%s\n", i, y, s, .5*s+.2*math.Cos(3*float64(i)), pick(i%3 == 2, "test", "train"))
		fmt.Fprintf(&edges, "%d,%d\n", i, (i+1)%n)
	}
	return write(t, dir, "nodes.csv", table.String()), write(t, dir, "graph.csv", edges.String())
}

// array is one array of an .npz file, little endian.
type array struct {
	descr string
	shape []int
	data  any // slice that encoding/binary can write
}

// npz writes an archive of arrays, stored as NumPy does.
func npz(t *testing.T, dir, name string, arrays map[string]array) string {
	t.Helper()
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	for key, a := range arrays {
		w, err := z.Create(key + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		var shape strings.Builder
		for _, s := range a.shape {
			fmt.Fprintf(&shape, "%d, ", s)
		}
		order := "False"
		descr, fortran := strings.CutSuffix(a.descr, "F")
		if fortran {
			order = "True"
		}
		head := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", descr, order, shape.String())
		head += strings.Repeat(" ", (64-(len(head)+11)%64)%64) + "\n"
		var b bytes.Buffer
		b.WriteString("\x93NUMPY\x01\x00")
		_ = binary.Write(&b, binary.LittleEndian, uint16(len(head)))
		b.WriteString(head)
		if err := binary.Write(&b, binary.LittleEndian, a.data); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(b.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, dir, name, file.String())
}

// instances makes M paths of 4 nodes with 2 predictors and 1 shared graph.
func instances(m int) map[string]array {
	const n, k = 4, 2
	r, y := make([]float64, m*n*k), make([]int8, m*n)
	for i := range y {
		y[i] = int8(i / 2 % 2)
		s := float64(2*y[i]-1) * (1 + .5*math.Sin(float64(7*i)))
		if i%7 == 0 {
			s = -s
		}
		if i%13 == 5 {
			y[i] = 1 - y[i]
		}
		r[i*k], r[i*k+1] = s, math.Cos(float64(i))
	}
	s := make([]float64, n*n)
	for i := range n - 1 {
		s[i*n+i+1], s[(i+1)*n+i] = 1, 1
	}
	return map[string]array{
		"R": {"<f8", []int{m, n, k}, r},
		"Y": {"|i1", []int{m, n}, y},
		"S": {"<f8", []int{1, n, n}, s},
	}
}

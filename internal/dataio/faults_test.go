package dataio

import (
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

func TestTableCornerCases(t *testing.T) {
	// A byte order mark before a quoted name, the unnamed first columns of
	// data frames, CRLF, spaces, blank lines.
	x := parse(t, "\ufeff\"a\",,, c \r\n 1 ,0,0, 0 \r\n\r\n2,1,1,1\r\n")
	if d := cmp.Diff([]string{"a", "", "", "c"}, x.Columns()); d != "" {
		t.Error(d)
	}
	if s, err := x.Scores([]string{"a"}); err != nil || s[0] != 1 || s[1] != 2 {
		t.Errorf("%v %v", s, err)
	}
	// The row after a blank line is named by its own line.
	_, err := parse(t, "a,b\n1,2\n\nx,2\n").Scores([]string{"a"})
	wantError(t, "line", err, "nodes.csv:4:1", "node 1")
	if fields, err := x.Column("a"); err != nil || fields[1] != "2" {
		t.Errorf("%q %v", fields, err)
	}
	_, err = x.Column("d")
	wantError(t, "column", err, "nodes.csv:1", `"d"`)

	_, err = parse(t, "class,a\nnan,1\n1,1\n").Labels("class=1")
	wantError(t, "NaN against the rest", err, "nodes.csv:2:1", "-1 or nothing")
	for _, spec := range []string{"class=", "class=-1", "class=-1.0"} {
		_, err = parse(t, "class,a\n-1,1\n1,1\n").Labels(spec)
		wantError(t, spec, err, "column class", "missing", "-1, 1")
	}
	_, err = parse(t, "class;a\n1;2\n").Scores([]string{"a"})
	wantError(t, "semicolons", err, "commas")
	_, err = parse(t, "a,b\n,1\n").Scores([]string{"a"})
	wantError(t, "empty score", err, "nodes.csv:2:1", "is empty", "fill in")
	_, err = parse(t, "a,b\n1e999,1\n").Scores([]string{"a"})
	wantError(t, "overflow", err, "nodes.csv:2:1", "finite")
	_, err = ReadTableFrom(strings.NewReader("class\n1\n\n0\n"), "one.csv")
	wantError(t, "blank line of one column", err, "one.csv:3", "blank")
	_, err = ReadTableFrom(strings.NewReader("node,a\n0,1\nx,1\n"), "nodes.csv")
	wantError(t, "node no number", err, "nodes.csv:3:1", `"x"`)
	_, err = parse(t, "a,b\n"+strings.Repeat("x", 9999)+",1\n").Scores([]string{"a"})
	if wantError(t, "long field", err, "…"); len(err.Error()) > 300 {
		t.Errorf("a message of %d bytes", len(err.Error()))
	}
}

func TestDamagedGzip(t *testing.T) {
	var z bytes.Buffer
	g := gzip.NewWriter(&z)
	_, _ = io.WriteString(g, "a,b\n")
	for i := range 3000 {
		_, _ = fmt.Fprintf(g, "%d,%d\n", i, i*i)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	whole := z.Bytes()
	for _, n := range []int{2, 5, 12, len(whole) / 2, len(whole) - 1} {
		_, err := ReadTableFrom(bytes.NewReader(whole[:n]), "cut.gz")
		wantError(t, fmt.Sprintf("cut to %d", n), err, "cut.gz", "end early or are damaged")
	}
	for _, at := range []int{len(whole) / 3, len(whole) - 6} {
		bad := bytes.Clone(whole)
		bad[at] ^= 0x55
		if _, err := ReadTableFrom(bytes.NewReader(bad), "bad.gz"); err == nil {
			t.Errorf("byte %d changed: no error", at)
		}
	}
	failing := io.MultiReader(strings.NewReader("a\n1\n"), failingReader{})
	_, err := ReadTableFrom(failing, "f.csv")
	if wantError(t, "read error", err, "cannot be read", "no luck"); !errors.Is(err, errLuck) {
		t.Errorf("cause lost: %v", err)
	}
}

var errLuck = errors.New("no luck")

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errLuck }

func TestGraphSpecNames(t *testing.T) {
	dir := t.TempDir()
	save := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	comma := save("a,b.csv", "i,j\n0,1\n")
	for spec, normalized := range map[string]bool{comma: false, comma + ",normalized": true} {
		g, info, err := ReadGraphSpec(spec, 2, "nodes.csv")
		if err != nil || g.NumEdges() != 1 || info != (gcrfbc.GraphInfo{Name: "a,b.csv", Normalized: normalized}) {
			t.Errorf("%s: %+v %v", spec, info, err)
		}
	}
	list := save("edges.csv", "i,j\n0,1\n1,4\n")
	_, _, err := ReadGraphSpec(list, 3, "nodes.csv")
	wantError(t, "edge list beyond the table", err, "edges.csv:3", "5 nodes", "nodes.csv has 3 rows")
	var cause *sparse.ParseError
	if !errors.As(err, &cause) || cause.Fault != sparse.FaultRange {
		t.Errorf("cause lost: %v", err)
	}
	market := save("g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n7 7 1\n2 1\n")
	for _, n := range []int{3, 9} {
		_, _, err = ReadGraphSpec(market, n, "nodes.csv")
		wantError(t, "Matrix Market", err, "g.mtx", "7 nodes", fmt.Sprintf("nodes.csv has %d rows", n))
	}
	// A graph that is faulty in itself keeps its own message.
	_, _, err = ReadGraphSpec(save("bad.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n4 1\n"), 3, "nodes.csv")
	if pe := (*sparse.ParseError)(nil); !errors.As(err, &pe) || pe.Line != 3 || strings.Contains(err.Error(), "nodes.csv") {
		t.Errorf("faulty graph: %v", err)
	}
}

// raw makes an array of n items of a type whose bytes are b.
func raw(name, descr, shape string, b ...byte) npyArray {
	return npyArray{name, descr, shape, false, b}
}

func TestTypes(t *testing.T) {
	one := map[string][]byte{
		"|b1": {1}, "|i1": {1}, "|u1": {1}, "<i2": {1, 0}, "<u2": {1, 0}, "<i4": {1, 0, 0, 0}, "<u4": {1, 0, 0, 0},
		"<i8": {1, 0, 0, 0, 0, 0, 0, 0}, "<u8": {1, 0, 0, 0, 0, 0, 0, 0},
		"<f2": {0, 0x3c}, "<f4": {0, 0, 0x80, 0x3f}, "<f8": {0, 0, 0, 0, 0, 0, 0xf0, 0x3f},
	}
	minus := map[string][]byte{
		"|i1": {255}, "<i2": {255, 255}, "<i4": {255, 255, 255, 255}, "<i8": {255, 255, 255, 255, 255, 255, 255, 255},
		"<f2": {0, 0xbc}, "<f4": {0, 0, 0x80, 0xbf}, "<f8": {0, 0, 0, 0, 0, 0, 0xf0, 0xbf},
	}
	for descr, b := range one {
		y := append(bytes.Clone(b), make([]byte, len(b))...)
		want, shape := []int8{1, 0}, "(1, 2)"
		r := append(bytes.Clone(b), make([]byte, len(b))...)
		if m, signed := minus[descr]; signed {
			y, want = append(y[:len(b):len(b)], m...), []int8{1, gcrfbc.Missing}
		}
		in, err := ReadInstances(writeNPZ(t, raw("R", descr, "(1, 2, 1)", r...), raw("Y", descr, shape, y...)), InstanceOptions{})
		if err != nil {
			t.Errorf("%s: %v", descr, err)
			continue
		}
		if d := cmp.Diff(want, in.Dataset.Instances[0].Labels); d != "" {
			t.Errorf("%s: %s", descr, d)
		}
		if d := cmp.Diff([]float64{1, 0}, in.Dataset.Instances[0].Scores); d != "" {
			t.Errorf("%s: %s", descr, d)
		}
	}
	R := f8("R", "(1, 2, 1)", 1, 2)
	for _, c := range []struct{ descr, says string }{
		{"|O", "Python objects"}, {"<U3", "<U3"}, {"|S2", "|S2"}, {"<c8", "<c8"}, {">i4", "big-endian"}, {">f2", "big-endian"}, {"<f16", "<f16"}, {"<M8[s]", "<M8[s]"},
	} {
		_, err := ReadInstances(writeNPZ(t, R, raw("Y", c.descr, "(1, 2)", make([]byte, 64)...)), InstanceOptions{})
		wantError(t, c.descr, err, "array Y", c.says, "Y.astype('<f8')")
	}
	in, err := ReadInstances(writeNPZ(t, R, f8("Y", "(1, 2)", math.NaN(), 1)), InstanceOptions{})
	if err != nil || in.Dataset.Instances[0].Labels[0] != gcrfbc.Missing {
		t.Errorf("NaN label: %v", err)
	}
	for _, y := range []float64{.5, 2, -2, math.Inf(1)} {
		_, err := ReadInstances(writeNPZ(t, R, f8("Y", "(1, 2)", 1, y)), InstanceOptions{})
		wantError(t, fmt.Sprint(y), err, "array Y", "Y[0, 1] is", "0, 1, or")
	}
}

// Every half is read as a half: sign, exponent and fraction by their definition.
func TestAllHalves(t *testing.T) {
	for b := range 1 << 16 {
		exp, frac := b>>10&31, float64(b&1023)
		want := math.Ldexp(1024+frac, exp-25)
		switch {
		case exp == 0:
			want = math.Ldexp(frac, -24)
		case exp == 31 && frac != 0:
			want = math.NaN()
		case exp == 31:
			want = math.Inf(1)
		}
		if b>>15 == 1 {
			want = -want
		}
		if got := half(uint16(b)); got != want && !(math.IsNaN(got) && math.IsNaN(want)) || math.Signbit(got) != (b>>15 == 1) {
			t.Fatalf("half(%#04x) = %v, want %v", b, got, want)
		}
	}
}

func TestArchiveFaults(t *testing.T) {
	read := func(path string, o InstanceOptions) error {
		_, err := ReadInstances(path, o)
		return err
	}
	R := f8("R", "(1, 2, 1)", 1, 2)
	wantError(t, "overflow", read(writeNPZ(t, f8("R", "(1, 2, 1)", 1, 1e300), f8("scale", "(1,)", 1e-300)), InstanceOptions{}), "array scale", "R[0, 1, 0]", "overflows")
	for _, s := range []float64{-1, math.NaN(), math.Inf(1)} {
		wantError(t, "scale", read(writeNPZ(t, R, f8("scale", "(1,)", s)), InstanceOptions{}), "array scale", "scale[0] is", "positive")
	}
	wantError(t, "infinite weight", read(writeNPZ(t, R, f8("S", "(1, 2, 2)", 0, math.Inf(1), math.Inf(1), 0)), InstanceOptions{}), "S[0, 1, 0] is +Inf")
	wantError(t, "one infinite", read(writeNPZ(t, R, f8("S", "(1, 2, 2)", 0, math.Inf(1), 1, 0)), InstanceOptions{}), "array S", "symmetric")
	wantError(t, "more data", read(writeNPZ(t, f8("R", "(1, 2, 1)", 1, 2, 3)), InstanceOptions{}), "array R", "more data")
	wantError(t, "negative shape", read(writeNPZ(t, f8("R", "(1, -2, 1)", 1, 2)), InstanceOptions{}), "array R", "shape")
	two := f8("Si", "(2, 1, 2, 2)", 0, 1, 1, 0, 0, 1, 3, 0)
	wantError(t, "asymmetric Si", read(writeNPZ(t, f8("R", "(2, 2, 1)", 1, 2, 3, 4), two), InstanceOptions{}), "array Si", "Si[1, 0, 1, 0] is 3")
	pixels := f8("R", "(1, 1, 2, 1)", 1, 2)
	if _, err := ReadInstances(writeNPZ(t, pixels), InstanceOptions{Colours: []picture.Colour{{Contrast: -1}}}); err == nil || !strings.Contains(err.Error(), "colour graph 0: contrast is -1") {
		t.Errorf("negative contrast: %v", err)
	}
	wantError(t, "colour", read(writeNPZ(t, pixels, f8("rgb", "(1, 1, 2, 3)", 0, 0, 0, 0, math.NaN(), 0)), contrast(1)), "array rgb", "picture 0, pixel (0, 1)")

	// Changed data that still are numbers are noticed by their checksum.
	path := filepath.Join(t.TempDir(), "x.npz")
	p := &infer.Prediction{Instances: []infer.InstancePrediction{{P1: []float64{.5}, Mean: []float64{1}, Variance: []float64{1}}}}
	if err := WriteFile(path, func(w io.Writer) error { return WritePredictionsNPZ(w, []int{1, 1}, p) }); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[bytes.Index(b, []byte("PK\x01\x02"))+16] ^= 1 // in the directory, what a change of the data comes to
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := openArchive(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.zip.Close() }()
	_, err = a.read("P1")
	wantError(t, "checksum", err, "array P1", "damaged")
	if _, err = a.read("mean"); err != nil {
		t.Errorf("the sound array: %v", err)
	}

	single := filepath.Join(t.TempDir(), "r.npy")
	if err := os.WriteFile(single, []byte("\x93NUMPY\x01\x00and more"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantError(t, "npy", read(single, InstanceOptions{}), "r.npy", "savez")
}

// The directory of an archive may lie about sizes as headers may: what is
// allocated is bounded by what is there.
func TestLyingDirectory(t *testing.T) {
	path := writeNPZ(t, f8("R", "(1, 100000000, 1)", 1, 2))
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	central := bytes.Index(b, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(b[central+24:], 900_000_000) // uncompressed size
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = ReadInstances(path, InstanceOptions{})
	runtime.ReadMemStats(&after)
	wantError(t, "size", err, "array R")
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
		t.Errorf("%d bytes allocated for a file of %d", grown, len(b))
	}
}

func TestPlainPictures(t *testing.T) {
	// Equal colours, hardly different ones, and a single pixel.
	R := f8("R", "(1, 1, 2, 1)", 1, 2)
	for _, c := range []struct {
		blue float64
		want float64
	}{{0, 1}, {1e-158, math.Exp(-3)}} {
		in, err := ReadInstances(writeNPZ(t, R, f8("rgb", "(1, 1, 2, 3)", 0, 0, 0, 0, 0, c.blue)), contrast(3))
		if err != nil {
			t.Fatal(err)
		}
		if w := in.Dataset.Instances[0].Graphs[0].Weights(); len(w) != 1 || math.Abs(w[0]-c.want) > 1e-15 {
			t.Errorf("blue %v: weights %v, want %v", c.blue, w, c.want)
		}
	}
	in, err := ReadInstances(writeNPZ(t, f8("R", "(1, 1, 1, 1)", 1), f8("rgb", "(1, 1, 1, 3)", 1, 2, 3)), contrast(3))
	if err != nil || in.Dataset.Validate() != nil {
		t.Errorf("one pixel: %v", err)
	}
}

func TestWritersReportFailure(t *testing.T) {
	dir := t.TempDir()
	p := &infer.Prediction{Instances: []infer.InstancePrediction{{P1: []float64{.5, .5}, Mean: []float64{0, 0}, Variance: []float64{1, 1}}}}
	err := WriteFile(filepath.Join(dir, "p.npz"), func(w io.Writer) error { return WritePredictionsNPZ(w, []int{3, 1}, p) })
	wantError(t, "shape", err, "p.npz", "[3 1]")
	func() {
		defer func() { _ = recover() }()
		_ = WriteFile(filepath.Join(dir, "x"), func(io.Writer) error { panic("writer") })
	}()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("files left: %v", left)
	}
	if err := WritePredictionsCSV(failingWriter{}, p); !errors.Is(err, errLuck) {
		t.Errorf("CSV: %v", err)
	}
	if err := WritePredictionsNPZ(failingWriter{}, []int{1, 2}, p); !errors.Is(err, errLuck) {
		t.Errorf("npz: %v", err)
	}
	var b bytes.Buffer
	if err := WritePredictionsCSV(&b, p); err != nil || !strings.HasPrefix(b.String(), "node,p1,mean,variance\n0,0.5,0,1\n") {
		t.Errorf("one instance: %q %v", b.String(), err)
	}
	if os.Geteuid() > 0 && runtime.GOOS != "windows" { // nothing stops root
		locked := filepath.Join(dir, "locked")
		if err := os.Mkdir(locked, 0o500); err != nil {
			t.Fatal(err)
		}
		wantError(t, "locked folder", WriteFile(filepath.Join(locked, "x"), func(io.Writer) error { return nil }), "cannot be written", "permission denied")
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errLuck }

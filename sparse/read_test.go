package sparse_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/gcrfbc/gcrfbc/sparse"
)

const banner = "%%MatrixMarket matrix coordinate "

func readGraph(text string, o sparse.ReadOptions) (*sparse.Graph, error) {
	return sparse.ReadGraph(strings.NewReader(text), "file", o)
}

func TestReadGraph(t *testing.T) {
	triangle := []sparse.Edge{{1, 0, 1}, {2, 0, 1}, {2, 1, 1}}
	weighted := []sparse.Edge{{1, 0, 0.5}, {2, 0, 0}, {2, 1, 3}}
	for name, c := range map[string]struct {
		text string
		n    int // nodes, in and out; -n gives nothing in
		want []sparse.Edge
	}{
		"pattern symmetric":  {banner + "pattern symmetric\n3 3 3\n2 1\n3 1\n3 2\n", -3, triangle},
		"upper triangle":     {banner + "pattern symmetric\n3 3 3\n1 2\n1 3\n3 2\n", 3, triangle},
		"real symmetric":     {banner + "real symmetric\n3 3 3\n2 1 0.5\n3 1 0\n3 2 +3e0\n", -3, weighted},
		"real general":       {banner + "real general\n3 3 6\n2 1 0.5\n3 1 0\n3 2 3\n1 2 5e-1\n2 3 3\n1 3 -0\n", -3, weighted},
		"integer":            {banner + "integer symmetric\n2 2 1\n2 1 7\n", -2, []sparse.Edge{{1, 0, 7}}},
		"upper-case banner":  {"%%MATRIXMARKET MATRIX Coordinate PATTERN Symmetric\n3 3 3\n2 1\n3 1\n3 2\n", -3, triangle},
		"comments, blanks":   {banner + "pattern symmetric\n% a\n\n%b\n  3\t3  3 \n% c\n 2 1\n\n3\t1\t\n% d\n3 2", -3, triangle},
		"CRLF":               {banner + "pattern symmetric\r\n3 3 3\r\n2 1\r\n3 1\r\n3 2\r\n", -3, triangle},
		"isolated nodes":     {banner + "pattern symmetric\n5 5 1\n3 2\n", -5, []sparse.Edge{{2, 1, 1}}},
		"no edges":           {banner + "pattern general\n4 4 0\n", -4, nil},
		"no nodes":           {banner + "real symmetric\n0 0 0\n", 0, nil},
		"edge list":          {"i,j\n0,1\n2,0\n1,2\n", -3, triangle},
		"edge list weights":  {"i,j,w\n0,1,.5\n2,0,0\n1,2,3.\n", -3, weighted},
		"edge list N":        {"source,target\n0,1\n", 5, []sparse.Edge{{1, 0, 1}}},
		"edge list names":    {"\"From\" , TO,\"Weight\"\r\n 0 ,1 , 2 \r\n", -2, []sparse.Edge{{1, 0, 2}}},
		"edge list comments": {"# made by hand\n\nu,v\n# one\n0,1\n\n", -2, []sparse.Edge{{1, 0, 1}}},
		"byte order mark":    {"\xef\xbb\xbfi,j\n0,1", -2, []sparse.Edge{{1, 0, 1}}},
		"no edges in list":   {"i,j\n", 0, nil},
		"nodes, no edges":    {"i,j\n", 3, nil},
	} {
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		z.Write([]byte(c.text))
		z.Close()
		for kind, r := range map[string]io.Reader{
			"plain":  strings.NewReader(c.text),
			"gzip":   bytes.NewReader(zipped.Bytes()),
			"slowly": iotest.OneByteReader(bytes.NewReader(zipped.Bytes())),
			"slower": iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(c.text))),
		} {
			g, err := sparse.ReadGraph(r, "file", sparse.ReadOptions{N: max(0, c.n)})
			if err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
				continue
			}
			checkPattern(t, g.Pattern())
			if diff := cmp.Diff(g.Edges(), append([]sparse.Edge{}, c.want...)); diff != "" || g.N() != max(c.n, -c.n) {
				t.Errorf("%s, %s: N %d %s", name, kind, g.N(), diff)
			}
		}
	}
}

// TestReadGraphErrors has every kind of fault, its place, and a word of the
// message that shows the entry or the remedy.
func TestReadGraphErrors(t *testing.T) {
	sym, gen, pat := banner+"real symmetric\n", banner+"real general\n", banner+"pattern symmetric\n"
	for name, c := range map[string]struct {
		text         string
		n            int
		fault        sparse.Fault
		line, column int
		says         string
	}{
		"empty file":           {"", 0, sparse.FaultBanner, 0, 0, "empty"},
		"blank file":           {"\n\n", 0, sparse.FaultBanner, 2, 0, "empty"},
		"other banner":         {"%MatrixMarket\n", 0, sparse.FaultBanner, 1, 1, "want %%MatrixMarket"},
		"short banner":         {"%%MatrixMarket matrix\n", 0, sparse.FaultBanner, 1, 1, "incomplete"},
		"array":                {"%%MatrixMarket matrix array real general\n", 0, sparse.FaultBanner, 1, 1, "array"},
		"complex":              {banner + "complex general\n", 0, sparse.FaultBanner, 1, 1, "complex"},
		"skew":                 {banner + "real skew-symmetric\n", 0, sparse.FaultBanner, 1, 1, "skew"},
		"no size":              {pat + "% nothing\n", 0, sparse.FaultSize, 2, 0, "size line"},
		"two sizes":            {pat + "3 3\n", 0, sparse.FaultSize, 2, 4, "three"},
		"four sizes":           {pat + "3 3 3 3\n", 0, sparse.FaultSize, 2, 7, "three"},
		"size a word":          {pat + "3 x 3\n", 0, sparse.FaultSize, 2, 3, "three"},
		"negative size":        {pat + "3 3 -1\n", 0, sparse.FaultSize, 2, 5, "three"},
		"not square":           {pat + "3 4 0\n", 0, sparse.FaultSize, 2, 0, "3×4"},
		"general not square":   {gen + "3 4 0\n", 0, sparse.FaultSize, 2, 0, "3×4"},
		"beyond int32":         {pat + "2147483648 2147483648 0\n", 0, sparse.FaultSize, 2, 1, "32-bit"},
		"beyond int64":         {pat + "99999999999999999999999 1 0\n", 0, sparse.FaultSize, 2, 1, "32-bit"},
		"too many nodes":       {pat + "2147483647 2147483647 1\n2 1\n", 0, sparse.FaultSize, 2, 0, "MaxNodes"},
		"lying header":         {pat + "10 10 1000000000000\n2 1\n", 0, sparse.FaultCount, 3, 0, "1 of the 1000000000000"},
		"other N":              {pat + "3 3 0\n", 4, sparse.FaultSize, 2, 0, "4 nodes"},
		"fewer":                {pat + "3 3 2\n2 1\n", 0, sparse.FaultCount, 3, 0, "1 of the 2"},
		"more":                 {pat + "3 3 1\n2 1\n3 1\n", 0, sparse.FaultCount, 4, 0, "1 declared on line 2"},
		"one field":            {pat + "3 3 1\n2\n", 0, sparse.FaultSyntax, 3, 0, "column"},
		"row a word":           {pat + "3 3 1\ntwo 1\n", 0, sparse.FaultNumber, 3, 1, `"two"`},
		"row a fraction":       {pat + "3 3 1\n2.0 1\n", 0, sparse.FaultNumber, 3, 1, `"2.0"`},
		"column a word":        {pat + "3 3 1\n2 one\n", 0, sparse.FaultNumber, 3, 3, `"one"`},
		"row 0":                {pat + "3 3 1\n0 1\n", 0, sparse.FaultRange, 3, 1, "from 1"},
		"row beyond":           {pat + "3 3 1\n4 1\n", 0, sparse.FaultRange, 3, 1, "1…3"},
		"column beyond":        {pat + "3 3 1\n1 4\n", 0, sparse.FaultRange, 3, 3, "1…3"},
		"column negative":      {pat + "3 3 1\n1 -4\n", 0, sparse.FaultRange, 3, 3, "1…3"},
		"row of 30 digits":     {pat + "3 3 1\n111111111111111111111111111111 1\n", 0, sparse.FaultRange, 3, 1, "1…3"},
		"no value":             {sym + "3 3 1\n2 1\n", 0, sparse.FaultSyntax, 3, 0, "no value"},
		"value a word":         {sym + "3 3 1\n2 1 many\n", 0, sparse.FaultNumber, 3, 5, `"many"`},
		"hexadecimal":          {sym + "3 3 1\n2 1 0x1p2\n", 0, sparse.FaultNumber, 3, 5, "0x1p2"},
		"underscore":           {sym + "3 3 1\n2 1 1_0\n", 0, sparse.FaultNumber, 3, 5, "1_0"},
		"two points":           {sym + "3 3 1\n2 1 1.0.0\n", 0, sparse.FaultNumber, 3, 5, "1.0.0"},
		"sign only":            {sym + "3 3 1\n2 1 -\n", 0, sparse.FaultNumber, 3, 5, `"-"`},
		"NaN":                  {sym + "3 3 1\n2 1 nan\n", 0, sparse.FaultNotFinite, 3, 5, "nan"},
		"Inf":                  {sym + "3 3 1\n2 1 -Inf\n", 0, sparse.FaultNotFinite, 3, 5, "-Inf"},
		"overflow":             {sym + "3 3 1\n2 1 1e999\n", 0, sparse.FaultNotFinite, 3, 5, "1e999"},
		"negative weight":      {sym + "3 3 1\n2 1 -0.5\n", 0, sparse.FaultNegative, 3, 5, "(2, 1)"},
		"extra column":         {pat + "3 3 1\n2 1 0.5\n", 0, sparse.FaultSyntax, 3, 5, "more fields"},
		"extra value":          {sym + "3 3 1\n2 1 0.5 3\n", 0, sparse.FaultSyntax, 3, 9, "more fields"},
		"self loop":            {sym + "3 3 1\n2 2 1\n", 0, sparse.FaultSelfLoop, 3, 0, "(2, 2)"},
		"duplicate":            {pat + "3 3 3\n2 1\n% c\n3 1\n\n2 1\n", 0, sparse.FaultDuplicate, 7, 0, "line 3"},
		"mirrored duplicate":   {pat + "3 3 2\n2 1\n1 2\n", 0, sparse.FaultDuplicate, 4, 0, "line 3"},
		"general duplicate":    {gen + "3 3 2\n2 1 1\n2 1 1\n", 0, sparse.FaultDuplicate, 4, 0, "line 3"},
		"general dup. above":   {gen + "3 3 3\n2 1 1\n1 2 1\n1 2 1\n", 0, sparse.FaultDuplicate, 5, 0, "line 4"},
		"unequal":              {gen + "3 3 2\n2 1 1\n1 2 3\n", 0, sparse.FaultAsymmetric, 4, 0, "(2, 1) is 1 on line 3, but (1, 2) is 3 on line 4"},
		"lower alone":          {gen + "3 3 3\n2 1 1\n1 2 1\n3 1 1\n", 0, sparse.FaultAsymmetric, 5, 0, "not (1, 3)"},
		"upper alone":          {gen + "3 3 3\n2 1 1\n1 2 1\n1 3 1\n", 0, sparse.FaultAsymmetric, 5, 0, "not (3, 1)"},
		"overflowing degrees":  {sym + "3 3 2\n2 1 1e308\n3 1 1.7e308\n", 0, sparse.FaultNotFinite, 0, 0, "scale"},
		"long line":            {pat + strings.Repeat("3", 1<<19), 0, sparse.FaultSyntax, 2, 0, "bytes"},
		"list without header":  {"0,1\n", 0, sparse.FaultBanner, 1, 1, "header"},
		"list, other header":   {"a,b\n0,1\n", 0, sparse.FaultBanner, 1, 1, "i,j"},
		"list, other weight":   {"i,j,label\n0,1,2\n", 0, sparse.FaultBanner, 1, 1, "i,j"},
		"list, four columns":   {"i,j,w,t\n0,1,2,3\n", 0, sparse.FaultBanner, 1, 1, "i,j"},
		"list, one field":      {"i,j\n0\n", 0, sparse.FaultSyntax, 2, 0, "two nodes"},
		"list, no second":      {"i,j\n0,\n", 0, sparse.FaultNumber, 2, 3, "whole"},
		"list, no weight":      {"i,j,w\n0,1\n", 0, sparse.FaultSyntax, 2, 4, "no weight"},
		"list, empty weight":   {"i,j,w\n0,1,\n", 0, sparse.FaultNumber, 2, 5, "not a number"},
		"list, extra":          {"i,j\n0,1,1\n", 0, sparse.FaultSyntax, 2, 4, "more fields"},
		"list, extra weight":   {"i,j,w\n0,1,1,\n", 0, sparse.FaultSyntax, 2, 6, "more fields"},
		"list, blanks":         {"i,j\n0 1\n", 0, sparse.FaultSyntax, 2, 3, "commas"},
		"list, word":           {"i,j\na,1\n", 0, sparse.FaultNumber, 2, 1, `"a"`},
		"list, negative":       {"i,j\n0,-1\n", 0, sparse.FaultRange, 2, 3, "from 0"},
		"list, beyond N":       {"i,j\n0,5\n", 5, sparse.FaultRange, 2, 3, "0…4"},
		"list, beyond int32":   {"i,j\n0,2147483647\n", 0, sparse.FaultRange, 2, 3, "32-bit"},
		"list, many nodes":     {"i,j\n0,1\n0,2000000000\n", 0, sparse.FaultSize, 3, 0, "MaxNodes"},
		"list, self loop":      {"i,j\n3,3\n", 0, sparse.FaultSelfLoop, 2, 0, "(3, 3)"},
		"list, negative w":     {"i,j,w\n3,4,-1\n", 0, sparse.FaultNegative, 2, 5, "≥ 0"},
		"list, NaN":            {"i,j,w\n3,4,NaN\n", 0, sparse.FaultNotFinite, 2, 5, "NaN"},
		"list, duplicate":      {"i,j\n3,4\n# c\n4,3\n", 0, sparse.FaultDuplicate, 4, 0, "line 2"},
		"list, fault at start": {"i,j\n9,9\n", 0, sparse.FaultSelfLoop, 2, 0, "remove"},
	} {
		g, err := readGraph(c.text, sparse.ReadOptions{N: c.n})
		var p *sparse.ParseError
		switch {
		case g != nil || !errors.As(err, &p):
			t.Errorf("%s: error %v", name, err)
		case p.Fault != c.fault || p.Line != c.line || p.Column != c.column || p.File != "file":
			t.Errorf("%s: %v (fault %v), want fault %v at %d:%d", name, err, p.Fault, c.fault, c.line, c.column)
		case !strings.Contains(p.Msg, c.says):
			t.Errorf("%s: %q does not say %q", name, p.Msg, c.says)
		}
	}
	if _, err := readGraph("i,j\n", sparse.ReadOptions{N: -1}); err == nil {
		t.Error("negative N accepted")
	}
	if g, err := readGraph("i,j\n0,20000000\n", sparse.ReadOptions{MaxNodes: 30_000_000}); err != nil || g.N() != 20_000_001 {
		t.Errorf("MaxNodes raised: %v", err)
	}
}

func TestTruncatedAndDamagedGzip(t *testing.T) {
	defer goleak.VerifyNone(t)
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	if err := sparse.WriteMatrixMarket(z, sparse.Grid2D(200, 200)); err != nil {
		t.Fatal(err)
	}
	z.Close()
	whole := buf.Bytes()
	for _, n := range []int{2, 5, 9, 20, len(whole) / 2, len(whole) - 9, len(whole) - 1} {
		_, err := sparse.ReadGraph(bytes.NewReader(whole[:n]), "cut.gz", sparse.ReadOptions{})
		var p *sparse.ParseError
		if !errors.As(err, &p) || p.Fault != sparse.FaultTruncated || !strings.Contains(p.Msg, "ends early") {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
	bad := bytes.Clone(whole)
	bad[len(bad)-6] ^= 0xff // checksum
	var p *sparse.ParseError
	if _, err := sparse.ReadGraph(bytes.NewReader(bad), "bad.gz", sparse.ReadOptions{}); !errors.As(err, &p) || p.Fault != sparse.FaultTruncated || !errors.Is(err, gzip.ErrChecksum) {
		t.Errorf("damaged: %v", err)
	}
	// A fault found early must not leave the reading goroutine behind.
	z.Reset(&buf)
	fmt.Fprintf(z, "i,j\nx,y\n%s", strings.Repeat("0,1\n", 1<<20))
	z.Close()
	if _, err := sparse.ReadGraph(&buf, "x", sparse.ReadOptions{}); err == nil {
		t.Error("no error")
	}
}

func TestReadFailure(t *testing.T) {
	boom := errors.New("boom")
	for _, head := range []string{"", "i", "i,j\n0,1\n"} {
		_, err := sparse.ReadGraph(io.MultiReader(strings.NewReader(head), iotest.ErrReader(boom)), "net", sparse.ReadOptions{})
		var p *sparse.ParseError
		if !errors.As(err, &p) || p.Fault != sparse.FaultRead || !errors.Is(err, boom) {
			t.Errorf("after %q: %v", head, err)
		}
	}
	_, err := sparse.ReadGraphFile(filepath.Join(t.TempDir(), "none.mtx"), sparse.ReadOptions{})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func TestReadMatrixMarket(t *testing.T) {
	text := banner + "real general\n2 3 3\n1 3 -2\n2 1 1.5\n1 1 4\n"
	a, err := sparse.ReadMatrixMarket(strings.NewReader(text), "file", sparse.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := mat.NewDense(2, 3, []float64{4, 0, -2, 1.5, 0, 0}); !mat.Equal(a, want) {
		t.Errorf("got %v", mat.Formatted(a))
	}
	text = banner + "real symmetric\n2 2 2\n1 2 -2\n2 2 1.5\n"
	want := mat.NewSymDense(2, []float64{0, -2, -2, 1.5})
	a, err = sparse.ReadMatrixMarket(strings.NewReader(text), "file", sparse.ReadOptions{})
	if err != nil || !mat.Equal(a, want) {
		t.Errorf("symmetric as CSR: %v %v", a, err)
	}
	for _, text := range []string{text, banner + "real general\n2 2 3\n1 2 -2\n2 2 1.5\n2 1 -2\n"} {
		s, err := sparse.ReadSymmetricMatrixMarket(strings.NewReader(text), "file", sparse.ReadOptions{})
		if err != nil || !mat.Equal(s, want) {
			t.Errorf("Symmetric: %v %v", s, err)
		}
	}
	for name, c := range map[string]struct {
		text  string
		fault sparse.Fault
	}{
		"empty":     {"", sparse.FaultBanner},
		"banner":    {"1 1 1\n", sparse.FaultBanner},
		"duplicate": {banner + "real general\n2 2 2\n1 2 1\n1 2 1\n", sparse.FaultDuplicate},
		"twice":     {banner + "real symmetric\n2 2 2\n1 2 1\n2 1 1\n", sparse.FaultDuplicate},
		"limit":     {banner + "real general\n1 2000000000 0\n", sparse.FaultSize},
		"count":     {banner + "real general\n2 2 2\n1 2 1\n", sparse.FaultCount},
	} {
		var p *sparse.ParseError
		if _, err := sparse.ReadMatrixMarket(strings.NewReader(c.text), "file", sparse.ReadOptions{}); !errors.As(err, &p) || p.Fault != c.fault {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := sparse.ReadSymmetricMatrixMarket(strings.NewReader(c.text), "file", sparse.ReadOptions{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestNumbers compares the fast path with strconv, bit by bit, by reading
// matrices of one entry.
func TestNumbers(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, text string) {
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		a, err := sparse.ReadMatrixMarket(strings.NewReader(banner+"real general\n1 1 1\n1 1 "+text+"\n"), "file", sparse.ReadOptions{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := a.At(0, 0); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: got %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"0", "-0", "+1", "9007199254740991", "9007199254740992", "9007199254740993", ".5", "5.", "-.5e-3", "1E5",
		"0.1", "0.30000000000000004", "123456789012345678901234567890", "0.00000000000000000000000000000001", "1e-400", "4.9e-324",
		"0000000000000000000000000000001", "1.7976931348623157e308", "18446744073709551616", "36893488147419103232.5"} {
		check(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom([]byte{'g', 'e', 'f'}).Draw(t, "format")
		digits := rapid.IntRange(-1, 20).Draw(t, "digits")
		check(t, strconv.FormatFloat(rapid.Float64Range(-1e308, 1e308).Draw(t, "v"), format, digits, 64))
	})
}

func TestWriteAndRead(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, rapid.IntRange(0, 12).Draw(t, "n"), "graph")
		if rapid.Bool().Draw(t, "unit") {
			g = must(sparse.NewGraphFromPattern(g.Pattern(), nil))
		}
		for _, ext := range []string{".mtx", ".csv", ".mtx.gz", ".csv.gz"} {
			path := filepath.Join(dir, "graph"+ext)
			if err := sparse.WriteGraphFile(path, g); err != nil {
				t.Fatal(err)
			}
			h, err := sparse.ReadGraphFile(path, sparse.ReadOptions{N: g.N()})
			if err != nil {
				t.Fatal(err)
			}
			if h.N() != g.N() || !cmp.Equal(g.Edges(), h.Edges()) {
				t.Fatalf("%s: round trip differs", ext)
			}
		}
		sym := g.Laplacian()
		var buf bytes.Buffer
		if err := sparse.WriteMatrixMarket(&buf, sym); err != nil {
			t.Fatal(err)
		}
		back, err := sparse.ReadSymmetricMatrixMarket(bytes.NewReader(buf.Bytes()), "x", sparse.ReadOptions{})
		if err != nil || !back.Pattern().Equal(sym.Pattern()) || !cmp.Equal(back.Values(), sym.Values()) {
			t.Fatalf("Symmetric: %v", err)
		}
		csr := sym.CSR()
		buf.Reset()
		if err := sparse.WriteMatrixMarket(&buf, csr); err != nil {
			t.Fatal(err)
		}
		full, err := sparse.ReadMatrixMarket(&buf, "x", sparse.ReadOptions{})
		if err != nil || !full.Pattern().Equal(csr.Pattern()) || !cmp.Equal(full.Values(), csr.Values()) {
			t.Fatalf("CSR: %v", err)
		}
	})
	if err := sparse.WriteGraphFile(filepath.Join(dir, "graph.txt"), sparse.Grid2D(1, 2)); err == nil {
		t.Error("unknown extension accepted")
	}
	bad := must(sparse.NewCSR(must(sparse.NewPattern(1, 1, []int{0, 1}, []int32{0})), []float64{math.NaN()}))
	var entry *sparse.EntryError
	if err := sparse.WriteMatrixMarket(io.Discard, bad); !errors.As(err, &entry) {
		t.Errorf("NaN written: %v", err)
	}
	if err := sparse.WriteEdgeList(failingWriter{}, sparse.Grid2D(200, 200)); err == nil {
		t.Error("write failure lost")
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

package sparse_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/gcrfbc/gcrfbc/sparse"
)

// The limit keeps lying sizes from slowing the search down.
var fuzzOptions = sparse.ReadOptions{MaxNodes: 1 << 12}

func FuzzReadMatrixMarket(f *testing.F) {
	for _, s := range []string{
		"", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 2 1e-3\n",
		"%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n",
		"%%MatrixMarket matrix coordinate integer general\r\n% c\r\n2 3 1\r\n2 3 -7\r\n",
		"%%MatrixMarket matrix coordinate real symmetric\n9 9 999999999999\n2 1 nan\n", "\x1f\x8b\x08",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := sparse.ReadMatrixMarket(bytes.NewReader(data), "fuzz", fuzzOptions)
		checkParse(t, a != nil, err)
		if err == nil {
			checkPattern(t, a.Pattern())
			var buf bytes.Buffer
			if err := sparse.WriteMatrixMarket(&buf, a); err != nil {
				t.Fatal(err)
			}
			b, err := sparse.ReadMatrixMarket(&buf, "again", fuzzOptions)
			if err != nil || !a.Pattern().Equal(b.Pattern()) || !slices.Equal(a.Values(), b.Values()) {
				t.Fatalf("round trip: %v", err)
			}
		}
		s, err := sparse.ReadSymmetricMatrixMarket(bytes.NewReader(data), "fuzz", fuzzOptions)
		checkParse(t, s != nil, err)
		if err == nil {
			checkPattern(t, s.Pattern())
			if a == nil || !s.CSR().Pattern().Equal(a.Pattern()) || !slices.Equal(s.CSR().Values(), a.Values()) {
				t.Fatal("Symmetric and CSR readers differ")
			}
		}
		checkGraph(t, data)
	})
}

func FuzzReadEdgeList(f *testing.F) {
	for _, s := range []string{
		"i,j\n0,1\n1,2\n", "u,v\n", "source,target,weight\n0,1,0.5\n# c\n2,0,1e3\n", "from,to,w\r\n 3 , 1 , .25 \r\n",
		"i,j\n0,1\n1,0\n", "i,j\n4000000000,1\n", "\xef\xbb\xbf\"i\",\"j\"\n0,1",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(checkGraph)
}

func checkGraph(t *testing.T, data []byte) {
	g, err := sparse.ReadGraph(bytes.NewReader(data), "fuzz", fuzzOptions)
	checkParse(t, g != nil, err)
	if err != nil {
		return
	}
	checkPattern(t, g.Pattern())
	if _, err := sparse.NewGraph(g.N(), g.Edges()); err != nil {
		t.Fatalf("not a legal graph: %v", err)
	}
	var mtx, csv bytes.Buffer
	if err := errors.Join(sparse.WriteMatrixMarket(&mtx, g), sparse.WriteEdgeList(&csv, g)); err != nil {
		t.Fatal(err)
	}
	o := fuzzOptions
	o.N = g.N()
	for _, buf := range []*bytes.Buffer{&mtx, &csv} {
		h, err := sparse.ReadGraph(buf, "again", o)
		if err != nil || h.N() != g.N() || !slices.Equal(g.Edges(), h.Edges()) {
			t.Fatalf("round trip: %v", err)
		}
	}
}

func checkParse(t *testing.T, got bool, err error) {
	t.Helper()
	var p *sparse.ParseError
	if got != (err == nil) || err != nil && !errors.As(err, &p) {
		t.Fatalf("value %v with error %v", got, err)
	}
}

package record

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sample() []Record {
	return []Record{
		New("environment", "cpu", `a "quoted", <cpu>`, "cores", 2),
		New("solver", "matrix", "grid2d:3", "order", "auto", "threads", 1, "refactor_s", .25, "refactor_all_s", []float64{.25, .5, .125}),
		New("scale", "n", 1<<40, "bad", math.NaN(), "spoilt", []float64{1, math.Inf(1)}, "ok", true),
	}
}

func TestFilesRoundTrip(t *testing.T) {
	for _, name := range []string{"r.jsonl", "r.jsonl.gz"} {
		path := filepath.Join(t.TempDir(), name)
		w, err := NewWriter(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range sample() {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
			got, err := ReadFile(path) // what an interruption here would leave
			if fault := (*Error)(nil); len(got) != i+1 || err != nil && !(errors.As(err, &fault) && strings.HasSuffix(name, ".gz")) {
				t.Fatalf("%s after record %d: %d records, %v", name, i, len(got), err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := ReadFile(path)
		if err != nil || len(got) != 3 {
			t.Fatalf("%d records, %v", len(got), err)
		}
		n, ok := got[2].Float("n")
		_, bad := got[2].Float("bad")
		if got[0].String("cpu") != `a "quoted", <cpu>` || n != 1<<40 || !ok || bad || !got[2].Bool("ok") || got[2].String("n") != "1099511627776" {
			t.Errorf("%v", got)
		}
		if list := got[2].Floats("spoilt"); len(list) != 2 || list[0] != 1 || !math.IsNaN(list[1]) {
			t.Errorf("spoilt: %v", list)
		}
		if d := cmp.Diff([]float64{.25, .5, .125}, got[1].Floats("refactor_all_s")); d != "" {
			t.Error(d)
		}
	}
}

// TestLine pins the form of a line: kind, identity, other fields by name.
func TestLine(t *testing.T) {
	var out bytes.Buffer
	if err := WriteJSON(&out, sample()); err != nil {
		t.Fatal(err)
	}
	want := `{"kind":"environment","cores":2,"cpu":"a \"quoted\", <cpu>"}
{"kind":"solver","matrix":"grid2d:3","order":"auto","threads":1,"refactor_all_s":[0.25,0.5,0.125],"refactor_s":0.25}
{"kind":"scale","n":1099511627776,"bad":null,"ok":true,"spoilt":[1,null]}
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}

func TestCSV(t *testing.T) {
	var out bytes.Buffer
	if err := WriteCSV(&out, sample()); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"kind", "matrix", "order", "threads", "n", "bad", "cores", "cpu", "ok", "refactor_all_s", "refactor_s", "spoilt"},
		{"environment", "", "", "", "", "", "2", `a "quoted", <cpu>`, "", "", "", ""},
		{"solver", "grid2d:3", "auto", "1", "", "", "", "", "", "0.25;0.5;0.125", "0.25", ""},
		{"scale", "", "", "", "1099511627776", "", "", "", "true", "", "", "1;"},
	}
	if d := cmp.Diff(want, rows); d != "" {
		t.Error(d)
	}
}

func TestFaults(t *testing.T) {
	good := `{"kind":"a","x":1}` + "\n"
	var zip bytes.Buffer
	z := gzip.NewWriter(&zip)
	_, _ = z.Write([]byte(good))
	_ = z.Flush()
	for _, c := range []struct {
		text string
		line int
		kept int
		says string
	}{
		{good + `{"x":1}` + "\n", 2, 1, "kind"},
		{good + good + `{"kind":"a","x"`, 3, 2, "interrupted"},
		{good + `{"kind":"a","x":{"y":1}}`, 2, 1, `"x"`},
		{good + "\n" + `{"kind":"a","list":[1,"b"]}`, 3, 1, "element 1"},
		{"kind,n\nscale,3\n", 1, 0, "JSON"},
		{"", 0, 0, "no records"},
		{"\x1f\x8bnot gzip", 0, 0, "gzip"},
		{zip.String(), 2, 1, "interrupted"},
		{good + `{"kind":"` + strings.Repeat("x", maxLine), 2, 1, "longer"},
	} {
		got, err := Read(strings.NewReader(c.text), "f.jsonl")
		var e *Error
		if !errors.As(err, &e) || e.File != "f.jsonl" || e.Line != c.line || len(got) != c.kept || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.40q: %d records, %v", c.text, len(got), err)
		}
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if got, err := Read(strings.NewReader(`{"matrix":"grid2d:3","refactor_s":0.1}`), "f"); err != nil || got[0].Kind != "solver" {
		t.Errorf("a line without kind: %v %v", got, err)
	}
}

func TestUnwritable(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none", "r.jsonl")
	var fault *WriteError
	if _, err := NewWriter(missing); !errors.As(err, &fault) || !strings.Contains(err.Error(), missing) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := (Outputs{CSV: missing}).Open(nil); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("no folder for CSV: %v", err)
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no device that is always full")
	}
	w, err := NewWriter("/dev/full")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(New("a")); !errors.As(err, &fault) || !strings.Contains(err.Error(), "space") {
		t.Errorf("full disk: %v", err)
	}
}

func TestSink(t *testing.T) {
	dir := t.TempDir()
	var stdout bytes.Buffer
	s, err := Outputs{JSON: true, Out: filepath.Join(dir, "o"), CSV: filepath.Join(dir, "c")}.Open(&stdout)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range sample() {
		if err := s.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "o"))
	if err != nil || !bytes.Equal(text, stdout.Bytes()) || bytes.Count(text, []byte("\n")) != 3 {
		t.Errorf("file %q, stdout %q, %v", text, stdout.Bytes(), err)
	}
	table, err := os.ReadFile(filepath.Join(dir, "c"))
	if err != nil || bytes.Count(table, []byte("\n")) != 3 {
		t.Errorf("CSV %q, %v", table, err)
	}
}

func TestIdentityOfUnlistedKinds(t *testing.T) {
	r := New("other", "name", "x", "n", 3, "time_s", 1.5, "list", []float64{1}, "sampled", true)
	if d := cmp.Diff([]string{"n", "name", "sampled"}, r.Identity()); d != "" {
		t.Error(d)
	}
}

// FuzzRead: whatever the bytes, reading ends with records or an *Error, and what
// was read survives being written.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"kind":"a","x":1,"list":[1,2,null],"w":"é\u0000"}` + "\n\n" + `{"kind":"b","t":true,"z":null}`))
	f.Add([]byte("{\"kind\":1}\n"))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		records, err := Read(bytes.NewReader(text), "f")
		if fault := (*Error)(nil); err != nil && !errors.As(err, &fault) {
			t.Fatalf("%T %v", err, err)
		}
		var out bytes.Buffer
		if err := WriteJSON(&out, records); err != nil {
			t.Fatal(err)
		}
		if len(records) == 0 {
			return
		}
		first := out.String()
		again, err := Read(&out, "again")
		if err != nil || len(again) != len(records) {
			t.Fatalf("%d records, then %d, %v", len(records), len(again), err)
		}
		var second bytes.Buffer
		if err := WriteJSON(&second, again); err != nil || second.String() != first {
			t.Fatalf("%q, then %q, %v", first, second.String(), err)
		}
		if err := WriteCSV(&second, records); err != nil {
			t.Fatal(err)
		}
	})
}

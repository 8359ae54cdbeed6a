package report

import (
	"fmt"
	"slices"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
)

// Build makes a page of results. Results may come from several files, in any
// order.
func Build(records []record.Record) *Page {
	by := map[string][]record.Record{}
	for _, r := range records {
		by[r.Kind] = append(by[r.Kind], r)
	}
	p := &Page{Title: "gcrfbc-bench", Subtitle: subtitle(by)}
	if s := shortSection(by); len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, *s)
	}
	known := map[string]bool{}
	for _, s := range []struct {
		kinds []string
		build func(by map[string][]record.Record) *Section
	}{
		{[]string{"counties", "prediction", "score", "fit"}, countiesSection},
		{[]string{"picture"}, pictureSection},
		{[]string{"paper.table1"}, tableSection},
		{[]string{"paper.time", "paper.exponent"}, timeSection},
		{[]string{"solver"}, solverSection},
		{[]string{"scale", "scale.fit", "scale.stop"}, scaleSection},
		{[]string{"paper.fig2", "paper.fig3"}, functionSection},
	} {
		present := false
		for _, k := range s.kinds {
			known[k] = true
			present = present || len(by[k]) > 0
		}
		if present {
			p.Sections = append(p.Sections, *s.build(by))
		}
	}
	known["environment"] = true
	var others []string
	for k := range by {
		if !known[k] {
			others = append(others, k)
		}
	}
	slices.Sort(others)
	for _, k := range others {
		p.Sections = append(p.Sections, *otherSection(k, by[k]))
	}
	if len(by["environment"]) > 0 {
		p.Sections = append(p.Sections, *environmentSection(by["environment"]))
	}
	return p
}

func subtitle(by map[string][]record.Record) string {
	const what = "Gaussian conditional random fields for binary classification: measured results."
	if len(by["environment"]) == 0 {
		return what
	}
	e := by["environment"][0]
	cores, _ := e.Float("cores")
	return fmt.Sprintf("%s %s, %s, %.0f cores, %s.", what, e.String("date"), e.String("cpu"), cores, e.String("go"))
}

// environmentSection says where and with what results were made.
func environmentSection(list []record.Record) *Section {
	s := &Section{ID: "environment", Title: "Environment"}
	t := &Table{Caption: "Where and with what the results were made.", Head: []string{"what", "value"}}
	seen := map[string]bool{}
	for i, r := range list {
		for _, k := range keys(r) {
			text := fmt.Sprint(r.Fields[k])
			if seen[k+"="+text] {
				continue
			}
			seen[k+"="+text] = true
			name := k
			if len(list) > 1 {
				name = fmt.Sprintf("%s (run %d)", k, i+1)
			}
			t.Rows = append(t.Rows, []Cell{word(name), word(text)})
		}
	}
	s.Blocks = append(s.Blocks, t)
	return s
}

// otherSection shows results of a kind that has no section of its own.
func otherSection(kind string, list []record.Record) *Section {
	s := &Section{ID: "kind-" + slug(kind), Title: kind}
	t := &Table{Caption: fmt.Sprintf("Results of kind %s; lists are left out.", kind)}
	column := map[string]int{}
	for _, r := range list {
		for _, k := range keys(r) {
			if _, ok := column[k]; !ok && r.Floats(k) == nil {
				column[k] = len(t.Head)
				t.Head = append(t.Head, k)
			}
		}
	}
	for _, r := range list {
		row := make([]Cell, len(t.Head))
		for k, c := range column {
			v, isNumber := r.Float(k)
			switch {
			case isNumber:
				row[c] = digits(v, 4)
				if v == float64(int64(v)) {
					row[c] = count(v)
				}
			case r.Fields[k] != nil:
				row[c] = word(fmt.Sprint(r.Fields[k]))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	s.Blocks = append(s.Blocks, t)
	return s
}

// keys returns a record's keys in order.
func keys(r record.Record) []string {
	var out []string
	for k := range r.Fields {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// slug makes a name that can be an address in the page and a file.
func slug(s string) string {
	b := []byte(s)
	for i, c := range b {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			b[i] = '-'
		}
	}
	return string(b)
}

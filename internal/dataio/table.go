package dataio

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Table is a node table: a header and one row a node. It may be shared by
// goroutines.
type Table struct {
	name    string
	columns []string
	fields  []string // row i is fields[i*len(columns):][:len(columns)]
	lines   []int    // line of each row
}

// ReadTable reads a CSV file, gzipped or not, with a header line; "-" is the
// standard input.
func ReadTable(path string) (*Table, error) {
	if path == "-" {
		return ReadTableFrom(os.Stdin, "stdin")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Msg: "cannot be opened: " + reason(err), Err: err}
	}
	defer func() { _ = f.Close() }()
	return ReadTableFrom(f, path)
}

// plain returns the reader's content, decompressed if it is gzip and without a
// byte order mark.
func plain(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	head, err := b.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if bytes.Equal(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		b = bufio.NewReaderSize(z, 1<<16)
	}
	// A read error, if any, comes back with the first line.
	if mark, _ := b.Peek(3); string(mark) == "\ufeff" {
		_, _ = b.Discard(3)
	}
	return b, nil
}

// ReadTableFrom reads a table; name is for messages. Columns are separated by
// commas; rows must have as many fields as the header. A column "node", if there
// is one, must hold the row's number from 0, since row i describes node i.
// A million rows of six columns take about a second and 140 MB.
func ReadTableFrom(r io.Reader, name string) (*Table, error) {
	z, err := plain(r)
	if err != nil {
		return nil, tableError(name, err)
	}
	c := csv.NewReader(z)
	c.TrimLeadingSpace = true
	c.ReuseRecord = true
	header, err := c.Read()
	if err == io.EOF {
		return nil, &Error{File: name, Msg: "is empty; want a header line with column names and one line a node"}
	}
	if err != nil {
		return nil, tableError(name, err)
	}
	t := &Table{name: name, columns: slices.Clone(header)}
	headerLine, _ := c.FieldPos(0)
	at := make(map[string]int, len(t.columns))
	for i, h := range t.columns {
		h = strings.TrimSpace(h)
		t.columns[i] = h
		if k, twice := at[h]; twice && h != "" {
			return nil, &Error{File: name, Line: headerLine, Column: i + 1, Name: "column " + clip(h), Msg: fmt.Sprintf("is there twice, at positions %d and %d; give every column its own name", k+1, i+1)}
		}
		at[h] = i
	}
	last := headerLine
	for {
		row, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, tableError(name, err)
		}
		line, _ := c.FieldPos(0)
		if len(t.columns) == 1 && line > last+1 {
			// The CSV reader skips blank lines, but here one may be a node
			// with an empty field.
			return nil, &Error{File: name, Line: last + 1, Msg: `is blank; delete it, or write "" for a node with an empty field`}
		}
		last = line
		t.fields = append(t.fields, row...)
		t.lines = append(t.lines, line)
	}
	if len(t.lines) == 0 {
		return nil, &Error{File: name, Msg: "has a header but no rows; want one line a node"}
	}
	if k, ok := at["node"]; ok {
		for i := range t.N() {
			f := t.field(i, k)
			if v, err := strconv.Atoi(f); err != nil || v != i {
				return nil, t.fault(i, k, fmt.Sprintf("is %s in row %d; nodes must be listed in order from 0, so that row i is node i of the graph (sort the table, or rename the column if it is no number of nodes)", quote(f), i))
			}
		}
	}
	return t, nil
}

func tableError(name string, err error) error {
	if damaged(err) {
		return &Error{File: name, Msg: "the compressed data end early or are damaged; copy or download the file again", Err: err}
	}
	if pe := (*csv.ParseError)(nil); errors.As(err, &pe) {
		msg := fmt.Sprintf("%v at byte %d of the line; a field with quotes is written \"like \"\"this\"\"\"", pe.Err, pe.Column)
		if errors.Is(pe.Err, csv.ErrFieldCount) {
			msg = "has another number of fields than the header; is a comma missing or too many?"
		}
		return &Error{File: name, Line: pe.Line, Msg: msg, Err: err}
	}
	return &Error{File: name, Msg: "cannot be read: " + reason(err), Err: err}
}

// N returns the number of nodes.
func (t *Table) N() int { return len(t.lines) }

// Name returns the file's name.
func (t *Table) Name() string { return t.name }

// Columns returns the names of the columns.
func (t *Table) Columns() []string { return slices.Clone(t.columns) }

// field returns the field of a row without the spaces around it.
func (t *Table) field(row, column int) string {
	return strings.TrimSpace(t.fields[row*len(t.columns)+column])
}

func (t *Table) fault(row, column int, msg string) error {
	return &Error{File: t.name, Line: t.lines[row], Column: column + 1, Name: "column " + clip(t.columns[column]), Msg: msg}
}

func (t *Table) find(name, use string) (int, error) {
	if k := slices.Index(t.columns, name); k >= 0 {
		return k, nil
	}
	hint := ""
	if len(t.columns) == 1 && strings.ContainsAny(t.columns[0], ";\t|") {
		hint = " (separate columns by commas)"
	}
	return 0, &Error{File: t.name, Line: 1, Msg: fmt.Sprintf("has no column %s, wanted for %s; its columns are %s%s", quote(name), use, list(t.columns), hint)}
}

// list joins names or values, the first few of them.
func list(names []string) string {
	const most = 40
	var b strings.Builder
	for i, n := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == most {
			fmt.Fprintf(&b, "… (%d more)", len(names)-most)
			break
		}
		b.WriteString(clip(n))
	}
	return b.String()
}

// Column returns the fields of a column.
func (t *Table) Column(name string) ([]string, error) {
	k, err := t.find(name, "output")
	if err != nil {
		return nil, err
	}
	out := make([]string, t.N())
	for i := range out {
		out[i] = t.fields[i*len(t.columns)+k]
	}
	return out, nil
}

package dataio

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc"
)

// Table is a node table: a header and one row a node.
type Table struct {
	name    string
	columns []string
	rows    [][]string
	lines   []int // line of each row
}

// ReadTable reads a CSV file, gzipped or not, with a header line.
func ReadTable(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Msg: "cannot be opened: " + reason(err), Err: err}
	}
	defer f.Close()
	return ReadTableFrom(f, path)
}

// reason strips the operation and path that the message has already.
func reason(err error) string {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// gunzip returns the reader's content, decompressed if it is gzip.
func gunzip(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	head, err := b.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	return gzip.NewReader(b)
}

// ReadTableFrom reads a table; name is for messages. Columns are separated by
// commas; rows must have as many fields as the header. A column "node", if there
// is one, must hold the row's number from 0, since row i describes node i.
func ReadTableFrom(r io.Reader, name string) (*Table, error) {
	z, err := gunzip(r)
	if err != nil {
		return nil, &Error{File: name, Msg: "cannot be read: " + err.Error(), Err: err}
	}
	c := csv.NewReader(z)
	c.TrimLeadingSpace = true
	header, err := c.Read()
	if err == io.EOF {
		return nil, &Error{File: name, Msg: "is empty; want a header line with column names and one line a node"}
	}
	if err != nil {
		return nil, tableError(name, err)
	}
	t := &Table{name: name, columns: header}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	for i, h := range header {
		header[i] = strings.TrimSpace(h)
		if k := slices.Index(header[:i], header[i]); k >= 0 {
			return nil, &Error{File: name, Line: 1, Name: "column " + header[i], Msg: fmt.Sprintf("is there twice, at positions %d and %d; give every column its own name", k+1, i+1)}
		}
	}
	for {
		row, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, tableError(name, err)
		}
		line, _ := c.FieldPos(0)
		t.rows = append(t.rows, row)
		t.lines = append(t.lines, line)
	}
	if len(t.rows) == 0 {
		return nil, &Error{File: name, Msg: "has a header but no rows; want one line a node"}
	}
	if k := slices.Index(header, "node"); k >= 0 {
		for i, row := range t.rows {
			if v, err := strconv.Atoi(strings.TrimSpace(row[k])); err != nil || v != i {
				return nil, t.fault(i, k, fmt.Sprintf("is %q in row %d; nodes must be listed in order from 0, so that row i is node i of the graph (sort the table, or rename the column if it is no number of nodes)", row[k], i))
			}
		}
	}
	return t, nil
}

func tableError(name string, err error) error {
	var pe *csv.ParseError
	if errors.As(err, &pe) {
		if errors.Is(pe.Err, csv.ErrFieldCount) {
			return &Error{File: name, Line: pe.Line, Msg: "has another number of fields than the header; is a comma missing or too many?", Err: err}
		}
		return &Error{File: name, Line: pe.Line, Column: pe.Column, Msg: pe.Err.Error(), Err: err}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) {
		return &Error{File: name, Msg: "the compressed data end early or are damaged; copy or download the file again", Err: err}
	}
	return &Error{File: name, Msg: "cannot be read: " + err.Error(), Err: err}
}

// N returns the number of nodes.
func (t *Table) N() int { return len(t.rows) }

// Name returns the file's name.
func (t *Table) Name() string { return t.name }

// Columns returns the names of the columns.
func (t *Table) Columns() []string { return slices.Clone(t.columns) }

func (t *Table) fault(row, column int, msg string) error {
	return &Error{File: t.name, Line: t.lines[row], Column: column + 1, Name: "column " + t.columns[column], Msg: msg}
}

func (t *Table) find(name, use string) (int, error) {
	if k := slices.Index(t.columns, name); k >= 0 {
		return k, nil
	}
	hint := ""
	if len(t.columns) == 1 && strings.ContainsAny(t.columns[0], ";\t") {
		hint = " (separate columns by commas)"
	}
	return 0, &Error{File: t.name, Line: 1, Msg: fmt.Sprintf("has no column %q, wanted for %s; its columns are %s%s", name, use, strings.Join(t.columns, ", "), hint)}
}

// Column returns the fields of a column.
func (t *Table) Column(name string) ([]string, error) {
	k, err := t.find(name, "output")
	if err != nil {
		return nil, err
	}
	out := make([]string, len(t.rows))
	for i, row := range t.rows {
		out[i] = row[k]
	}
	return out, nil
}

// Scores returns the named columns as an N×K row-major array of finite numbers.
func (t *Table) Scores(names []string) ([]float64, error) {
	if len(names) == 0 {
		return nil, &Error{File: t.name, Msg: "no scores were named; give at least one column of scores, best logits (--scores a,b)"}
	}
	out := make([]float64, len(t.rows)*len(names))
	for c, name := range names {
		k, err := t.find(name, "scores")
		if err != nil {
			return nil, err
		}
		if slices.Contains(names[:c], name) {
			return nil, &Error{File: t.name, Name: "column " + name, Msg: "is named twice among the scores; name each predictor once"}
		}
		for i, row := range t.rows {
			v, err := strconv.ParseFloat(strings.TrimSpace(row[k]), 64)
			if err != nil && !math.IsInf(v, 0) {
				return nil, t.fault(i, k, fmt.Sprintf("score of node %d is %q, which is not a number; every node needs a finite score", i, row[k]))
			}
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, t.fault(i, k, fmt.Sprintf("score of node %d is %q; scores must be finite numbers, best logits (clip infinite ones, fill in missing ones)", i, row[k]))
			}
			out[i*len(names)+c] = v
		}
	}
	return out, nil
}

// Labels reads labels: "class" is a column of 0 and 1, "class=3" is 1 where the
// column equals 3. −1 and empty fields are missing in both forms. Numbers may be
// written as 1 or 1.0, as columns with gaps are by some programs.
func (t *Table) Labels(spec string) ([]int8, error) {
	name, value, against := strings.Cut(spec, "=")
	k, err := t.find(name, "labels")
	if err != nil {
		return nil, err
	}
	equals := matcher(value)
	zero, one, minus := matcher("0"), matcher("1"), matcher("-1")
	out := make([]int8, len(t.rows))
	found := false
	for i, row := range t.rows {
		switch f := strings.TrimSpace(row[k]); {
		case f == "" || minus(f):
			out[i] = gcrfbc.Missing
		case against && equals(f):
			out[i], found = 1, true
		case against:
		case one(f):
			out[i] = 1
		case !zero(f):
			return nil, t.fault(i, k, fmt.Sprintf("label of node %d is %q; want 0, 1, or -1 or nothing for missing (--label %s=%s makes a task of one class against the rest)", i, row[k], name, f))
		}
	}
	if against && !found {
		return nil, &Error{File: t.name, Name: "column " + name, Msg: fmt.Sprintf("no row equals %q; its values are %s", value, t.values(k))}
	}
	return out, nil
}

// matcher returns a function that tells whether a field equals value, as text or
// as a number.
func matcher(value string) func(field string) bool {
	number, err := strconv.ParseFloat(value, 64)
	return func(field string) bool {
		if field == value {
			return true
		}
		if err != nil || field == "" || strings.IndexByte("0123456789+-.", field[0]) < 0 {
			return false // words are not parsed
		}
		v, err := strconv.ParseFloat(field, 64)
		return err == nil && v == number
	}
}

// values lists the distinct values of a column, the first few of them.
func (t *Table) values(k int) string {
	var seen []string
	for _, row := range t.rows {
		if f := strings.TrimSpace(row[k]); !slices.Contains(seen, f) {
			if len(seen) == 12 {
				return strings.Join(seen, ", ") + ", …"
			}
			seen = append(seen, f)
		}
	}
	return strings.Join(seen, ", ")
}

// Mask returns which rows satisfy "column=value"; that none does is an error.
func (t *Table) Mask(spec string) ([]bool, error) {
	name, value, ok := strings.Cut(spec, "=")
	if !ok {
		return nil, &Error{File: t.name, Msg: fmt.Sprintf("%q does not say which rows; want column=value, such as split=train", spec)}
	}
	k, err := t.find(name, "choosing rows")
	if err != nil {
		return nil, err
	}
	out := make([]bool, len(t.rows))
	found := false
	for i, row := range t.rows {
		if strings.TrimSpace(row[k]) == value {
			out[i], found = true, true
		}
	}
	if !found {
		return nil, &Error{File: t.name, Name: "column " + name, Msg: fmt.Sprintf("no row equals %q; its values are %s", value, t.values(k))}
	}
	return out, nil
}

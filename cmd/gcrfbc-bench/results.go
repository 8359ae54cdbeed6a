package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/report"
	"github.com/gcrfbc/gcrfbc/cmd/internal/terminal"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// interruptedError ends a command that has said what it kept.
type interruptedError struct{ msg string }

func (e *interruptedError) Error() string { return e.msg }

// results takes results as they are finished and passes them to a command's
// outputs. It may be shared by goroutines.
type results struct {
	mu   sync.Mutex
	sink *record.Sink
	path string // of --out
}

// openResults opens the outputs, so that one that cannot be written is known
// before the work.
func openResults(o record.Outputs, stdout io.Writer) (*results, error) {
	sink, err := o.Open(stdout)
	if err != nil {
		return nil, err
	}
	return &results{sink: sink, path: o.Out}, nil
}

// emit takes one result.
func (r *results) emit(kind string, fields map[string]any) error {
	return r.write(record.Record{Kind: kind, Fields: fields})
}

func (r *results) write(rec record.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sink.Write(rec)
}

// close completes the outputs and returns err, or what closing says.
func (r *results) close(err error) error {
	if e := r.sink.Close(); err == nil {
		err = e
	}
	return err
}

// kept says in words what an interruption left.
func (r *results) kept() string {
	switch n := len(r.sink.Records) - len(record.Select(r.sink.Records, "environment")); {
	case n <= 0:
		return "nothing was finished"
	case r.path != "":
		return fmt.Sprintf("%d finished results are kept in %s", n, r.path)
	default:
		return fmt.Sprintf("%d results were finished; --out FILE would have kept them", n)
	}
}

// printTable writes a table for people.
func printTable(w io.Writer, t *report.Table) error {
	if len(t.Rows) == 0 {
		return nil
	}
	space := ""
	if strings.HasPrefix(t.Caption, "\n") {
		space = "\n"
	}
	if _, err := fmt.Fprintf(w, "%s%s\n%s\n", space, terminal.Wrap(t.Caption, ""), render(t)); err != nil {
		return &record.WriteError{File: "standard output", Err: err}
	}
	return nil
}

// render lays out a table without its caption: a line for the head, one below it, and
// one a row.
func render(t *report.Table) string {
	tw := terminal.NewTable()
	head := make(table.Row, len(t.Head))
	var columns []table.ColumnConfig
	for c, h := range t.Head {
		head[c] = h
		for _, r := range t.Rows {
			if c < len(r) && r[c].Number {
				columns = append(columns, table.ColumnConfig{Number: c + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
				break
			}
		}
	}
	tw.AppendHeader(head)
	tw.SetColumnConfigs(columns)
	for _, r := range t.Rows {
		row := make(table.Row, len(r))
		for c, cell := range r {
			row[c] = cell.Text
			if cell.Number && math.IsNaN(cell.Sort) && cell.Text == "" {
				row[c] = "–"
			}
		}
		tw.AppendRow(row)
	}
	return tw.Render()
}

// printTables writes tables with an empty line after each.
func printTables(w io.Writer, tables ...*report.Table) error {
	for _, t := range tables {
		if len(t.Rows) == 0 {
			continue
		}
		if err := printTable(w, t); err != nil {
			return err
		}
		if err := say(w, ""); err != nil {
			return err
		}
	}
	return nil
}

// say prints a line for people.
func say(w io.Writer, format string, args ...any) error {
	if _, err := fmt.Fprintf(w, format+"\n", args...); err != nil {
		return &record.WriteError{File: "standard output", Err: err}
	}
	return nil
}

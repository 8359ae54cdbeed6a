package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc/cmd/internal/terminal"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// write prints the report as text, Markdown or one JSON object.
func (r *compareReport) write(w io.Writer, format string) error {
	if format == "json" {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	var b strings.Builder
	section := func(title string, t table.Writer) {
		if t.Length() == 0 {
			return
		}
		if format == "markdown" {
			fmt.Fprintf(&b, "**%s**\n\n%s\n\n", title, t.RenderMarkdown())
			return
		}
		fmt.Fprintf(&b, "%s\n%s\n\n", terminal.Wrap(title, ""), t.Render())
	}
	section("Ratios: time of the best peer / ours (1 thread: CPU seconds; more: wall seconds); total: ordering, analysis and first factor", r.ratioTable())
	section("Our own speed-up, wall time", r.speedupTable())
	section("Seconds: ours, and the best peer", r.secondsTable())
	section("Accuracy: digits shared with every peer; residuals of a solve, ours / CHOLMOD's", r.agreementTable())
	section("Memory, MB: analysis, factor and working storage, as forecast and as used (and forecast / used), beside the most that CHOLMOD held (ratio: used / CHOLMOD); and of the whole process", r.memoryTable())
	section("Orderings, 1 thread: peer's CPU seconds / ours; our nnz(L) and operations (flops) / theirs; AMD beside SuiteSparse's, nested dissection (ND) beside METIS; auto: what we chose", r.orderingTable())
	section("Dense product C −= A Bᵀ of order 1024, 1 thread, best run, GF/s", r.denseTable())
	bullet := ""
	if format == "markdown" {
		bullet = "- "
	}
	for _, line := range r.notes() {
		fmt.Fprintf(&b, "%s%s\n", bullet, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// newTable returns a table of the given header with numbers from column right on.
func newTable(right int, header ...any) table.Writer {
	t := terminal.NewTable()
	t.AppendHeader(header)
	var columns []table.ColumnConfig
	for c := right; c <= len(header); c++ {
		if h := header[c-1]; h == "best peer" || h == "auto" {
			continue
		}
		columns = append(columns, table.ColumnConfig{Number: c, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(columns)
	return t
}

func titles() []any {
	var t []any
	for _, p := range phases {
		t = append(t, p.title)
	}
	return t
}

func times(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

const absent = "–"

func (r *compareReport) ratioTable() table.Writer {
	t := newTable(2, append([]any{"matrix", "thr."}, titles()...)...)
	for _, m := range r.Matrices {
		for _, threads := range r.Threads {
			row, found := table.Row{m.Matrix, threads}, false
			for _, p := range phases {
				k := slices.IndexFunc(m.Ratios, func(x ratio) bool { return x.Threads == threads && x.Phase == p.key })
				if k < 0 {
					row = append(row, absent)
					continue
				}
				row, found = append(row, times(m.Ratios[k].Ratio)), true
			}
			if found {
				t.AppendRow(row)
			}
		}
	}
	return t
}

func (r *compareReport) speedupTable() table.Writer {
	t := newTable(2, append([]any{"matrix", "thr."}, titles()...)...)
	for _, m := range r.Matrices {
		for _, threads := range r.Threads[1:] {
			row, found := table.Row{m.Matrix, fmt.Sprintf("%d → %d", r.Threads[0], threads)}, false
			for _, p := range phases {
				k := slices.IndexFunc(m.Speedups, func(x speedup) bool { return x.To == threads && x.Phase == p.key })
				if k < 0 {
					row = append(row, absent)
					continue
				}
				row, found = append(row, times(m.Speedups[k].Speedup)), true
			}
			if found {
				t.AppendRow(row)
			}
		}
	}
	return t
}

func (r *compareReport) secondsTable() table.Writer {
	t := newTable(5, "matrix", "thr.", "phase", "clock", "ours", "peer", "ratio", "best peer")
	s := func(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }
	title := map[string]string{}
	for _, p := range phases {
		title[p.key] = p.title
	}
	for _, m := range r.Matrices {
		for _, x := range m.Ratios {
			t.AppendRow(table.Row{m.Matrix, x.Threads, title[x.Phase], x.Clock, s(x.Ours), s(x.Best), times(x.Ratio), x.Peer})
		}
	}
	return t
}

func (r *compareReport) agreementTable() table.Writer {
	t := newTable(2, "matrix", "log det", "trace of inverse", "residual", "CHOLMOD's", "ratio")
	d := func(v *float64) string {
		if v == nil {
			return absent
		}
		return strconv.FormatFloat(*v, 'f', 1, 64)
	}
	for _, m := range r.Matrices {
		if a := m.Agreement; a != nil {
			t.AppendRow(table.Row{m.Matrix, d(a.LogDet), d(a.TraceInv), orAbsent(a.Residual, 'e', 1), orAbsent(a.CholmodResidual, 'e', 1), orAbsent(a.ResidualRatio, 'f', 2)})
		}
	}
	return t
}

// orAbsent formats a number that is 0 where there is none.
func orAbsent(v float64, format byte, precision int) string {
	if v == 0 {
		return absent
	}
	return strconv.FormatFloat(v, format, precision, 64)
}

func (r *compareReport) memoryTable() table.Writer {
	t := newTable(2, "matrix", "forecast", "used", "of used", "CHOLMOD", "ratio", "process", "CHOLMOD", "ratio")
	for _, m := range r.Matrices {
		if x := m.Memory; x != nil {
			t.AppendRow(table.Row{m.Matrix, orAbsent(x.Forecast/1e6, 'f', 1), orAbsent(x.Used/1e6, 'f', 1), orAbsent(x.OfForecast, 'f', 3), orAbsent(x.CholmodPeak/1e6, 'f', 1), orAbsent(x.Ratio, 'f', 2),
				orAbsent(x.MB, 'f', 0), orAbsent(x.CholmodMB, 'f', 0), orAbsent(x.Resident, 'f', 2)})
		}
	}
	return t
}

func (r *compareReport) orderingTable() table.Writer {
	t := newTable(2, "matrix", "AMD: time", "nnz(L)", "flops", "ND: time", "nnz(L)", "flops", "auto")
	f := func(v float64) string { return orAbsent(v, 'f', 3) }
	for _, m := range r.Matrices {
		if o := m.Orderings; o != nil {
			t.AppendRow(table.Row{m.Matrix, times(o.AMDTime), f(o.AMDFill), f(o.AMDFlops), times(o.NDTime), f(o.NDFill), f(o.NDFlops), o.Chosen})
		}
	}
	return t
}

func (r *compareReport) denseTable() table.Writer {
	t := newTable(2, "instructions", "ours", "OpenBLAS", "ratio", "multiply-adds", "target")
	for _, p := range r.Dense {
		t.AppendRow(table.Row{p.Level, orAbsent(p.Ours, 'f', 1), orAbsent(p.Peer, 'f', 1), orAbsent(p.Ratio, 'f', 2), orAbsent(p.Peak, 'f', 1), orAbsent(p.Target, 'f', 1)})
	}
	return t
}

// notes says where the numbers come from and what is missing.
func (r *compareReport) notes() []string {
	e := r.Environment
	line := fmt.Sprintf("%s, %d cores, %s, our kernels use %s; %s", e.CPU, e.Cores, e.System, e.Level, e.Go)
	if e.Commit != "" {
		line += ", commit " + e.Commit
	}
	notes := []string{line}
	if len(e.Peers) > 0 {
		var list []string
		for _, name := range slices.Sorted(maps.Keys(e.Peers)) {
			list = append(list, name+" "+e.Peers[name])
		}
		notes = append(notes, "peers: "+strings.Join(list, ", "))
	}
	line = e.Date + fmt.Sprintf(", %d round(s)", r.Rounds)
	if e.LoadAt != "" {
		line += fmt.Sprintf("; load averages %s before and %s after (this run counts with its threads)", e.LoadAt, e.LoadEnd)
	}
	notes = append(notes, line)
	if !r.Complete {
		notes = append(notes, "interrupted: what was finished")
	}
	for _, f := range r.Failures {
		line := "left out: " + f.Program
		if f.Matrix != "" {
			line += " on " + f.Matrix
		}
		notes = append(notes, line+": "+f.Message)
	}
	return notes
}

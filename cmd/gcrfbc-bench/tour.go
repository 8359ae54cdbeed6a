package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/paper"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/report"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/showcase"
)

// tour is what gcrfbc-bench does without a command: a part of everything within
// two minutes on two cores.
type tour struct {
	dir   string
	quiet bool
}

const (
	tourFolder   = "gcrfbc-bench-report"
	tourMatrices = "grid2d:50,grid2d:100,grid2d:200,grid2d:400,rgg:5000:8,rgg:20000:8,rgg:80000:8,rgg:200000:8," +
		"ba:1000:2,ba:3000:2,ba:10000:2,grid3d:8,grid3d:16,grid3d:32"
	tourSeeds = 30
	tourFig4  = 50 * time.Second // no point of Figure 4 is begun that would end after it
	tourLeast = 12 * time.Second // what Figure 4 has in any case
	tourTime  = 70 * time.Second // after it no further seed of Table 1 is begun, the first two excepted
)

func (o *tour) run(ctx context.Context, stdout, stderr io.Writer) error {
	if o.dir == "" {
		return usagef("--dir: name a folder")
	}
	if err := os.MkdirAll(o.dir, 0o777); err != nil {
		return &record.WriteError{File: o.dir, Err: err}
	}
	lines, page := filepath.Join(o.dir, "results.jsonl"), filepath.Join(o.dir, "report.html")
	if err := checkOutput(page); err != nil {
		return err
	}
	res, err := openResults(record.Outputs{Out: lines}, nil)
	if err != nil {
		return err
	}
	began := time.Now()
	if !o.quiet {
		if err := say(stdout, "A part of everything, in about a minute; gcrfbc-bench --help lists the commands.\n"); err != nil {
			return err
		}
	}
	err = res.close(o.measure(ctx, res, stderr))
	interrupted := ctx.Err() != nil && err != nil
	if err != nil && !interrupted {
		return errors.Join(err, o.page(res, page)) // with what was finished
	}
	if !o.quiet {
		if err := o.summary(stdout, res); err != nil {
			return err
		}
	}
	if err := o.page(res, page); err != nil {
		return err
	}
	if interrupted {
		return &interruptedError{fmt.Sprintf("interrupted: %s, and shown in %s", res.kept(), page)}
	}
	return say(stdout, "%d results in %.0f seconds.\n  report   %s\n  results  %s", len(res.sink.Records), time.Since(began).Seconds(), page, lines)
}

// page writes the report of what was finished.
func (o *tour) page(res *results, path string) error {
	_, err := writePage(report.Build(res.sink.Records), path, "")
	return err
}

// measure takes every part in turn.
func (o *tour) measure(ctx context.Context, res *results, stderr io.Writer) error {
	if err := res.write(currentEnvironment().record()); err != nil {
		return err
	}
	began := time.Now()
	table := paper.TableOptions{Seeds: tourSeeds, EP: 4, Authors: 1, Least: 2}
	times := paper.TimeOptions{Size: paper.Quick}
	matrices := strings.Split(tourMatrices, ",")
	bar := newProgress(stderr, table.Work()+paper.TimeWork(times)+len(matrices)+10, o.quiet)
	defer bar.done()
	bar.say("counties")
	if err := showcase.Counties(ctx, 0, func(kind string, fields map[string]any) error {
		bar.step("counties")
		return res.emit(kind, fields)
	}); err != nil {
		return err
	}
	for _, spec := range matrices {
		bar.step("solver, " + spec)
		m, err := generate(spec)
		if err != nil {
			return err
		}
		r, err := m.measure(ctx, settings{order: "auto", threads: 1, refactorizations: 50, quick: true})
		if err != nil {
			return fmt.Errorf("%s: %w", spec, err)
		}
		rec, err := record.Of("solver", r)
		if err != nil {
			return err
		}
		if err := res.write(rec); err != nil {
			return err
		}
	}
	if err := paper.Figure2(res.emit); err != nil {
		return err
	}
	if err := paper.Figure3(res.emit); err != nil {
		return err
	}
	times.Step, times.Budget = bar.step, max(tourFig4-time.Since(began), tourLeast)
	if err := paper.Times(ctx, times, res.emit); err != nil {
		return err
	}
	table.Done = func() { bar.step("Table 1") }
	table.Budget = max(tourTime-time.Since(began), 1)
	return paper.Table1(ctx, table, res.emit)
}

// summary prints the main tables.
func (o *tour) summary(w io.Writer, res *results) error {
	var tables []*report.Table
	if list := record.Select(res.sink.Records, "score"); len(list) > 0 {
		tables = append(tables, report.ScoreBrief(list))
	}
	if list := record.Select(res.sink.Records, "solver"); len(list) > 0 {
		tables = append(tables, report.SolverBrief(list))
	}
	if err := printTables(w, tables...); err != nil {
		return err
	}
	return printPaper(w, res, o.quiet)
}

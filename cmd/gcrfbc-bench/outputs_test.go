package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
)

// short are runs of a fraction of a second of all commands that measure.
var short = []string{
	"scale --vary n --from 100 --to 200 --points 2 --what evaluate --time 1s",
	"solver --matrix grid2d:9 --quick",
	"paper --quick --seeds 1 --only fig2,fig3",
	"calibrate --quick --sizes 16 --threads 1",
	"machine",
}

// TestFullDisk: what cannot be written is exit code 1 and a message with the place.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full")
	}
	defer func() { _ = full.Close() }()
	dir := t.TempDir()
	t.Chdir(dir) // where report leaves its page
	results := filepath.Join(dir, "r.jsonl")
	if code, _, errs := bench(t, "solver", "--matrix", "grid2d:9", "--quick", "--out", results); code != exitOK {
		t.Fatal(errs)
	}
	check := func(code int, errs, where string, args []string) {
		t.Helper()
		if code != exitFailure || !strings.Contains(errs, where+" cannot be written: no space left") || strings.Count(errs, "\n") != 1 || strings.Contains(errs, "in the file") {
			t.Errorf("%s: exit %d, %q", strings.Join(args, " "), code, errs)
		}
	}
	for _, c := range append(short, "report "+results, "diff "+results+" "+results) {
		args := strings.Fields(c)
		var errs bytes.Buffer
		check(run(context.Background(), args, full, &errs), errs.String(), "standard output", args)
		if args[0] == "report" || args[0] == "diff" {
			continue
		}
		errs.Reset()
		args = append(args, "--json")
		check(run(context.Background(), args, full, &errs), errs.String(), "standard output", args)
		for _, flag := range []string{"--out", "--csv"} {
			args := append(strings.Fields(c), flag, "/dev/full")
			code, _, errs := bench(t, args...)
			check(code, errs, "/dev/full", args)
		}
	}
	for _, flag := range []string{"--html", "--markdown"} {
		args := []string{"report", results, flag, "/dev/full"}
		code, _, errs := bench(t, args...)
		check(code, errs, "/dev/full", args)
	}
}

// TestUnwritable: a place that takes no files is noticed before the work.
func TestUnwritable(t *testing.T) {
	none := filepath.Join(t.TempDir(), "no", "where", "r")
	for _, c := range short {
		for _, flag := range []string{"--out", "--csv"} {
			began := time.Now()
			code, out, errs := bench(t, append(strings.Fields(c), flag, none)...)
			if code != exitFailure || out != "" || !strings.Contains(errs, none) {
				t.Errorf("%s %s: exit %d, %q, %q after %v", c, flag, code, out, errs, time.Since(began))
			}
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := bench(t, "--dir", file); code != exitFailure || out != "" || !strings.Contains(errs, file) {
		t.Errorf("--dir of a file: exit %d, %q, %q", code, out, errs)
	}
}

// TestSignal interrupts real processes once they have results: these are kept, the
// message says where, and the exit code is 130.
func TestSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no SIGINT")
	}
	for _, c := range []struct{ name, args, results, page string }{
		{"tour", "--dir DIR", "results.jsonl", "report.html"},
		{"scale", "scale --vary n --from 100 --to 1e6 --points 40 --what evaluate --out DIR/r.jsonl", "r.jsonl", ""},
		{"solver", "solver --matrix grid2d:9,grid2d:20,grid2d:500 --out DIR/r.jsonl", "r.jsonl", ""},
		{"paper", "paper --full --only fig2,table1 --out DIR/r.jsonl", "r.jsonl", ""},
		{"calibrate", "calibrate --out DIR/r.jsonl", "r.jsonl", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			results := filepath.Join(dir, c.results)
			cmd := exec.Command(os.Args[0], strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
			cmd.Env = append(os.Environ(), childVariable+"=1", "GORACE=atexit_sleep_ms=0")
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			for limit := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
				if text, err := os.ReadFile(results); err == nil && bytes.Count(text, []byte("\n")) >= 3 {
					break
				}
				if time.Now().After(limit) {
					_ = cmd.Process.Kill()
					t.Fatalf("no results within a minute: %v, %s", <-ended, errs.String())
				}
			}
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			err := <-ended
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted || !strings.Contains(errs.String(), "interrupted") || strings.Contains(errs.String(), "goroutine") {
				t.Errorf("%v: %s", err, errs.String())
			}
			if !strings.Contains(errs.String(), results) {
				t.Errorf("does not say where the results are: %s", errs.String())
			}
			if records, err := record.ReadFile(results); err != nil || len(records) < 3 || records[0].Kind != "environment" {
				t.Errorf("%d records, %v", len(records), err)
			}
			if c.page == "" {
				return
			}
			if page, err := os.ReadFile(filepath.Join(dir, c.page)); err != nil || !bytes.Contains(page, []byte("</html>")) {
				t.Errorf("no page: %v", err)
			}
		})
	}
}

package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// peerSources are the programs that measure other solvers, for compare --build.
//
//go:embed peers/*.c peers/*.cpp peers/*.h peers/Makefile
var peerSources embed.FS

// peerProgram is one of the programs in peers, and how compare runs it.
type peerProgram struct {
	name     string
	label    string   // the solver's name in tables, with its variant
	orders   []string // values of --order; nil: no such option
	args     []string
	quick    []string // further arguments of a quick run
	threaded bool     // uses several threads if told to
	extra    bool     // only with --all
	phases   []string // what its times stand for
}

const cholmodLabel = "CHOLMOD"

var peerPrograms = []peerProgram{
	{name: "peer_cholmod", label: cholmodLabel, orders: []string{"amd", "metis"}, quick: []string{"--budget", "0"}, threaded: true,
		phases: []string{"refactor", "solve1", "solve_multi", "total"}},
	{name: "peer_cholmod", label: "CHOLMOD simplicial", orders: []string{"amd", "metis"}, args: []string{"--mode", "simplicial", "--maxflops", eigenFlops},
		quick: []string{"--budget", "0"}, extra: true, phases: []string{"refactor", "solve1", "solve_multi", "total"}},
	{name: "peer_eigen", label: "Eigen", orders: []string{"amd"}, args: []string{"--maxflops", eigenFlops},
		phases: []string{"refactor", "solve1", "solve_multi", "total"}},
	{name: "peer_mumps", label: "MUMPS", threaded: true, extra: true, phases: []string{"refactor", "solve1", "solve_multi", "total"}},
	{name: "peer_selinv", label: "CHOLMOD + OpenBLAS", orders: []string{"amd", "metis"}, threaded: true, phases: []string{"selinv"}},
	{name: "peer_amd_metis", label: "ordering"},
}

// eigenFlops is the work beyond which solvers without supernodes are not asked:
// they are several times slower than the others there.
const eigenFlops = "4e9"

// reading is one JSON object that a program printed.
type reading struct {
	Label   string // solver
	Program string
	Order   string
	Threads int // threads it was given
	phases  []string
	numbers map[string]float64
	words   map[string]string
	raw     json.RawMessage
}

// parseReadings takes the JSON objects among the lines of out.
func parseReadings(out []byte) ([]reading, error) {
	var list []reading
	for line := range bytes.Lines(out) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] != '{' {
			continue
		}
		var fields map[string]any
		if err := json.Unmarshal(line, &fields); err != nil {
			return list, fmt.Errorf("not a JSON object: %s: %w", clip(string(line)), err)
		}
		r := reading{numbers: map[string]float64{}, words: map[string]string{}, raw: bytes.Clone(line)}
		for k, v := range fields {
			switch v := v.(type) {
			case float64:
				r.numbers[k] = v
			case string:
				r.words[k] = v
			}
		}
		r.Order = r.words["order"]
		list = append(list, r)
	}
	if len(list) == 0 {
		return nil, errors.New("printed no result")
	}
	return list, nil
}

func clip(s string) string {
	if s = strings.TrimSpace(s); len(s) > 200 {
		return s[:200] + "…"
	}
	return s
}

// peerEnvironment is the environment in which the peers are fastest: OpenBLAS
// chooses its kernels for the processor, and CHOLMOD opens no OpenMP threads
// beside those of the BLAS.
func peerEnvironment(threads int) []string {
	var env []string
	for _, e := range os.Environ() {
		switch name, _, _ := strings.Cut(e, "="); name {
		case "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "GOTO_NUM_THREADS":
		default:
			env = append(env, e)
		}
	}
	return append(env, "OMP_THREAD_LIMIT=1", "OPENBLAS_NUM_THREADS="+strconv.Itoa(threads))
}

// execute runs a program and returns the results that it printed.
func execute(ctx context.Context, env []string, path string, args ...string) ([]reading, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = 2 * time.Second
	cmd.Env = env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		select { // an interrupt from a terminal may reach the program before us
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
		if lines := strings.Split(strings.TrimSpace(errs.String()), "\n"); lines[0] != "" {
			return nil, fmt.Errorf("%w: %s", err, clip(lines[len(lines)-1]))
		}
		return nil, err
	}
	return parseReadings(out.Bytes())
}

// find returns the path of a program in dir, an error if it is not there.
func find(dir, name string) (string, error) {
	path, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("not in %s; run make there, or compare --build", dir)
	}
	return path, nil
}

// buildPeers makes the programs in a new temporary directory, from the sources
// in dir or, if that is empty, from those in this program. Programs that cannot
// be built are missing afterwards; the second result says why.
func buildPeers(ctx context.Context, dir string, names []string) (built, complaint string, err error) {
	sources, err := fs.Sub(peerSources, "peers")
	if err != nil {
		return "", "", err
	}
	if dir != "" {
		sources = os.DirFS(dir)
	}
	if built, err = os.MkdirTemp("", "gcrfbc-peers-"); err != nil {
		return "", "", err
	}
	for _, pattern := range []string{"*.c", "*.cpp", "*.h", "Makefile"} {
		files, err := fs.Glob(sources, pattern)
		if err != nil {
			return built, "", err
		}
		for _, name := range files {
			text, err := fs.ReadFile(sources, name)
			if err != nil {
				return built, "", err
			}
			if err := os.WriteFile(filepath.Join(built, name), text, 0o600); err != nil {
				return built, "", err
			}
		}
	}
	cmd := exec.CommandContext(ctx, "make", append([]string{"-k", "-C", built}, names...)...)
	cmd.WaitDelay = 2 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return built, "", ctx.Err()
		}
		complaint = err.Error()
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, "rror") {
				complaint = clip(line)
				break
			}
		}
	}
	return built, complaint, nil
}

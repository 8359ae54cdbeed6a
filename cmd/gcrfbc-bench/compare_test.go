package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// childVariable makes this test's program act as gcrfbc-bench: compare runs its
// own program for our part.
const childVariable = "GCRFBC_BENCH_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// fakePeers returns a directory of shell scripts in place of the peers' programs.
// They print times of 100 s a phase at one thread, 50 s at two, 10 s more with
// METIS, for the grid2d:12 matrix.
func fakePeers(t *testing.T, scripts map[string]string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	t.Setenv(childVariable, "1")
	t.Setenv("GORACE", "atexit_sleep_ms=0") // a race-detecting child lingers for a second
	dir := t.TempDir()
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func fakeScripts() map[string]string {
	logdet, trace := gridSpectrum(12)
	times := func(keys ...string) string {
		var b strings.Builder
		for _, k := range keys {
			fmt.Fprintf(&b, `,\"%s_s\":$s,\"%s_cpu_s\":$s`, k, k)
		}
		return b.String()
	}
	begin := `[ -z "${OPENBLAS_CORETYPE+x}${OPENBLAS_L2_SIZE+x}" ] && [ "$OMP_THREAD_LIMIT" = 1 ] || { echo "wrong environment" >&2; exit 3; }
s=$((100 / OPENBLAS_NUM_THREADS)); order=amd
case "$*" in *metis*) order=metis; s=$((s + 10));; esac
`
	return map[string]string{
		"peer_cholmod": begin + fmt.Sprintf(`echo "{\"order\":\"$order\",\"CHOLMOD_version\":\"9.8\",\"logdet\":%.15g,\"relres\":1e-16,\"rss_mb\":5,\"held_bytes\":1e5,\"peak_bytes\":2e5%s}"`,
			logdet, times("analyze", "factor_first", "refactor", "solve1", "solve_multi")),
		"peer_eigen":  "echo starting >&2\necho 'cannot go on' >&2\nexit 7\n",
		"peer_selinv": begin + fmt.Sprintf(`echo noise; echo "{\"order\":\"$order\",\"trace_inv\":%.15g%s}"`, trace, times("refactor", "selinv")),
		"peer_amd_metis": begin + fmt.Sprintf(`for how in amd metis_nodend; do
echo "{\"how\":\"$how\",\"nnzL\":1000,\"flops\":1e4%s}"; done`, times("order")),
		"peer_dgemm": `best=50; [ "$OPENBLAS_CORETYPE" = Haswell ] && best=25
echo "{\"op\":\"dgemm_nt\",\"gflops_best\":$best}"`,
	}
}

func TestCompare(t *testing.T) {
	dir := fakePeers(t, fakeScripts())
	t.Setenv("OPENBLAS_CORETYPE", "Haswell")
	t.Setenv("OPENBLAS_L2_SIZE", "512")
	code, out, errs := bench(t, "compare", "--peers", dir, "--matrix", "grid2d:12", "--threads", "2,1", "--rounds", "2", "--quick", "--format", "json")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var r compareReport
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if !r.Complete || r.Environment.Go == "" || r.Environment.Date == "" || r.Environment.Peers["CHOLMOD"] != "9.8" {
		t.Errorf("complete %v, environment %+v", r.Complete, r.Environment)
	}
	if len(r.Failures) != 1 || r.Failures[0].Program != "peer_eigen" || !strings.Contains(r.Failures[0].Message, "cannot go on") {
		t.Errorf("failures %+v", r.Failures)
	}
	m := r.Matrices[0]
	if m.N != 144 || len(m.Ratios) != 2*len(phases) || len(m.Speedups) != len(phases) {
		t.Fatalf("n %d, %d ratios, %d speed-ups", m.N, len(m.Ratios), len(m.Speedups))
	}
	for _, x := range m.Ratios {
		want := 100 / float64(x.Threads)
		if x.Phase == "total" {
			want *= 2 // analysis and factorization
		}
		peer := "CHOLMOD, amd"
		if x.Phase == "selinv" {
			peer = "CHOLMOD + OpenBLAS, amd"
		}
		if x.Best != want || x.Peer != peer || len(x.Rounds) != 2 || !(x.Ours > 0) {
			t.Errorf("%+v, want %g of %s in 2 rounds", x, want, peer)
		}
		if x.Ratio != median(x.Rounds) {
			t.Errorf("%s: ratio %g of %v", x.Phase, x.Ratio, x.Rounds)
		}
		if cpu := x.Threads == 1; cpu != (x.Clock == "cpu") {
			t.Errorf("%d threads by the %s clock", x.Threads, x.Clock)
		}
	}
	if a := m.Agreement; a == nil || a.LogDet == nil || *a.LogDet < 12 || a.TraceInv == nil || *a.TraceInv < 12 || a.PeerResidual != 1e-16 || a.CholmodResidual != 1e-16 || a.ResidualRatio != a.Residual/1e-16 {
		t.Errorf("agreement %+v", a)
	}
	if x := m.Memory; x == nil || x.CholmodMB != 5 || x.MB <= 0 || x.Resident != x.MB/5 || x.Cholmod != 1e5 || x.Ratio != x.Used/2e5 || !(x.Forecast > 1e4) || !(x.OfForecast > .5 && x.OfForecast < 2) {
		t.Errorf("memory %+v", x)
	}
	if len(r.Dense) != len(denseLevels()) {
		t.Fatalf("%d dense products", len(r.Dense))
	}
	for i, p := range r.Dense {
		if p.Peer != 50/float64(1+i) || !(p.Ours > 0) || len(p.Rounds) != 2 || !(p.Target > 0 && p.Target < p.Peak) {
			t.Errorf("%+v", p)
		}
	}
	if o := m.Orderings; o == nil || o.Chosen == "" || !(o.AMDTime > 0) || !(o.AMDFill > 0) || !(o.AMDFlops > 0) || !(o.NDFill > 0) || !(o.NDFlops > 0) {
		t.Errorf("orderings %+v", o)
	}
	if want := 2*(2+8) + 2*2 + 2; len(m.Runs) != want { // ours, CHOLMOD and its inverse; orderings; our orderings
		t.Errorf("%d runs, want %d", len(m.Runs), want)
	}
}

func TestCompareTables(t *testing.T) {
	scripts := fakeScripts()
	delete(scripts, "peer_eigen")
	dir := fakePeers(t, scripts)
	file := filepath.Join(t.TempDir(), "path.mtx")
	if err := os.WriteFile(file, []byte("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for format, says := range map[string]string{"text": "\nmatrix ", "markdown": "| matrix | thr. | refactor |"} {
		code, out, errs := bench(t, "compare", "--peers", dir, "--matrix", "grid2d:12,"+file, "--threads", "1", "--quick", "--format", format)
		if code != exitOK {
			t.Fatalf("exit %d: %s", code, errs)
		}
		for _, want := range []string{says, "grid2d:12", "path.mtx", "sel. inverse", "CHOLMOD 9.8", "left out: peer_eigen: not in", runtime.Version(), "forecast / used", "Dense product"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", format, want, out)
			}
		}
		if strings.Contains(out, "speed-up") {
			t.Errorf("%s: a speed-up from one number of threads", format)
		}
	}
}

// TestCompareInterrupted ends a run while a peer hangs: what was finished is
// printed, and the peer does not outlive it.
func TestCompareInterrupted(t *testing.T) {
	started := filepath.Join(t.TempDir(), "started")
	scripts := fakeScripts()
	scripts["peer_selinv"] = "echo $$ > '" + started + ".tmp'; mv '" + started + ".tmp' '" + started + "'; exec sleep 100\n"
	dir := fakePeers(t, scripts)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(started); err == nil {
				cancel()
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"compare", "--peers", dir, "--matrix", "grid2d:12,grid2d:5", "--quick"}, &out, &errs)
	if code != exitInterrupted {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	for _, want := range []string{"interrupted", "CHOLMOD, amd", "32 solves"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "left out: peer_selinv") {
		t.Error("the interrupted program counts as failed")
	}
}

func TestCompareBadInput(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		says string
		args []string
	}{
		{"--build", nil},
		{"none", []string{"--peers", filepath.Join(dir, "none")}},
		{"--format", []string{"--peers", dir, "--format", "xml"}},
		{"--threads", []string{"--peers", dir, "--threads", "0"}},
		{"--rounds", []string{"--peers", dir, "--rounds", "0"}},
		{"grid9d", []string{"--peers", dir, "--matrix", "grid9d:3"}},
	} {
		code, out, errs := bench(t, append([]string{"compare"}, c.args...)...)
		if code != exitBadInput || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d, stdout %q, stderr %q", c.args, code, out, errs)
		}
	}
}

// TestBuild makes programs from sources of a directory, and reports one that
// cannot be made.
func TestBuild(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no make")
	}
	dir := t.TempDir()
	makefile := "good:\n\t@printf '#!/bin/sh\\necho {}\\n' > good && chmod +x good\nbad:\n\t@echo 'Error: no compiler'; false\n"
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte(makefile), 0o600); err != nil {
		t.Fatal(err)
	}
	built, complaint, err := buildPeers(t.Context(), dir, []string{"bad", "good"})
	if strings.Contains(complaint, "executable file not found") {
		t.Skip("no make")
	}
	defer os.RemoveAll(built)
	if err != nil || !strings.Contains(complaint, "no compiler") {
		t.Errorf("complaint %q, error %v", complaint, err)
	}
	if _, err := find(built, "good"); err != nil {
		t.Error(err)
	}
	if _, err := find(built, "bad"); err == nil {
		t.Error("a program that was not built is found")
	}
}

// TestEmbeddedSources checks that the program carries what --build needs.
func TestEmbeddedSources(t *testing.T) {
	for _, p := range peerPrograms {
		_, errC := peerSources.ReadFile("peers/" + p.name + ".c")
		_, errCpp := peerSources.ReadFile("peers/" + p.name + ".cpp")
		if errC != nil && errCpp != nil {
			t.Errorf("no source of %s", p.name)
		}
		for _, phase := range p.phases {
			if !slices.Contains(phaseKeys(), phase) {
				t.Errorf("%s: unknown phase %s", p.name, phase)
			}
		}
	}
	if _, err := peerSources.ReadFile("peers/Makefile"); err != nil {
		t.Error(err)
	}
}

func TestDigits(t *testing.T) {
	for _, c := range []struct{ a, b, want float64 }{
		{2, 2, 16}, {0, 0, 16}, {1.001, 1, 3}, {-1, 1, 0}, {math.NaN(), 1, 0}, {1, 0, 0}, {1 + 1e-12, 1, 12},
	} {
		if got := digits(c.a, c.b); math.Abs(got-c.want) > .01 {
			t.Errorf("digits(%g, %g) = %g, want %g", c.a, c.b, got, c.want)
		}
	}
}

func TestParseReadings(t *testing.T) {
	list, err := parseReadings([]byte("noise\n{\"order\":\"amd\",\"x\":2}\n\n {\"y_version\":\"3\"}\n"))
	if err != nil || len(list) != 2 || list[0].Order != "amd" || list[0].numbers["x"] != 2 || list[1].words["y_version"] != "3" {
		t.Errorf("%+v, %v", list, err)
	}
	for _, bad := range []string{"", "nothing\n", "{\"x\":\n"} {
		if _, err := parseReadings([]byte(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

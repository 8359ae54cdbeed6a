package main

import (
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/internal/simd"
)

func TestCalibrate(t *testing.T) {
	code, out, errs := bench(t, "calibrate", "--quick", "--threads", "2,1", "--sizes", "16,48", "--json")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	records, err := record.Read(strings.NewReader(out), "stdout")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, r := range record.Select(records, "calibrate") {
		count[r.String("quantity")+r.String("threads")]++
		unit := "gflops"
		if r.String("quantity") == "triad" {
			unit = "gbs"
		}
		rates := r.Floats("rate_all_" + unit)
		if len(rates) != 3 || value(r, "rate_"+unit) != median(rates) || !(value(r, "rate_max_"+unit) >= median(rates)) || r.String("level") != simd.Current().String() {
			t.Errorf("%v", r)
		}
	}
	for key, want := range map[string]int{"triad1": 1, "triad2": 1, "fma1": 1, "fma2": 1, "gemm1": 2, "gemm2": 2, "potrf1": 2, "potrf2": 2} {
		if n := count[key] / len(backends); n != want && count[key] != want {
			t.Errorf("%d of %s, want %d", count[key], key, want)
		}
	}
}

func TestCalibrateTargetAndLevels(t *testing.T) {
	code, out, errs := bench(t, "calibrate", "--quick", "--threads", "1", "--sizes", "1024")
	if code != exitOK || !strings.Contains(out, "target") || !strings.Contains(out, "GB/s") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	before := simd.Current()
	code, out, errs = bench(t, "calibrate", "--quick", "--threads", "1", "--sizes", "24", "--levels", "go,"+simd.Best().String())
	if code != exitOK || strings.Count(out, "fma ") != 2 || simd.Current() != before {
		t.Errorf("exit %d, level %v\n%s%s", code, simd.Current(), out, errs)
	}
	for args, says := range map[string]string{"--threads 0": "number of threads", "--sizes 0": "order", "--sizes x": "order", "--levels sse": "avx512", "x": "unexpected"} {
		if code, out, errs := bench(t, append([]string{"calibrate"}, strings.Fields(args)...)...); code != exitBadInput || out != "" || !strings.Contains(errs, says) {
			t.Errorf("%s: exit %d, %q, %q", args, code, out, errs)
		}
	}
}

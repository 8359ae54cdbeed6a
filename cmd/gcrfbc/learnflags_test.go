package main

import (
	"context"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestMeanAndPriorFlags(t *testing.T) {
	nodes, graph := tiny(t, t.TempDir(), 190)
	fast := []string{"fit", "--nodes", nodes, "--graph", graph, "--label", "class", "--scores", "a,b", "--variant", "nb", "--json"}
	for _, mean := range []string{"gain=0,bias", "direct,bias", "paper", "gain"} {
		o := object(t, must(t, append(fast, "--mean", mean)...))
		if got := o["mean"]; got != mean && mean != "direct,bias" {
			t.Errorf("--mean %s: %v", mean, got)
		}
		if mean == "gain=0,bias" && (o["gain"] != 0.0 || o["bias"] == 0.0) {
			t.Errorf("--mean %s: gain %v, bias %v", mean, o["gain"], o["bias"])
		}
		if mean == "direct,bias" && (o["gain"] != 1.0 || o["mean"] != "bias,direct") {
			t.Errorf("--mean %s: gain %v, %v", mean, o["gain"], o["mean"])
		}
	}
	for _, prior := range []string{"none", "default", "alpha=0:2,beta=-1:0.5", "gain=1:0.1,direct=0:1"} {
		o := object(t, must(t, append(fast, "--prior", prior)...))
		numbers(t, o, "objective", "penalised")
		if prior == "none" && o["objective"] != o["penalised"] || o["objective"].(float64) < o["penalised"].(float64) {
			t.Errorf("--prior %s: objective %v, penalised %v", prior, o["objective"], o["penalised"])
		}
	}
	for _, bad := range [][2]string{{"--mean", "flat"}, {"--mean", "bias=2"}, {"--prior", "alpha"}, {"--prior", "alpha=0:-1"}, {"--prior", "gamma=0:1"}, {"--prior", "beta=0:x"}, {"--prior", ""}} {
		code, _, errs := cli(t, append(fast, bad[:]...)...)
		if code != exitBadInput || !strings.Contains(errs, bad[0]) {
			t.Errorf("%v: exit %d, %s", bad, code, errs)
		}
	}
}

func TestStandardErrorFlag(t *testing.T) {
	nodes, graph := tiny(t, t.TempDir(), 200)
	data := []string{"fit", "--nodes", nodes, "--graph", graph, "--label", "class", "--scores", "a,b"}
	o := object(t, must(t, append(data, "--mean", "gain=0,bias,direct", "--json")...))
	u, ok := o["uncertainty"].(map[string]any)
	if !ok {
		t.Fatalf("no uncertainty: %v", o)
	}
	names, se, cov := u["names"].([]any), u["se"].([]any), u["covariance"].([]any)
	if len(names) != 5 || len(se) != 5 || len(cov) != 5 || names[0] != "sum(alpha)" {
		t.Fatalf("%v", u)
	}
	for i, v := range se {
		if s, ok := v.(float64); !ok || !(s > 0) || math.Abs(cov[i].([]any)[i].(float64)-s*s) > 1e-9*s*s {
			t.Errorf("standard error of %v: %v", names[i], v)
		}
	}
	if o := object(t, must(t, append(data, "--variant", "nb", "--se=no", "--json")...)); o["uncertainty"] != nil {
		t.Errorf("--se=no: %v", o["uncertainty"])
	}
	if out := must(t, append(data, "--variant", "nb", "--mean", "calibrated", "--se")...); !strings.Contains(out, "95 % range") || !strings.Contains(out, "direct[1]") {
		t.Errorf("no standard errors in\n%s", out)
	}
}

// TestCheckpointResume: interrupted, a fit leaves a checkpoint; resumed, it ends
// as if it had not been interrupted.
func TestCheckpointResume(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "fit.state"), filepath.Join(dir, "model.json")
	base := []string{"fit", "--variant", "nb", "--se=no", "--json"}
	want := object(t, must(t, base...))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	afterIteration = func() {
		if n++; n == 6 {
			cancel()
		}
	}
	args := append(base, "--checkpoint", file)
	code, _, errs := cliWith(t, ctx, "", append(args, "--out", out, "--resume")...)
	afterIteration = nil
	if code != exitInterrupted || !strings.Contains(errs, "--resume continues") || !strings.Contains(errs, "the fit starts") {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	code, stdout, errs := cli(t, append(args, "--resume")...)
	if code != exitOK || !strings.Contains(errs, "resuming after") {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	got := object(t, stdout)
	delete(got, "seconds")
	delete(want, "seconds")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("resumed %v\nwant %v", got, want)
	}
	for _, bad := range [][]string{
		append(args, "--resume", "--mean", "paper"), append(base, "--resume"), append(base, "--checkpoint", dir),
		append(base, "--checkpoint", filepath.Join(dir, "no", "where")), append(base, "--checkpoint", out, "--resume"), append(args, "--checkpoint-every", "-1s"),
	} {
		if code, _, errs := cli(t, bad...); code != exitBadInput {
			t.Errorf("%v: exit %d\n%s", bad, code, errs)
		}
	}
}

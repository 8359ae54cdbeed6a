package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/spf13/cobra"
)

type diffOptions struct {
	threshold   float64
	only        string
	changed     bool
	failIfWorse bool
	outputs     record.Outputs
}

// worseError ends diff --fail-if-worse when something became worse.
type worseError struct{ count int }

func (e *worseError) Error() string {
	return fmt.Sprintf("%d quantities became worse", e.count)
}

func diffCommand(stdout io.Writer) *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Put two files of results side by side",
		Long: `diff compares what two files of results have in common: records of the same kind
with the same identity (matrix, order and threads for the solver; family, sizes,
variant and threads for scale; and so on). Of every quantity whose runs are in both
files it prints the medians with their 95 % intervals, the change with its interval,
and p, adjusted for the number of comparisons. The verdict is better or worse only if
p is below .05, the interval of the change excludes none, the change is at least
--threshold and that of the best runs half of it; otherwise it is ~.

With one or two records of an identity a file, p is of the Mann–Whitney U test of
their runs, and the interval from the bootstrap; fewer than 4 runs on both sides allow
no verdict. But the runs of one process share its conditions. Three or more records,
of several processes in turn, show how much processes differ: then p and interval are
those of Welch's t test of the logarithms of their medians.

  for i in 1 2 3 4 5; do
    old/gcrfbc-bench solver --json >> old.jsonl; new/gcrfbc-bench solver --json >> new.jsonl
  done
  gcrfbc-bench diff old.jsonl new.jsonl

Results that have no noise (objectives, log-determinants, counts) are listed where
they differ by more than 1e-9. So is what changed of the environment.

Exit codes: 0, compared; 1, the output could not be written; 2, wrong usage, an input that cannot be
read, or nothing in common; 3, something became worse, with --fail-if-worse.`,
		Example: `  gcrfbc-bench solver --out old.jsonl
  gcrfbc-bench solver --out new.jsonl
  gcrfbc-bench diff old.jsonl new.jsonl
  gcrfbc-bench diff old.jsonl new.jsonl --only refactor --changed --fail-if-worse`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("want two files, the old and the new results, not %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args[0], args[1], stdout) },
	}
	f := cmd.Flags()
	f.Float64Var(&o.threshold, "threshold", 0.05, "smallest change that counts, as a fraction")
	f.StringVar(&o.only, "only", "", "only quantities or identities that contain this text")
	f.BoolVar(&o.changed, "changed", false, "only changes beyond the noise")
	f.BoolVar(&o.failIfWorse, "fail-if-worse", false, "exit with 3 if something became worse")
	o.outputs.Register(f)
	return cmd
}

func (o *diffOptions) run(oldPath, newPath string, stdout io.Writer) error {
	if !(o.threshold >= 0 && o.threshold < 1) {
		return usagef("--threshold %g: want a fraction from 0 to below 1, such as 0.03", o.threshold)
	}
	old, err := record.ReadFile(oldPath)
	if err != nil {
		return err
	}
	now, err := record.ReadFile(newPath)
	if err != nil {
		return err
	}
	d := compareRecords(old, now, o.threshold)
	if len(d.lines) == 0 && len(d.values) == 0 && d.common == 0 {
		return &inputError{fmt.Errorf("%s and %s have no results in common: %s", oldPath, newPath, kindsOf(old, now))}
	}
	res, err := openResults(o.outputs, stdout)
	if err != nil {
		return err
	}
	worsened := 0
	var shown []*difference
	for _, l := range d.lines {
		if !strings.Contains(l.what()+" "+l.quantity, o.only) {
			continue
		}
		if l.verdict == worse {
			worsened++
		}
		if !o.changed || l.verdict == better || l.verdict == worse {
			shown = append(shown, l)
		}
	}
	for _, l := range shown {
		if err := res.write(l.record()); err != nil {
			return res.close(err)
		}
	}
	if err := res.close(nil); err != nil {
		return err
	}
	if !o.outputs.JSON {
		if err := d.print(stdout, shown, o); err != nil {
			return err
		}
	}
	if o.failIfWorse && worsened > 0 {
		return &worseError{worsened}
	}
	return nil
}

func kindsOf(old, now []record.Record) string {
	names := func(list []record.Record) string {
		var kinds []string
		for _, r := range list {
			if !slices.Contains(kinds, r.Kind) {
				kinds = append(kinds, r.Kind)
			}
		}
		return strings.Join(kinds, ", ")
	}
	return fmt.Sprintf("the first has %s, the second %s; or they were measured with other sizes", names(old), names(now))
}

// difference is a quantity that both files have.
type difference struct {
	first    record.Record // the old one, for its identity
	quantity string        // name without unit
	unit     string
	comparisonOf
}

// what names what was measured: the values of the identity.
func (l *difference) what() string { return identityText(l.first) }

func identityText(r record.Record) string {
	words := []string{r.Kind}
	for _, k := range r.Identity() {
		v := r.String(k)
		if v == "" {
			continue
		}
		if _, number := r.Float(k); number {
			v = k + "=" + v
		}
		words = append(words, v)
	}
	return strings.Join(words, " ")
}

// units are suffixes of quantities, and whether less is better.
var units = map[string]bool{"s": true, "mb": true, "gflops": false, "gbs": false}

// runsOf splits the name of a list of runs: refactor_all_s is refactor in s.
func runsOf(key string) (quantity, unit string, ok bool) {
	at := strings.LastIndex(key, "_all_")
	if at < 0 {
		return "", "", false
	}
	quantity, unit = key[:at], key[at+len("_all_"):]
	_, known := units[unit]
	return quantity, unit, known
}

// identityKey is equal for records that are compared.
func identityKey(r record.Record) string {
	words := []string{r.Kind}
	for _, k := range r.Identity() {
		words = append(words, k, r.String(k))
	}
	return strings.Join(words, "\x00")
}

// differences is the comparison of two files.
type differences struct {
	lines       []*difference
	values      []string // results without noise that differ, in words
	common      int      // identities in both files
	onlyOld     int
	onlyNew     int
	environment []string // what changed of it
}

// sample is all runs of an identity in a file.
type sample struct {
	first record.Record
	runs  map[string][][]float64 // by name of the list, one a record
	order []string
}

func samples(list []record.Record) (keys []string, by map[string]*sample) {
	by = map[string]*sample{}
	for _, r := range list {
		if r.Kind == "environment" {
			continue
		}
		key := identityKey(r)
		s := by[key]
		if s == nil {
			s = &sample{first: r, runs: map[string][][]float64{}}
			by[key] = s
			keys = append(keys, key)
		}
		for _, k := range r.Keys() {
			if _, _, ok := runsOf(k); !ok {
				continue
			}
			runs := slices.DeleteFunc(slices.Clone(r.Floats(k)), func(v float64) bool { return !(v > 0) || math.IsInf(v, 0) })
			if len(runs) == 0 {
				continue
			}
			if s.runs[k] == nil {
				s.order = append(s.order, k)
			}
			s.runs[k] = append(s.runs[k], runs)
		}
	}
	return keys, by
}

// compareRecords compares what two lists of results have in common.
func compareRecords(old, now []record.Record, threshold float64) *differences {
	d := &differences{}
	oldKeys, a := samples(old)
	newKeys, b := samples(now)
	var lower []bool
	var list []*comparisonOf
	for _, key := range oldKeys {
		x, y := a[key], b[key]
		if y == nil {
			d.onlyOld++
			continue
		}
		d.common++
		for _, k := range x.order {
			if y.runs[k] == nil {
				continue
			}
			quantity, unit, _ := runsOf(k)
			l := &difference{first: x.first, quantity: quantity, unit: unit, comparisonOf: compareSamples(x.runs[k], y.runs[k], units[unit])}
			d.lines = append(d.lines, l)
			list, lower = append(list, &l.comparisonOf), append(lower, units[unit])
		}
		d.values = append(d.values, exactChanges(x.first, y.first)...)
	}
	for _, key := range newKeys {
		if a[key] == nil {
			d.onlyNew++
		}
	}
	judge(list, lower, threshold)
	if x, y := record.Select(old, "environment"), record.Select(now, "environment"); len(x) > 0 && len(y) > 0 {
		d.environment = environmentChanges(x[0], y[0])
	}
	return d
}

// exactChanges lists the fields without noise in which two records differ: what has
// no unit and was not measured.
func exactChanges(old, now record.Record) []string {
	var list []string
	identity := old.Identity()
	for _, k := range old.Keys() {
		if slices.Contains(identity, k) || measured(k) {
			continue
		}
		x, isNumber := old.Float(k)
		y, ok := now.Float(k)
		switch {
		case isNumber && ok:
			if math.Abs(x-y) <= 1e-9*math.Max(math.Abs(x), math.Abs(y)) {
				continue
			}
		case old.Fields[k] == nil || now.Fields[k] == nil || old.String(k) == "" || old.String(k) == now.String(k):
			continue
		}
		list = append(list, fmt.Sprintf("%s, %s: %s → %s", identityText(old), k, old.String(k), now.String(k)))
	}
	return list
}

// measured reports whether a field differs from run to run.
func measured(key string) bool {
	if strings.HasSuffix(key, "_runs") || strings.HasSuffix(key, "_fraction") || key == "residual" || key == "used_bytes" || key == "message" || key == "met" {
		return true
	}
	at := strings.LastIndex(key, "_")
	_, unit := units[key[at+1:]]
	return at >= 0 && unit || slices.Contains([]string{"exponent", "exponent_end", "low", "high", "constant", "points"}, key)
}

// record returns the difference for machines.
func (l *difference) record() record.Record {
	r := record.New("diff", "of", l.first.Kind, "measure", l.quantity, "unit", l.unit,
		"old", l.old.Center, "old_low", l.old.Lo, "old_high", l.old.Hi, "old_runs", l.n[0],
		"new", l.now.Center, "new_low", l.now.Lo, "new_high", l.now.Hi, "new_runs", l.n[1],
		"old_records", l.records[0], "new_records", l.records[1],
		"ratio", l.ratio, "ratio_low", l.low, "ratio_high", l.high, "p", l.p, "p_adjusted", l.adjusted, "verdict", string(l.verdict))
	for _, k := range l.first.Identity() {
		r.Fields[k] = l.first.Fields[k]
	}
	return r
}

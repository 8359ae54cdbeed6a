package dataio

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc"
)

// Scores returns the named columns as an N×K row-major array of finite numbers.
func (t *Table) Scores(names []string) ([]float64, error) {
	if len(names) == 0 {
		return nil, &Error{File: t.name, Msg: "no scores were named; give at least one column of scores, best logits (--scores a,b)"}
	}
	K := len(names)
	out := make([]float64, t.N()*K)
	for c, name := range names {
		k, err := t.find(name, "scores")
		if err != nil {
			return nil, err
		}
		if slices.Contains(names[:c], name) {
			return nil, &Error{File: t.name, Name: "column " + clip(name), Msg: "is named twice among the scores; name each predictor once"}
		}
		for i := range t.N() {
			f := t.field(i, k)
			v, err := strconv.ParseFloat(f, 64)
			switch {
			case f == "":
				return nil, t.fault(i, k, fmt.Sprintf("score of node %d is empty; every node needs a finite score (fill in missing ones)", i))
			case err != nil && !math.IsInf(v, 0):
				return nil, t.fault(i, k, fmt.Sprintf("score of node %d is %s, which is not a number; every node needs a finite score", i, quote(f)))
			case math.IsNaN(v) || math.IsInf(v, 0):
				return nil, t.fault(i, k, fmt.Sprintf("score of node %d is %s; scores must be finite numbers, best logits (clip infinite ones, fill in missing ones)", i, quote(f)))
			}
			out[i*K+c] = v
		}
	}
	return out, nil
}

// Labels reads labels: "class" is a column of 0 and 1, "class=3" is 1 where the
// column equals 3 and 0 elsewhere. −1 and empty fields are missing in both
// forms. Numbers may be written as 1 or 1.0, as columns with gaps are by some
// programs.
func (t *Table) Labels(spec string) ([]int8, error) {
	name, value, against := strings.Cut(spec, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	k, err := t.find(name, "labels")
	if err != nil {
		return nil, err
	}
	equals, zero, one, minus := matcher(value), matcher("0"), matcher("1"), matcher("-1")
	if against && (value == "" || minus(value)) {
		return nil, &Error{File: t.name, Name: "column " + clip(name), Msg: fmt.Sprintf("%s asks for missing labels to be class 1; −1 and empty fields are missing, name another of its values %s", quote(spec), t.values(k))}
	}
	out := make([]int8, t.N())
	found := false
	for i := range out {
		switch f := t.field(i, k); {
		case f == "" || minus(f):
			out[i] = gcrfbc.Missing
		case against && equals(f):
			out[i], found = 1, true
		case strings.EqualFold(f, "nan"):
			return nil, t.fault(i, k, fmt.Sprintf("label of node %d is %s; write -1 or nothing for missing", i, quote(f)))
		case against || zero(f):
		case one(f):
			out[i] = 1
		default:
			return nil, t.fault(i, k, fmt.Sprintf("label of node %d is %s; want 0, 1, or -1 or nothing for missing (--label %s=%s makes a task of one class against the rest)", i, quote(f), name, clip(f)))
		}
	}
	if against && !found {
		return nil, t.nothing(k, value)
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
		// Words and other single digits are not parsed.
		if err != nil || field == "" || strings.IndexByte("0123456789+-.", field[0]) < 0 || len(field) == 1 && len(value) == 1 {
			return false
		}
		v, err := strconv.ParseFloat(field, 64)
		return err == nil && v == number
	}
}

// Mask returns which rows satisfy "column=value"; that none does is an error.
// Fields are compared as text.
func (t *Table) Mask(spec string) ([]bool, error) {
	name, value, ok := strings.Cut(spec, "=")
	if !ok {
		return nil, &Error{File: t.name, Msg: fmt.Sprintf("%s does not say which rows; want column=value, such as split=train", quote(spec))}
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	k, err := t.find(name, "choosing rows")
	if err != nil {
		return nil, err
	}
	out := make([]bool, t.N())
	found := false
	for i := range out {
		if t.field(i, k) == value {
			out[i], found = true, true
		}
	}
	if !found {
		return nil, t.nothing(k, value)
	}
	return out, nil
}

func (t *Table) nothing(k int, value string) error {
	return &Error{File: t.name, Name: "column " + clip(t.columns[k]), Msg: fmt.Sprintf("no row equals %s; its values are %s", quote(value), t.values(k))}
}

// values lists the distinct values of a column, the first few of them.
func (t *Table) values(k int) string {
	var seen []string
	for i := range t.N() {
		f := t.field(i, k)
		if f == "" {
			f = `""`
		}
		if !slices.Contains(seen, f) {
			if len(seen) == 12 {
				return list(seen) + ", …"
			}
			seen = append(seen, f)
		}
	}
	return list(seen)
}

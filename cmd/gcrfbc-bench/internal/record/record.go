package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Record is one result.
type Record struct {
	Kind   string
	Fields map[string]any // string, bool, float64 or other numbers, []float64, nil
}

// New returns a record with the given fields: name, value, name, value, …
func New(kind string, fields ...any) Record {
	r := Record{kind, make(map[string]any, len(fields)/2)}
	for i := 0; i+1 < len(fields); i += 2 {
		r.Fields[fields[i].(string)] = fields[i+1]
	}
	return r
}

// Of returns a record with the fields of v's JSON object, for results that are
// structs with tags.
func Of(kind string, v any) (Record, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return Record{}, err
	}
	r := Record{Kind: kind}
	err = json.Unmarshal(b, &r.Fields)
	return r, err
}

// Float returns a number; ok is false where the field is no finite number.
func (r Record) Float(key string) (v float64, ok bool) {
	v, ok = number(r.Fields[key])
	return v, ok && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// Floats returns a list of numbers, nil where the field is none.
func (r Record) Floats(key string) []float64 {
	switch list := r.Fields[key].(type) {
	case []float64:
		return list
	case []any:
		out := make([]float64, len(list))
		for i, e := range list {
			v, ok := number(e)
			if !ok {
				return nil
			}
			out[i] = v
		}
		return out
	}
	return nil
}

// String returns a word, or a number or boolean as text; "" where there is none.
func (r Record) String(key string) string {
	switch v := r.Fields[key].(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	default:
		if f, ok := number(v); ok {
			return formatNumber(f)
		}
		return ""
	}
}

// Bool returns a boolean, false where there is none.
func (r Record) Bool(key string) bool {
	v, _ := r.Fields[key].(bool)
	return v
}

// Keys returns the names of all fields in ascending order.
func (r Record) Keys() []string {
	keys := make([]string, 0, len(r.Fields))
	for k := range r.Fields {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Select returns the records of a kind.
func Select(records []Record, kind string) []Record {
	var out []Record
	for _, r := range records {
		if r.Kind == kind {
			out = append(out, r)
		}
	}
	return out
}

// MarshalJSON writes one object: the kind, the fields that identify what was
// measured, then the others by name. Numbers that are not finite become null.
func (r Record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"kind":`)
	if err := appendValue(&b, r.Kind); err != nil {
		return nil, err
	}
	identity := r.Identity()
	rest := slices.DeleteFunc(r.Keys(), func(k string) bool { return slices.Contains(identity, k) || k == "kind" })
	for _, k := range slices.Concat(identity, rest) {
		b.WriteByte(',')
		if err := appendValue(&b, k); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := appendValue(&b, finite(r.Fields[k])); err != nil {
			return nil, fmt.Errorf("record %s, field %s: %w", r.Kind, k, err)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads one object. It must have a kind, and be flat.
func (r *Record) UnmarshalJSON(text []byte) error {
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	kind, ok := fields["kind"].(string)
	if _, times := fields["refactor_s"]; !ok && times { // lines of early versions, and of programs like peers/
		kind, ok = "solver", true
	}
	if !ok || kind == "" {
		return &fieldError{`no "kind", a word that says what the record describes`}
	}
	delete(fields, "kind")
	for k, v := range fields {
		switch v := v.(type) {
		case map[string]any:
			return &fieldError{fmt.Sprintf("field %q is an object; records are flat", k)}
		case []any:
			numbers := make([]float64, len(v))
			for i, e := range v {
				switch e := e.(type) {
				case float64:
					numbers[i] = e
				case nil:
					numbers[i] = math.NaN()
				default:
					return &fieldError{fmt.Sprintf("field %q, element %d is no number", k, i)}
				}
			}
			fields[k] = numbers
		}
	}
	*r = Record{kind, fields}
	return nil
}

type fieldError struct{ msg string }

func (e *fieldError) Error() string { return e.msg }

func appendValue(b *bytes.Buffer, v any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the line break
	return nil
}

// finite replaces numbers that JSON cannot hold by null.
func finite(v any) any {
	switch x := v.(type) {
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
	case []float64:
		if slices.ContainsFunc(x, func(e float64) bool { return math.IsNaN(e) || math.IsInf(e, 0) }) {
			out := make([]any, len(x))
			for i, e := range x {
				out[i] = finite(e)
			}
			return out
		}
	}
	return v
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case int32:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float32:
		return float64(v), true
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	}
	return 0, false
}

// formatNumber writes a number as it is read back to the same bits, counts
// without exponent; one that is not finite is empty, as JSON's null.
func formatNumber(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// formatList joins numbers by semicolons, for CSV.
func formatList(list []float64) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = formatNumber(v)
	}
	return strings.Join(words, ";")
}

package record

import "slices"

// Schema describes the records of a kind.
type Schema struct {
	Kind     string
	Identity []string // fields that say what was measured; others say how it went
	About    string
}

// Schemas lists kinds that gcrfbc-bench writes; of others the identity is what Identity
// says.
var Schemas = []Schema{
	{"environment", nil, "the machine, the program and their settings"},
	{"solver", []string{"matrix", "order", "threads"}, "phases of the sparse solver on one matrix"},
	{"scale", []string{"family", "vary", "quantity", "variant", "approx", "n", "m", "edges_per_node", "k", "l", "threads"}, "one quantity at one point of a scaling study"},
	{"scale.fit", []string{"family", "vary", "quantity", "variant", "approx", "range"}, "an exponent fitted to the points of a scaling study, with its 95 % interval"},
	{"scale.stop", []string{"family", "vary", "quantity", "variant"}, "why a scaling study has no more points of a quantity"},
	{"calibrate", []string{"quantity", "backend", "level", "n", "threads"}, "a ceiling of the machine, or how near a kernel comes to it"},
	{"diff", []string{"of", "measure", "unit", "matrix", "order", "family", "vary", "quantity", "variant", "approx", "n", "m", "edges_per_node", "k", "l", "backend", "level", "threads"}, "a measure of two files' records of kind \"of\", compared"},
	{"paper.table1", []string{"row", "labels", "model", "seed"}, "the published study's Table 1: one model fitted to one draw of the data"},
	{"paper.time", []string{"panel", "program", "what", "variant", "against", "n", "m"}, "time against N and M, the published Figure 4"},
	{"paper.exponent", []string{"panel", "program", "what", "variant", "against"}, "exponents of the published Figure 4"},
}

// dimensions identify a record of a kind that Schemas does not list, together
// with all fields that are words or booleans.
var dimensions = []string{"n", "m", "k", "l", "threads", "edges_per_node", "nrhs", "size", "seed", "row", "instances", "nodes"}

// Identity returns the names of the record's fields that say what was measured.
func (r Record) Identity() []string {
	for _, s := range Schemas {
		if s.Kind == r.Kind {
			return slices.DeleteFunc(slices.Clone(s.Identity), func(k string) bool { _, ok := r.Fields[k]; return !ok })
		}
	}
	var keys []string
	for _, k := range r.Keys() {
		switch r.Fields[k].(type) {
		case string, bool:
			keys = append(keys, k)
		default:
			if slices.Contains(dimensions, k) {
				keys = append(keys, k)
			}
		}
	}
	return keys
}

package sparse

import "fmt"

// Fault says what is wrong with an entry or a line, for callers that decide
// by it; the error's text says it to people.
type Fault uint8

// The faults that EntryError and ParseError name.
const (
	FaultSyntax     Fault = iota + 1 // a line that is not what the format asks for
	FaultBanner                      // no or unsupported Matrix Market banner, no edge-list header
	FaultSize                        // a bad size line, or sizes beyond what indices hold
	FaultNumber                      // a field that is not a number
	FaultNotFinite                   // NaN or ±Inf
	FaultNegative                    // a negative edge weight
	FaultSelfLoop                    // an edge from a node to itself
	FaultRange                       // an index outside the matrix
	FaultDuplicate                   // an entry given twice
	FaultUnsorted                    // columns of a row not increasing
	FaultTriangle                    // an entry above the diagonal where a lower triangle is asked for
	FaultAsymmetric                  // (i,j) and (j,i) differ, or one is missing
	FaultCount                       // fewer or more entries than declared
	FaultTruncated                   // compressed data ends early or is damaged
	FaultRead                        // the underlying reader failed
)

var faultNames = [...]string{
	"", "syntax", "banner", "size", "number", "not finite", "negative weight", "self loop",
	"index out of range", "duplicate", "unsorted", "wrong triangle", "asymmetric",
	"entry count", "truncated", "read",
}

func (f Fault) String() string {
	if int(f) < len(faultNames) {
		return faultNames[f]
	}
	return fmt.Sprintf("Fault(%d)", uint8(f))
}

// EntryError reports an entry (Row, Col), 0-based, that a matrix, pattern or
// graph built in memory cannot hold. Msg says why and what to do.
type EntryError struct {
	Row, Col int
	Fault    Fault
	Msg      string
}

func (e *EntryError) Error() string {
	return fmt.Sprintf("sparse: entry (%d, %d): %s", e.Row, e.Col, e.Msg)
}

// ShapeError reports sizes that do not fit together: What is the quantity,
// Got its value, Want the value asked for. Msg, if not empty, says it instead.
type ShapeError struct {
	What      string
	Got, Want int
	Msg       string
}

func (e *ShapeError) Error() string {
	if e.Msg != "" {
		return fmt.Sprintf("sparse: %s: %s", e.What, e.Msg)
	}
	return fmt.Sprintf("sparse: %s is %d, want %d", e.What, e.Got, e.Want)
}

// ParseError reports a fault in a file. Line and Column count from 1; 0 means
// that the fault belongs to the whole file (or line). Err is the cause, if any.
type ParseError struct {
	File         string
	Line, Column int
	Fault        Fault
	Msg          string
	Err          error
}

func (e *ParseError) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	case e.Column == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

func (e *ParseError) Unwrap() error { return e.Err }

package dataio

import (
	"fmt"
	"strings"
)

// Error says what is wrong with a file and where.
type Error struct {
	File   string
	Line   int    // from 1; 0: not of one line
	Column int    // from 1; 0: not of one column
	Name   string // column name or array; may be empty
	Msg    string // what is wrong and what to do
	Err    error  // cause, may be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&b, ":%d", e.Column)
		}
	}
	b.WriteString(": ")
	if e.Name != "" {
		b.WriteString(e.Name + ": ")
	}
	b.WriteString(e.Msg)
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

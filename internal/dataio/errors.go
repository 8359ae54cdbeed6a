package dataio

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Error says what is wrong with a file and where.
type Error struct {
	File   string
	Line   int    // from 1; 0: not of one line
	Column int    // of a table: the field's number in its line, from 1; 0: not of one field
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

// reason strips the operation and path that the message has already.
func reason(err error) string {
	if pe := (*os.PathError)(nil); errors.As(err, &pe) {
		return pe.Err.Error()
	}
	if le := (*os.LinkError)(nil); errors.As(err, &le) {
		return le.Err.Error()
	}
	return err.Error()
}

// damaged reports whether a decompressor or archive found its data incomplete
// or changed.
func damaged(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) ||
		errors.Is(err, gzip.ErrHeader) || errors.As(err, &corrupt)
}

// quote quotes a field for a message, cut to a readable length.
func quote(field string) string { return fmt.Sprintf("%q", clip(field)) }

func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

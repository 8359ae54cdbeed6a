package record

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Error says what is wrong with a file of records and where.
type Error struct {
	File string
	Line int // from 1; 0: not of one line
	Msg  string
	Err  error // cause, may be nil
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s: line %d: %s", e.File, e.Line, e.Msg)
}

func (e *Error) Unwrap() error { return e.Err }

// maxLine bounds a line: a record of all runs takes a few kilobytes.
const maxLine = 16 << 20

// ReadFile reads a file of records, compressed or not; "-" is the standard input.
// With a *Error come the records before the fault: all that an interrupted
// run has finished.
func ReadFile(path string) ([]Record, error) {
	if path == "-" {
		return Read(os.Stdin, "standard input")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path)
}

// Read reads records; name is for messages.
func Read(r io.Reader, name string) ([]Record, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	if magic, _ := in.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, &Error{File: name, Msg: "damaged gzip: " + err.Error(), Err: err}
		}
		in = bufio.NewReaderSize(z, 1<<16)
	}
	var records []Record
	for line := 1; ; line++ {
		text, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return records, &Error{name, line, readFault(err), err}
		}
		end := err != nil
		if text = bytes.TrimSpace(text); len(text) > 0 {
			var rec Record
			if err := json.Unmarshal(text, &rec); err != nil {
				return records, &Error{name, line, jsonFault(text, end, err), err}
			}
			records = append(records, rec)
		}
		if end {
			break
		}
	}
	if len(records) == 0 {
		return nil, &Error{File: name, Msg: "no records; results are written by --out FILE or --json"}
	}
	return records, nil
}

var errLongLine = fmt.Errorf("longer than %d MB", maxLine>>20)

// readLine returns the next line; with io.EOF the last one, which has no break.
func readLine(in *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(text)+len(part) > maxLine {
			return nil, errLongLine
		}
		text = append(text, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}

func readFault(err error) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the compressed data end early; the run was interrupted or the copy is incomplete"
	case errors.Is(err, gzip.ErrChecksum):
		return "the compressed data are damaged"
	}
	return err.Error()
}

func jsonFault(text []byte, last bool, err error) string {
	var flat *fieldError
	switch {
	case errors.As(err, &flat):
		return flat.msg
	case text[0] != '{':
		return fmt.Sprintf("%.20q begins no JSON object; a file of results holds one a line, as --out FILE and --json write them", text)
	case last:
		return "the last record is incomplete; the run was interrupted. Delete the line to use the others"
	}
	return "not a JSON object: " + err.Error()
}

package record

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// WriteError says that results could not be written.
type WriteError struct {
	File string
	Err  error
	Kept int // whole records that the file has
}

func (e *WriteError) Error() string {
	err := e.Err
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	}
	hint := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		hint = "; make its folder first, or name another place"
	case !errors.Is(err, syscall.ENOSPC):
	case e.Kept > 0:
		hint = fmt.Sprintf("; the %d records before this one are in the file", e.Kept)
	default:
		hint = "; make room, or name another place"
	}
	return fmt.Sprintf("%s cannot be written: %v%s", e.File, err, hint)
}

func (e *WriteError) Unwrap() error { return e.Err }

// WriteJSON writes one object a line.
func WriteJSON(w io.Writer, records []Record) error {
	for _, r := range records {
		line, err := encode(r)
		if err != nil {
			return err
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

func encode(r Record) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(r)
	return b.Bytes(), err
}

// WriteCSV writes a table: one row a record, one column a field. The first column
// is the kind, then come the fields that identify records and then the others, each
// in the order of Schemas and of their names. A field that a record does not have is
// empty; the elements of a list are separated by semicolons.
func WriteCSV(w io.Writer, records []Record) error {
	var first, rest []string
	for _, r := range records {
		identity := r.Identity()
		for _, k := range identity {
			if !slices.Contains(first, k) {
				first = append(first, k)
			}
		}
		for _, k := range r.Keys() {
			if !slices.Contains(identity, k) && !slices.Contains(rest, k) {
				rest = append(rest, k)
			}
		}
	}
	slices.Sort(rest)
	rest = slices.DeleteFunc(rest, func(k string) bool { return slices.Contains(first, k) })
	header := slices.Concat([]string{"kind"}, first, rest)
	out := csv.NewWriter(w)
	if err := out.Write(header); err != nil {
		return err
	}
	row := make([]string, len(header))
	for _, r := range records {
		row[0] = r.Kind
		for i, k := range header[1:] {
			if row[i+1] = r.String(k); row[i+1] == "" {
				row[i+1] = formatList(r.Floats(k))
			}
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Writer appends records to a file. A record is in the file when Write returns, so
// that an interruption costs the one at hand at most. It may be shared by goroutines.
type Writer struct {
	mu   sync.Mutex
	path string
	file *os.File
	zip  *gzip.Writer // nil: not compressed
	size int64        // where the last whole record ends; −1: not a regular file
	kept int          // whole records
}

// NewWriter creates or empties a file of records. Errors are *WriteError.
func NewWriter(path string) (*Writer, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, &WriteError{File: path, Err: err}
	}
	w := &Writer{path: path, file: f, size: -1}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		w.size = 0
	}
	if strings.HasSuffix(path, ".gz") {
		w.zip = gzip.NewWriter(f)
	}
	return w, nil
}

// Write appends one record. After a *WriteError, as of a full disk, the file ends
// with the last record that was written whole.
func (w *Writer) Write(r Record) error {
	line, err := encode(r)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.zip != nil {
		if _, err = w.zip.Write(line); err == nil {
			err = w.zip.Flush()
		}
	} else {
		_, err = w.file.Write(line)
	}
	if w.size < 0 {
		if err != nil {
			return &WriteError{w.path, err, w.kept}
		}
		return nil
	}
	if err != nil {
		_ = w.file.Truncate(w.size) // the first error is the one to report
		_, _ = w.file.Seek(w.size, io.SeekStart)
		return &WriteError{w.path, err, w.kept}
	}
	w.size, err = w.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return &WriteError{w.path, err, w.kept}
	}
	w.kept++
	return nil
}

// Close makes the results durable and closes the file.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	if w.zip != nil {
		err = w.zip.Close()
	}
	if w.size >= 0 {
		err = errors.Join(err, w.file.Sync())
	}
	if err = errors.Join(err, w.file.Close()); err != nil {
		return &WriteError{w.path, err, w.kept}
	}
	return nil
}

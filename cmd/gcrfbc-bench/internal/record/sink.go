package record

import (
	"errors"
	"io"
	"slices"

	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/spf13/pflag"
)

// Outputs says where a command's records go besides its table: the flags --json,
// --out and --csv.
type Outputs struct {
	JSON     bool   // lines on standard output, in place of the table
	Out, CSV string // files; empty: none
}

// Register adds the flags.
func (o *Outputs) Register(f *pflag.FlagSet) {
	f.BoolVar(&o.JSON, "json", false, "one JSON object a line in place of the table")
	f.StringVar(&o.Out, "out", "", "also write the results to this file as they come, one JSON object a line (.gz: compressed)")
	f.StringVar(&o.CSV, "csv", "", "also write the results to this CSV file, without the environment")
}

// Sink passes records to the outputs and keeps them. Not safe for concurrent use.
type Sink struct {
	Records []Record // all so far
	stdout  io.Writer
	file    *Writer
	csv     string
}

// Open opens the outputs; stdout is where JSON lines go, if wanted. An unwritable
// file is found out now, not after the work.
func (o Outputs) Open(stdout io.Writer) (*Sink, error) {
	s := &Sink{csv: o.CSV}
	if o.JSON {
		s.stdout = stdout
	}
	if o.CSV != "" {
		if err := s.writeCSV(); err != nil {
			return nil, err
		}
	}
	if o.Out != "" {
		var err error
		if s.file, err = NewWriter(o.Out); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Describe takes the record of the environment: it is kept and written to --out, but
// not to standard output, where lines are results.
func (s *Sink) Describe(r Record) error {
	s.Records = append(s.Records, r)
	if s.file != nil {
		return s.file.Write(r)
	}
	return nil
}

// Write takes one record.
func (s *Sink) Write(r Record) error {
	s.Records = append(s.Records, r)
	var err error
	if s.file != nil {
		err = s.file.Write(r)
	}
	if s.stdout != nil {
		if e := WriteJSON(s.stdout, []Record{r}); e != nil {
			err = errors.Join(err, &WriteError{File: "standard output", Err: e})
		}
	}
	return err
}

// Close completes the files. It is to be called also after an interruption.
func (s *Sink) Close() error {
	var err error
	if s.file != nil {
		err = s.file.Close()
		s.file = nil
	}
	if s.csv != "" {
		err = errors.Join(err, s.writeCSV())
		s.csv = ""
	}
	return err
}

func (s *Sink) writeCSV() error {
	results := slices.DeleteFunc(slices.Clone(s.Records), func(r Record) bool { return r.Kind == "environment" })
	if err := dataio.WriteFile(s.csv, func(w io.Writer) error { return WriteCSV(w, results) }); err != nil {
		if cause := errors.Unwrap(err); cause != nil { // without the file's name again
			err = cause
		}
		return &WriteError{File: s.csv, Err: err}
	}
	return nil
}

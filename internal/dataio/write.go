package dataio

import (
	"archive/zip"
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc/infer"
)

// WriteFile writes to a temporary file in path's folder and renames it, so that
// path holds either what it held before or all of the new content. A name that
// ends in .gz is compressed. A symbolic link keeps pointing where it points, a
// file keeps its permissions, and devices and pipes are written to directly.
func WriteFile(path string, write func(w io.Writer) error) (err error) {
	defer func() {
		if known := (*Error)(nil); err != nil && !errors.As(err, &known) {
			err = &Error{File: path, Msg: "cannot be written: " + reason(err), Err: err}
		}
	}()
	target := path
	old, err := os.Stat(path)
	switch {
	case err != nil: // a new file
	case !old.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(fill(f, path, write), f.Close())
	default:
		if target, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	f, err := createTemporary(target)
	if err != nil {
		return err
	}
	renamed := false
	defer func() { // also when write panics
		if !renamed {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if err := fill(f, path, write); err != nil {
		return err
	}
	if old != nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), target); err != nil {
		return err
	}
	renamed = true
	// The new name is durable once its folder is; not all systems can do that.
	if dir, err := os.Open(filepath.Dir(target)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}

// createTemporary makes a file next to path. Unlike those of os.CreateTemp it has
// the permissions of an ordinary new file.
func createTemporary(path string) (*os.File, error) {
	for try := 0; ; try++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x", filepath.Base(path), rand.Uint32()))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) || try == 100 {
			return f, err
		}
	}
}

// fill writes the content, compressed if path says so.
func fill(f *os.File, path string, write func(w io.Writer) error) error {
	b := bufio.NewWriterSize(f, 1<<16)
	if !strings.HasSuffix(path, ".gz") {
		if err := write(b); err != nil {
			return err
		}
		return b.Flush()
	}
	z := gzip.NewWriter(b)
	if err := write(z); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return b.Flush()
}

// ExtraColumn is a column of a table of predictions that is carried along.
type ExtraColumn struct {
	Name  string
	Value func(instance, node int) string
}

// WritePredictionsCSV writes a header and one line a node: [instance,]node, p1,
// mean, variance[, lower, upper], and the extra columns; the instance only if
// there are several, the interval if the prediction has it. Numbers are the
// shortest that read back to the same bits.
func WritePredictionsCSV(w io.Writer, p *infer.Prediction, extra ...ExtraColumn) error {
	b := bufio.NewWriter(w)
	several := len(p.Instances) > 1
	if several {
		b.WriteString("instance,")
	}
	b.WriteString("node,p1,mean,variance")
	if len(p.Instances) > 0 && p.Instances[0].Lower != nil {
		b.WriteString(",lower,upper")
	}
	for _, c := range extra {
		b.WriteString("," + csvField(c.Name))
	}
	b.WriteString("\n")
	var line []byte
	for j := range p.Instances {
		in := &p.Instances[j]
		for i := range in.P1 {
			line = line[:0]
			if several {
				line = append(strconv.AppendInt(line, int64(j), 10), ',')
			}
			line = strconv.AppendInt(line, int64(i), 10)
			for _, v := range [...]float64{in.P1[i], in.Mean[i], in.Variance[i]} {
				line = strconv.AppendFloat(append(line, ','), v, 'g', -1, 64)
			}
			if in.Lower != nil {
				line = strconv.AppendFloat(append(line, ','), in.Lower[i], 'g', -1, 64)
				line = strconv.AppendFloat(append(line, ','), in.Upper[i], 'g', -1, 64)
			}
			for _, c := range extra {
				line = append(append(line, ','), csvField(c.Value(j, i))...)
			}
			b.Write(append(line, '\n'))
		}
	}
	return b.Flush()
}

// csvField quotes a field that needs it.
func csvField(s string) string {
	if strings.ContainsAny(s, ",\"\r\n") || s != strings.TrimSpace(s) {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// WritePredictionsNPZ writes arrays P1, mean and variance, and lower and upper
// if the prediction has them, of the given shape, (M, N) or (M, H, W).
func WritePredictionsNPZ(w io.Writer, shape []int, p *infer.Prediction) error {
	z := zip.NewWriter(w)
	for _, a := range []struct {
		name string
		of   func(in *infer.InstancePrediction) []float64
	}{
		{"P1", func(in *infer.InstancePrediction) []float64 { return in.P1 }},
		{"mean", func(in *infer.InstancePrediction) []float64 { return in.Mean }},
		{"variance", func(in *infer.InstancePrediction) []float64 { return in.Variance }},
		{"lower", func(in *infer.InstancePrediction) []float64 { return in.Lower }},
		{"upper", func(in *infer.InstancePrediction) []float64 { return in.Upper }},
	} {
		if len(p.Instances) > 0 && a.of(&p.Instances[0]) == nil {
			continue
		}
		want, n := 1, 0
		for _, d := range shape {
			want *= d
		}
		for j := range p.Instances {
			n += len(a.of(&p.Instances[j]))
		}
		if n != want {
			return fmt.Errorf("array %s: %d numbers do not fill the shape %v", a.name, n, shape)
		}
		f, err := z.Create(a.name + ".npy")
		if err != nil {
			return err
		}
		if err := writeHeader(f, shape); err != nil {
			return err
		}
		for j := range p.Instances {
			if err := writeNumbers(f, a.of(&p.Instances[j])); err != nil {
				return err
			}
		}
	}
	return z.Close()
}

// writeHeader starts a float64 array in NumPy's format 1.0; npyio writes vectors
// and matrices only.
func writeHeader(w io.Writer, shape []int) error {
	dims := make([]string, len(shape))
	for i, d := range shape {
		dims[i] = strconv.Itoa(d)
	}
	header := "{'descr': '<f8', 'fortran_order': False, 'shape': (" + strings.Join(dims, ", ") + ",), }"
	const prefix = 10 // magic, version and length of the header
	header += strings.Repeat(" ", 63-(prefix+len(header))%64) + "\n"
	start := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	_, err := w.Write(append(start, header...))
	return err
}

// writeNumbers writes in pieces, so that the bytes are never all in memory.
func writeNumbers(w io.Writer, values []float64) error {
	var buf []byte
	for part := range slices.Chunk(values, 4096) {
		buf = buf[:0]
		for _, v := range part {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

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
	"math/rand/v2"
	"os"
	"path/filepath"
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
		if _, known := err.(*Error); err != nil && !known {
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
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
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
	return os.Rename(f.Name(), target)
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

// WritePredictionsCSV writes a header and one line a node: [instance,]node, p1,
// mean, variance, the instance only if there are several. Numbers are the
// shortest that read back to the same bits.
func WritePredictionsCSV(w io.Writer, p *infer.Prediction) error {
	b := bufio.NewWriter(w)
	several := len(p.Instances) > 1
	if several {
		b.WriteString("instance,")
	}
	b.WriteString("node,p1,mean,variance\n")
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
			b.Write(append(line, '\n'))
		}
	}
	return b.Flush()
}

// WritePredictionsNPZ writes arrays P1, mean and variance of the given shape,
// (M, N) or (M, H, W).
func WritePredictionsNPZ(w io.Writer, shape []int, p *infer.Prediction) error {
	z := zip.NewWriter(w)
	for _, a := range []struct {
		name string
		of   func(in *infer.InstancePrediction) []float64
	}{
		{"P1", func(in *infer.InstancePrediction) []float64 { return in.P1 }},
		{"mean", func(in *infer.InstancePrediction) []float64 { return in.Mean }},
		{"variance", func(in *infer.InstancePrediction) []float64 { return in.Variance }},
	} {
		var all []float64
		for j := range p.Instances {
			all = append(all, a.of(&p.Instances[j])...)
		}
		f, err := z.Create(a.name + ".npy")
		if err != nil {
			return err
		}
		if err := writeArray(f, shape, all); err != nil {
			return err
		}
	}
	return z.Close()
}

// writeArray writes a float64 array in NumPy's format 1.0; npyio writes vectors
// and matrices only.
func writeArray(w io.Writer, shape []int, values []float64) error {
	dims := make([]string, len(shape))
	for i, d := range shape {
		dims[i] = strconv.Itoa(d)
	}
	header := "{'descr': '<f8', 'fortran_order': False, 'shape': (" + strings.Join(dims, ", ") + ",), }"
	const prefix = 10 // magic, version and length of the header
	header += strings.Repeat(" ", 63-(prefix+len(header))%64) + "\n"
	if _, err := io.WriteString(w, "\x93NUMPY\x01\x00"); err != nil {
		return err
	}
	if err := binary.Write(w, binary.LittleEndian, uint16(len(header))); err != nil {
		return err
	}
	if _, err := io.WriteString(w, header); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, values)
}

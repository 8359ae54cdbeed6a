package dataio

import (
	"archive/zip"
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc/infer"
)

// WriteFile writes to a temporary file in path's folder and renames it, so that
// path holds either what it held before or all of the new content. A name that
// ends in .gz is compressed.
func WriteFile(path string, write func(w io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return &Error{File: path, Msg: "cannot be written: " + reason(err), Err: err}
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			if _, known := err.(*Error); !known {
				err = &Error{File: path, Msg: "cannot be written: " + reason(err), Err: err}
			}
		}
	}()
	b := bufio.NewWriterSize(f, 1<<16)
	var w io.Writer = b
	var z *gzip.Writer
	if strings.HasSuffix(path, ".gz") {
		z = gzip.NewWriter(b)
		w = z
	}
	if err := write(w); err != nil {
		return err
	}
	if z != nil {
		if err := z.Close(); err != nil {
			return err
		}
	}
	if err := b.Flush(); err != nil {
		return err
	}
	// CreateTemp makes files private; a result is an ordinary file.
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
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

package dataio

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/sbinet/npyio/npy"
)

// archive is an opened .npz file.
type archive struct {
	name string
	zip  *zip.ReadCloser
}

func openArchive(path string) (*archive, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
			return nil, &Error{File: path, Msg: "cannot be opened: " + reason(err), Err: err}
		}
		if startsWith(path, string(npy.Magic[:])) {
			return nil, &Error{File: path, Msg: "is a single NumPy array, not an archive of named ones; write it with numpy.savez(file, R=R, Y=Y, S=S)", Err: err}
		}
		return nil, &Error{File: path, Msg: "is not a complete .npz file (" + err.Error() + "); write it with numpy.savez or savez_compressed, and check that it was copied whole", Err: err}
	}
	return &archive{name: path, zip: z}, nil
}

// names lists the arrays.
func (a *archive) names() []string {
	var out []string
	for _, f := range a.zip.File {
		out = append(out, strings.TrimSuffix(f.Name, ".npy"))
	}
	return out
}

// array is a numeric array in C order.
type array struct {
	shape  []int
	values []float64
}

func (a *archive) fault(name, format string, args ...any) error {
	return &Error{File: a.name, Name: "array " + name, Msg: fmt.Sprintf(format, args...)}
}

// read returns the named array as float64, or nil if the file has none.
func (a *archive) read(name string) (*array, error) {
	k := slices.IndexFunc(a.zip.File, func(f *zip.File) bool { return f.Name == name+".npy" })
	if k < 0 {
		return nil, nil
	}
	f := a.zip.File[k]
	r, err := f.Open()
	if err != nil {
		return nil, a.fault(name, "cannot be read: %v; was the file copied whole?", err)
	}
	defer func() { _ = r.Close() }()
	h, err := header(r)
	if err != nil {
		return nil, a.fault(name, "is not a NumPy array: %v", err)
	}
	if h.Descr.Fortran {
		return nil, a.fault(name, "is in Fortran order; write numpy.ascontiguousarray(%s)", name)
	}
	decode, size, err := decoder(h.Descr.Type)
	if err != nil {
		return nil, a.fault(name, "%v; write %s.astype('<f8')", err, name)
	}
	n := 1
	for _, d := range h.Descr.Shape {
		if d < 0 || (d > 0 && n > math.MaxInt32*64/d) {
			return nil, a.fault(name, "has shape %v, which is no size that fits", h.Descr.Shape)
		}
		n *= d
	}
	// The header must not make us allocate what the file cannot hold.
	if uint64(n)*uint64(size) > f.UncompressedSize64 {
		return nil, a.fault(name, "should hold %d numbers of %d bytes but the file has %d bytes; was it cut off?", n, size, f.UncompressedSize64)
	}
	// Nor must the directory, which may lie too: memory grows with what is read.
	out := &array{shape: h.Descr.Shape, values: make([]float64, 0, min(n, 1<<16))}
	buf := make([]byte, 1<<15/size*size)
	for len(out.values) < n {
		if len(out.values) == cap(out.values) {
			out.values = slices.Grow(out.values, min(n-len(out.values), 3*len(out.values)))
		}
		part := buf[:min(len(buf), (n-len(out.values))*size)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, a.fault(name, "ends after %d of %d numbers (%v); was the file cut off?", len(out.values), n, err)
		}
		for ; len(part) > 0; part = part[size:] {
			out.values = append(out.values, decode(part))
		}
	}
	// The checksum is compared at the end of the data.
	switch k, err := io.ReadFull(r, buf[:1]); {
	case k > 0:
		return nil, a.fault(name, "holds more data than its shape %v says; write the file again", h.Descr.Shape)
	case err != nil && err != io.EOF:
		return nil, a.fault(name, "is damaged (%v); copy or write the file again", err)
	}
	return out, nil
}

// maxHeader bounds the headers that are read; those of NumPy have 54 or 118 bytes.
const maxHeader = 1 << 16

// header reads the header of an array; npy does not promise not to panic on
// damaged ones, and allocates what they claim.
func header(r io.Reader) (h npy.Header, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged header (%v)", p)
		}
	}()
	// Magic, version, and the length: 2 bytes in version 1, 4 from version 2 on.
	var start [12]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return h, fmt.Errorf("damaged header (%w)", err)
	}
	if n := binary.LittleEndian.Uint32(start[8:]); start[6] >= 2 && n > maxHeader {
		return h, fmt.Errorf("damaged header (of %d bytes)", n)
	}
	x, err := npy.NewReader(io.MultiReader(bytes.NewReader(start[:]), r))
	if err != nil {
		return h, err
	}
	return x.Header, nil
}

// decoder returns how to read one number of a NumPy type, and its size.
func decoder(dtype string) (func([]byte) float64, int, error) {
	order, kind := byte('='), dtype
	if len(dtype) > 0 && strings.IndexByte("<>|=", dtype[0]) >= 0 {
		order, kind = dtype[0], dtype[1:]
	}
	le := binary.LittleEndian
	switch kind {
	case "b1", "u1":
		return func(b []byte) float64 { return float64(b[0]) }, 1, nil
	case "i1":
		return func(b []byte) float64 { return float64(int8(b[0])) }, 1, nil
	}
	if order == '>' {
		return nil, 0, fmt.Errorf("has big-endian type %s", dtype)
	}
	switch kind {
	case "i2":
		return func(b []byte) float64 { return float64(int16(le.Uint16(b))) }, 2, nil
	case "u2":
		return func(b []byte) float64 { return float64(le.Uint16(b)) }, 2, nil
	case "i4":
		return func(b []byte) float64 { return float64(int32(le.Uint32(b))) }, 4, nil
	case "u4":
		return func(b []byte) float64 { return float64(le.Uint32(b)) }, 4, nil
	case "i8":
		return func(b []byte) float64 { return float64(int64(le.Uint64(b))) }, 8, nil
	case "u8":
		return func(b []byte) float64 { return float64(le.Uint64(b)) }, 8, nil
	case "f2":
		return func(b []byte) float64 { return half(le.Uint16(b)) }, 2, nil
	case "f4":
		return func(b []byte) float64 { return float64(math.Float32frombits(le.Uint32(b))) }, 4, nil
	case "f8":
		return func(b []byte) float64 { return math.Float64frombits(le.Uint64(b)) }, 8, nil
	}
	if kind == "O" {
		return nil, 0, errors.New("holds Python objects (type O), perhaps rows of different lengths")
	}
	return nil, 0, fmt.Errorf("has type %s, which is not a real number", clip(dtype))
}

// half decodes an IEEE 754 binary16 number.
func half(b uint16) float64 {
	sign, exp, frac := uint64(b>>15)<<63, uint64(b>>10&31), uint64(b&1023)
	switch exp {
	case 0: // zero and subnormal numbers, frac·2^-24
		return math.Copysign(float64(frac)*0x1p-24, math.Float64frombits(sign))
	case 31: // infinities and NaNs
		return math.Float64frombits(sign | 2047<<52 | frac<<42)
	}
	return math.Float64frombits(sign | (exp+1023-15)<<52 | frac<<42)
}

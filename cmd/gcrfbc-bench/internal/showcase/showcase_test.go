package showcase

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc"
)

// TestCounties: all results come, the field predicts better than the scores alone,
// and every county has a probability and an uncertainty.
func TestCounties(t *testing.T) {
	kinds, auc := map[string]int{}, map[string]float64{}
	err := Counties(t.Context(), 2, func(kind string, f map[string]any) error {
		kinds[kind]++
		switch kind {
		case "score":
			auc[f["model"].(string)] = f["auc"].(float64)
		case "counties":
			p, w := f["p1"].([]float64), f["interval_width"].([]float64)
			if len(p) != 3108 || len(w) != 3108 {
				t.Errorf("%d probabilities, %d widths", len(p), len(w))
			}
			for i := range p {
				if !(p[i] >= 0 && p[i] <= 1 && w[i] > 0 && w[i] <= 1) {
					t.Fatalf("county %d: probability %g, width %g", i, p[i], w[i])
				}
			}
		case "fit":
			e := f["trace_objective"].([]float64)
			if len(e) == 0 || len(e) != len(f["trace_evaluations"].([]float64)) {
				t.Errorf("a trace of %d points", len(e))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if kinds["fit"] != 3 || kinds["counties"] != 1 || kinds["prediction"] != 5 || kinds["score"] != 5 {
		t.Errorf("%v", kinds)
	}
	if a, b := auc["b, ep, calibrated mean"], auc["score gb_swing alone"]; !(a > b+.03) {
		t.Errorf("AUC %.4f of the field, %.4f of a score alone", a, b)
	}
}

// TestPictures: a left half of high scores is found, and shown.
func TestPictures(t *testing.T) {
	const h, w = 6, 8
	r, y, rgb := make([]float64, 2*h*w), make([]int8, 2*h*w), make([]uint8, 2*h*w*3)
	for i := range r {
		r[i] = -2
		if i%w < w/2 {
			r[i], y[i] = 2, 1
		}
		rgb[3*i] = 200
	}
	path := filepath.Join(t.TempDir(), "p.npz")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	npyFile(t, z, "R", "<f8", r, 2, h, w, 1)
	npyFile(t, z, "Y", "|i1", y, 2, h, w)
	npyFile(t, z, "rgb", "|u1", rgb, 2, h, w, 3)
	if err := errors.Join(z.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	m := &gcrfbc.Model{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.PaperMean, Params: gcrfbc.NewParams([]float64{1}, []float64{.1})}
	n := 0
	err = Pictures(t.Context(), PictureOptions{File: path, Model: m, Limit: 1}, func(kind string, f map[string]any) error {
		n++
		if kind != "picture" || f["width"] != w || f["height"] != h || f["accuracy"] != 1.0 || f["iou"] != 1.0 {
			t.Errorf("%s: %v", kind, f)
		}
		for _, key := range []string{"p1_png", "labels_png"} {
			b, err := base64.StdEncoding.DecodeString(f[key].(string))
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			left, right := color.GrayModel.Convert(img.At(0, 3)).(color.Gray), color.GrayModel.Convert(img.At(w-1, 3)).(color.Gray)
			if !(left.Y > 200 && right.Y < 55) {
				t.Errorf("%s: %d at the left, %d at the right", key, left.Y, right.Y)
			}
		}
		return nil
	})
	if err != nil || n != 1 {
		t.Errorf("%d pictures, %v", n, err)
	}
}

// npyFile adds an array to an .npz file.
func npyFile(t *testing.T, z *zip.Writer, name, descr string, values any, shape ...int) {
	t.Helper()
	w, err := z.Create(name + ".npy")
	if err != nil {
		t.Fatal(err)
	}
	dims := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }", descr, dims)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	_, err = fmt.Fprintf(w, "\x93NUMPY\x01\x00%c%c%s", len(header)%256, len(header)/256, header)
	if err := errors.Join(err, binary.Write(w, binary.LittleEndian, values)); err != nil {
		t.Fatal(err)
	}
}

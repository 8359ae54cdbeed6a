package showcase

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"path/filepath"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/score"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/sbinet/npyio/npz"
)

// PictureOptions say which pictures to segment.
type PictureOptions struct {
	File     string // .npz with R of shape (M, H, W, K)
	Model    *gcrfbc.Model
	Contrast float64 // as when the model was fitted; 0 for one graph
	Limit    int     // pictures at most
	Threads  int
}

// Pictures predicts every pixel of the first pictures of a file with a model and
// emits one "picture" each: PNG images, and scores where there are labels.
func Pictures(ctx context.Context, o PictureOptions, emit Emit) error {
	in, err := dataio.ReadInstances(o.File, dataio.InstanceOptions{Contrast: o.Contrast})
	if err != nil {
		return err
	}
	if len(in.Shape) != 3 {
		return &dataio.Error{File: o.File, Name: "array R", Msg: "holds no pictures; want shape (M, H, W, K)"}
	}
	d := *in.Dataset
	if o.Limit > 0 && len(d.Instances) > o.Limit {
		d.Instances = d.Instances[:o.Limit]
	}
	if err := o.Model.Matches(&d); err != nil {
		return fmt.Errorf("%s: %w", o.File, err)
	}
	p, err := infer.Predict(ctx, o.Model, &d, infer.PredictOptions{Threads: o.Threads})
	if err != nil {
		return err
	}
	h, w := in.Shape[1], in.Shape[2]
	rgb := colours(o.File, in.Shape)
	for j := range p.Instances {
		q := &p.Instances[j]
		f := map[string]any{"index": j, "width": w, "height": h, "file": filepath.Base(o.File)}
		put := func(key string, at func(i int) color.Color) error {
			s, err := encode(w, h, at)
			f[key] = s
			return err
		}
		if err := put("p1_png", func(i int) color.Color { return gray(q.P1[i]) }); err != nil {
			return err
		}
		labels := d.Instances[j].Labels
		if in.HasLabels {
			if err := put("labels_png", func(i int) color.Color { return gray(math.Max(0, float64(labels[i]))) }); err != nil {
				return err
			}
			if s, err := score.Evaluate(labels, q.P1, q.P0); err == nil {
				f["accuracy"] = s.Accuracy
				if !math.IsNaN(s.AUC) {
					f["auc"] = s.AUC
				}
			}
			c, err := score.Confuse(labels, q.P1, .5)
			if err == nil && c.TruePositive+c.FalsePositive+c.FalseNegative > 0 {
				f["iou"] = float64(c.TruePositive) / float64(c.TruePositive+c.FalsePositive+c.FalseNegative)
			}
		}
		if rgb != nil {
			at := func(i int) color.NRGBA {
				b := rgb[(j*h*w+i)*3:]
				return color.NRGBA{b[0], b[1], b[2], 255}
			}
			if err := put("rgb_png", func(i int) color.Color { return at(i) }); err != nil {
				return err
			}
			// The figure keeps its colours, the ground is paled.
			if err := put("segmented_png", func(i int) color.Color {
				c := at(i)
				if q.P1[i] >= .5 {
					return c
				}
				pale := func(v uint8) uint8 { return uint8((int(v) + 5*236) / 6) }
				return color.NRGBA{pale(c.R), pale(c.G), pale(c.B), 255}
			}); err != nil {
				return err
			}
		}
		if err := emit("picture", f); err != nil {
			return err
		}
	}
	return nil
}

// colours reads the pictures' colours, nil if there are none.
func colours(file string, shape []int) []uint8 {
	r, err := npz.Open(file)
	if err != nil {
		return nil
	}
	defer func() { _ = r.Close() }()
	var rgb []uint8
	if err := r.Read("rgb.npy", &rgb); err != nil || len(rgb) != shape[0]*shape[1]*shape[2]*3 {
		return nil
	}
	return rgb
}

func gray(p float64) color.Color { return color.Gray{uint8(math.Round(255 * p))} }

func encode(w, h int, at func(i int) color.Color) (string, error) {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, at(y*w+x))
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

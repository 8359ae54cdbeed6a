package showcase

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"path/filepath"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/cmd/internal/page"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/score"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
)

// PictureOptions say which pictures to segment.
type PictureOptions struct {
	File    string // .npz with R of shape (M, H, W, K)
	Model   *gcrfbc.Model
	Limit   int // pictures at most
	Threads int
}

// Pictures predicts every pixel of the first pictures of a file with a model and
// emits one "picture" each: PNG images, and scores where there are labels.
func Pictures(ctx context.Context, o PictureOptions, emit Emit) error {
	opts, _ := dataio.PictureOptions(o.Model)
	in, err := dataio.ReadInstances(o.File, opts)
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
	rgb, err := dataio.ReadColours(o.File, in.Shape, len(p.Instances))
	if err != nil {
		return err
	}
	for j := range p.Instances {
		q := &p.Instances[j]
		f := map[string]any{"index": j, "width": w, "height": h, "file": filepath.Base(o.File)}
		put := func(key string, at func(i int) color.Color) { f[key] = page.PNG(w, h, at) }
		put("p1_png", func(i int) color.Color { return gray(q.P1[i]) })
		labels := d.Instances[j].Labels
		if in.HasLabels {
			put("labels_png", func(i int) color.Color { return gray(math.Max(0, float64(labels[i]))) })
			if s, err := score.Evaluate(labels, q.P1, q.P0); err == nil {
				f["accuracy"] = s.Accuracy
				if !math.IsNaN(s.AUC) {
					f["auc"] = s.AUC
				}
				if !math.IsNaN(s.IoU) {
					f["iou"] = s.IoU
				}
			}
		}
		if rgb != nil {
			at := func(i int) color.NRGBA {
				b := rgb[j][3*i:]
				return color.NRGBA{b[0], b[1], b[2], 255}
			}
			put("rgb_png", func(i int) color.Color { return at(i) })
			// The figure keeps its colours, the ground is paled.
			put("segmented_png", func(i int) color.Color {
				c := at(i)
				if q.P1[i] >= .5 {
					return c
				}
				pale := func(v uint8) uint8 { return uint8((int(v) + 5*236) / 6) }
				return color.NRGBA{pale(c.R), pale(c.G), pale(c.B), 255}
			})
		}
		if err := emit("picture", f); err != nil {
			return err
		}
	}
	return nil
}

func gray(p float64) color.Color { return color.Gray{uint8(math.Round(255 * p))} }

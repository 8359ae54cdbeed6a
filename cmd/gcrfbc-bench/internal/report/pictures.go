package report

import (
	"fmt"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/internal/page"
)

// pictureSection shows segmented pictures side by side.
func pictureSection(by map[string][]record.Record) *Section {
	s := &Section{ID: "pictures", Title: "Real data: pictures", Command: "gcrfbc-bench report --pictures FILE --picture-model FILE"}
	t := &Table{Caption: "Every pixel is a node; predictions from scores and neighbours.", Head: []string{"picture", "pixels", "AUC", "accuracy", "IoU"}}
	var figs Figures
	for _, r := range by["picture"] {
		v := func(k string) float64 { return value(r, k) }
		w, h := v("width"), v("height")
		name := fmt.Sprintf("picture-%.0f", v("index"))
		panels := []struct{ key, title string }{{"rgb_png", "picture"}, {"labels_png", "labels"}, {"p1_png", "probability"}, {"segmented_png", "segmented"}}
		var row []page.Panel
		for _, p := range panels {
			if data := r.String(p.key); data != "" {
				row = append(row, page.Panel{PNG: data, Title: p.title})
			}
		}
		figs = append(figs, Figure{Name: name, Wide: true, SVG: page.Row(w, h, row), Panels: page.Rows(w, h, row), Caption: fmt.Sprintf("Picture %.0f of %s.", v("index"), r.String("file")), Alt: "A picture, its labels, and what was predicted"})
		t.Rows = append(t.Rows, []Cell{count(v("index")), count(w * h), fixed(v("auc"), 4), fixed(v("accuracy"), 4), fixed(v("iou"), 4)})
	}
	s.Blocks = append(s.Blocks, figs, t)
	return s
}

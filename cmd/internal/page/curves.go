package page

import (
	"github.com/gcrfbc/gcrfbc/infer/score"
)

// Curve is one model's probabilities of labels, for curves beside each other.
type Curve struct {
	Name   string
	Labels []int8 // 0, 1, or −1 where missing
	P1     []float64
}

func diagonal() Line {
	return Line{X: []float64{0, 1}, Y: []float64{0, 1}, Dashed: true, Gray: true}
}

// ROC draws the receiver operating characteristics. Curves that do not exist,
// those of a single class, are left out.
func ROC(list []Curve) string {
	c := Chart{X: "false positive rate", Y: "true positive rate", LegendBottom: true, Square: true, Lines: []Line{diagonal()}}
	for i, m := range list {
		points, err := score.ROC(m.Labels, m.P1)
		if err != nil {
			continue
		}
		l := Line{Name: m.Name, Color: i}
		for _, q := range points {
			l.X, l.Y = append(l.X, q.FalsePositiveRate), append(l.Y, q.TruePositiveRate)
		}
		l.X, l.Y = thin(l.X, l.Y)
		c.Lines = append(c.Lines, l)
	}
	return c.SVG()
}

// thin leaves points of a curve out that lie within a thousandth of the last one
// kept: a chart cannot show more.
func thin(x, y []float64) (tx, ty []float64) {
	for i := range x {
		last := len(tx) - 1
		if last >= 0 && i < len(x)-1 && x[i]-tx[last] < 1e-3 && y[i]-ty[last] < 1e-3 {
			continue
		}
		tx, ty = append(tx, x[i]), append(ty, y[i])
	}
	return tx, ty
}

// Reliability draws how often labels were 1 where a probability was stated, in ten
// bins, those of at least five labels.
func Reliability(list []Curve) string {
	c := Chart{X: "predicted probability", Y: "observed share of 1", LegendLeft: true, Square: true, Lines: []Line{diagonal()}}
	for i, m := range list {
		bins, err := score.Reliability(m.Labels, m.P1, 10)
		if err != nil {
			continue
		}
		l := Line{Name: m.Name, Color: i, Points: true}
		for _, q := range bins {
			if q.Count >= 5 {
				l.X, l.Y = append(l.X, q.Predicted), append(l.Y, q.Observed)
			}
		}
		c.Lines = append(c.Lines, l)
	}
	return c.SVG()
}

// Distributions draws how the stated probabilities of labels 0 and 1 are spread:
// the share of each class in bins of equal width.
func Distributions(labels []int8, p1 []float64) string {
	const bins = 20
	var n [2][bins]float64
	var all [2]float64
	for i, y := range labels {
		if y == 0 || y == 1 {
			n[y][min(int(p1[i]*bins), bins-1)]++
			all[y]++
		}
	}
	c := Chart{X: "predicted probability of label 1", Y: "share of the class", LegendLeft: true}
	for y, color := range [2]int{1, 0} {
		if all[y] == 0 {
			continue
		}
		l := Line{Name: [2]string{"label 0", "label 1"}[y], Color: color, Fill: true, X: []float64{0}, Y: []float64{0}}
		for k := range bins {
			share := n[y][k] / all[y]
			c.YMax = max(c.YMax, 1.2*share) // room for the legend
			l.X, l.Y = append(l.X, float64(k)/bins, float64(k+1)/bins), append(l.Y, share, share)
		}
		l.X, l.Y = append(l.X, 1), append(l.Y, 0)
		c.Lines = append(c.Lines, l)
	}
	return c.SVG()
}

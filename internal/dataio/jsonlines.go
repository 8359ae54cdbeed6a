package dataio

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"github.com/gcrfbc/gcrfbc/infer"
)

// WritePredictionsJSON writes one JSON object a node and line, with the columns of
// [WritePredictionsCSV] as keys; the extra column label is a number, others are
// strings.
func WritePredictionsJSON(w io.Writer, p *infer.Prediction, extra ...ExtraColumn) error {
	b := bufio.NewWriter(w)
	keys := make([][]byte, len(extra))
	for k, c := range extra {
		key, err := json.Marshal(c.Name)
		if err != nil {
			return err
		}
		keys[k] = key
	}
	var line []byte
	number := func(key string, v float64) {
		line = strconv.AppendFloat(append(append(line, key...), ':'), v, 'g', -1, 64)
	}
	for j := range p.Instances {
		in := &p.Instances[j]
		for i := range in.P1 {
			line = append(line[:0], '{')
			if len(p.Instances) > 1 {
				line = append(strconv.AppendInt(append(line, `"instance":`...), int64(j), 10), ',')
			}
			line = strconv.AppendInt(append(line, `"node":`...), int64(i), 10)
			number(`,"p1"`, in.P1[i])
			number(`,"mean"`, in.Mean[i])
			number(`,"variance"`, in.Variance[i])
			if in.Lower != nil {
				number(`,"lower"`, in.Lower[i])
				number(`,"upper"`, in.Upper[i])
			}
			for k, c := range extra {
				line = append(append(append(line, ','), keys[k]...), ':')
				if c.Name == "label" {
					line = append(line, c.Value(j, i)...)
					continue
				}
				text, err := json.Marshal(c.Value(j, i))
				if err != nil {
					return err
				}
				line = append(line, text...)
			}
			b.Write(append(line, '}', '\n'))
		}
	}
	return b.Flush()
}

package gcrfbc

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Mean names the form of the field's mean: which of gain, bias and direct
// weights are learned. It is [PaperMean], [CalibratedMean], or the learned parts
// separated by commas, such as "bias,direct". A gain that is not learned is 1,
// or the number given as "gain=0"; a bias or direct weights that are not
// learned are 0. The zero value stands for no choice and is not valid in a Model.
type Mean string

// The usual forms of the mean.
const (
	PaperMean      Mean = "paper"      // gain 1, bias 0, no direct weights
	CalibratedMean Mean = "calibrated" // gain, bias and direct weights learned
)

// MeanParts says which parts of the mean are learned.
type MeanParts struct {
	Gain, Bias, Direct bool
	FixedGain          float64 // the gain, where it is not learned
}

// ParseMean returns the form that s describes, in the spelling that
// [MeanParts.Mean] gives it. The error is a *ModelError.
func ParseMean(s string) (Mean, error) {
	p, err := Mean(s).Parts()
	if err != nil {
		return "", err
	}
	return p.Mean(), nil
}

// Parts returns what is learned. The error is a *ModelError.
func (m Mean) Parts() (MeanParts, error) {
	switch m {
	case PaperMean:
		return MeanParts{FixedGain: 1}, nil
	case CalibratedMean:
		return MeanParts{Gain: true, Bias: true, Direct: true, FixedGain: 1}, nil
	}
	p := MeanParts{FixedGain: 1}
	seen := make(map[string]bool)
	for part := range strings.SplitSeq(string(m), ",") {
		key, number, fixed := strings.Cut(strings.TrimSpace(part), "=")
		key = strings.TrimSpace(key)
		if seen[key] {
			return p, &ModelError{Msg: fmt.Sprintf("mean %q gives %s twice", string(m), key)}
		}
		seen[key] = true
		if fixed && key != "gain" {
			return p, &ModelError{Msg: fmt.Sprintf("mean %q fixes %q; only the gain can be fixed, as in gain=0", string(m), key)}
		}
		switch key {
		case "gain":
			p.Gain = !fixed
			if fixed {
				v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
				if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
					return p, &ModelError{Msg: fmt.Sprintf("mean %q fixes the gain at %q, which is not a finite number", string(m), number)}
				}
				p.FixedGain = v
			}
		case "bias":
			p.Bias = true
		case "direct":
			p.Direct = true
		default:
			return p, &ModelError{Msg: fmt.Sprintf("mean %q is neither paper, calibrated nor a list of gain, gain=NUMBER, bias and direct", string(m))}
		}
	}
	return p, nil
}

// Mean returns the shortest name of the parts.
func (p MeanParts) Mean() Mean {
	switch {
	case p.Gain && p.Bias && p.Direct:
		return CalibratedMean
	case !p.Gain && !p.Bias && !p.Direct && p.FixedGain == 1:
		return PaperMean
	}
	var parts []string
	if p.Gain {
		parts = append(parts, "gain")
	} else if p.FixedGain != 1 {
		parts = append(parts, "gain="+strconv.FormatFloat(p.FixedGain, 'g', -1, 64))
	}
	if p.Bias {
		parts = append(parts, "bias")
	}
	if p.Direct {
		parts = append(parts, "direct")
	}
	return Mean(strings.Join(parts, ","))
}

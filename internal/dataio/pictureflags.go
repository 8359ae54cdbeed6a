package dataio

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse/picture"
)

// PictureFlags are the command line flags --contrast and --smooth; every contrast
// with every smoothing is one graph.
type PictureFlags struct {
	Contrasts Contrasts
	Smooths   Smooths
}

// DefaultPictureFlags are those of gcrfbc fit.
func DefaultPictureFlags() PictureFlags {
	return PictureFlags{Contrasts: picture.DefaultContrasts(), Smooths: picture.DefaultSmooths()}
}

// Options returns the graphs that the flags ask for.
func (f *PictureFlags) Options() InstanceOptions {
	return InstanceOptions{Colours: picture.Pairs(f.Contrasts, f.Smooths)}
}

// Following returns the graphs that a model was fitted with, where the flags are not
// given: a list given takes the place of the model's.
func (f *PictureFlags) Following(m *gcrfbc.Model, contrast, smooth bool) InstanceOptions {
	fitted, ok := PictureOptions(m)
	if !ok || contrast && smooth {
		return f.Options()
	}
	if !contrast && !smooth {
		return fitted
	}
	contrasts, smooths := f.Contrasts, f.Smooths
	if !contrast {
		contrasts = nil
	}
	if !smooth && len(fitted.Colours) > 0 {
		smooths = nil
	}
	for _, c := range fitted.Colours {
		if !contrast && !slices.Contains(contrasts, c.Contrast) {
			contrasts = append(contrasts, c.Contrast)
		}
		if !smooth && !slices.Contains(smooths, c.Smooth) {
			smooths = append(smooths, c.Smooth)
		}
	}
	return InstanceOptions{Colours: picture.Pairs(contrasts, smooths)}
}

// Contrasts is a list of contrasts as the value of a flag (pflag.Value); it is empty
// where the flag is 0.
type Contrasts []float64

// Type names the kind of value in help.
func (c *Contrasts) Type() string { return "list" }

func (c *Contrasts) String() string {
	if len(*c) == 0 {
		return "0"
	}
	var parts []string
	for _, v := range *c {
		parts = append(parts, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return strings.Join(parts, ",")
}

// Set reads a list.
func (c *Contrasts) Set(s string) error {
	var out Contrasts
	parts := strings.Split(s, ",")
	for _, part := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		switch {
		case err == nil && v == 0 && len(parts) > 1:
			return fmt.Errorf("0 stands alone: it leaves out all colour graphs, and the plain grid is always there")
		case err != nil || !(v >= 0) || math.IsInf(v, 0):
			return fmt.Errorf("%q: want numbers above 0, separated by commas, as in 3,30, or 0 for no colour graph", part)
		case v > 0:
			out = append(out, v)
		}
	}
	if v, twice := repeated(out); twice {
		return fmt.Errorf("%g is there twice; every contrast is a graph of its own", v)
	}
	*c = out
	return nil
}

// Smooths is a list of smoothings as the value of a flag (pflag.Value).
type Smooths []int

// Type names the kind of value in help.
func (s *Smooths) Type() string { return "list" }

func (s *Smooths) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint([]int(*s)), " ", ","), "[]")
}

// Set reads a list.
func (s *Smooths) Set(text string) error {
	var out Smooths
	for part := range strings.SplitSeq(text, ",") {
		v, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || v < 0 {
			return fmt.Errorf("%q: want whole numbers of pixels, separated by commas, as in 0,1; 0 leaves colours as they are", part)
		}
		out = append(out, v)
	}
	if v, twice := repeated(out); twice {
		return fmt.Errorf("%d is there twice; every smoothing is a graph of its own", v)
	}
	*s = out
	return nil
}

// repeated returns a value that is in a list twice.
func repeated[T comparable](list []T) (v T, twice bool) {
	seen := make(map[T]bool, len(list))
	for _, v := range list {
		if seen[v] {
			return v, true
		}
		seen[v] = true
	}
	return v, false
}

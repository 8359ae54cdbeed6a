package picture

// smoothed returns the averages of a picture's colours over the squares of 2·radius+1
// pixels, or what of them lies inside the picture.
func smoothed(colours []float64, height, width, radius int) []float64 {
	if radius == 0 {
		return colours
	}
	radius = min(radius, max(height, width)) // beyond, all pixels are in every square
	rows, out := make([]float64, len(colours)), make([]float64, len(colours))
	average := func(dst, src []float64, lines, n, line, step int) {
		for l := range lines {
			for i := range n {
				lo, hi := max(i-radius, 0), min(i+radius, n-1)
				for c := range 3 {
					sum := 0.0
					for k := lo; k <= hi; k++ {
						sum += src[l*line+k*step+c]
					}
					dst[l*line+i*step+c] = sum / float64(hi-lo+1)
				}
			}
		}
	}
	average(rows, colours, height, width, 3*width, 3)
	average(out, rows, width, height, 3, 3*width)
	return out
}

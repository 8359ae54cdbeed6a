// Package picture makes the graphs of pictures. A picture of H rows and W columns
// is an instance of H·W nodes, pixel (r, c) being node r·W + c; its pixels are
// joined to their neighbours, by [sparse.Grid2D] say, once with weight one, the same
// for all pictures, and again with weights that fall with the difference of colour:
//
//	w_e = exp(−Contrast · d_e / mean d),   d_e = |colour_i − colour_j|²
//
// the mean being over the picture's links (Boykov and Jolly 2001; Rother,
// Kolmogorov and Blake 2004). How fast weights should fall, and how far colours
// should be averaged before, which takes noise and compression artefacts away, is
// learned: every pair of a contrast and a smoothing is one more graph S^l, whose
// strength β_l the fit finds. [Default] is what gcrfbc fit takes. All graphs share
// one pattern, so that graphs beyond the first cost next to nothing in a
// factorization.
//
// Colours are interleaved, red, green and blue of a pixel after one another, in any
// unit: only their relative differences count.
package picture

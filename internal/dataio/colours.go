package dataio

import "math"

// ReadColours returns the first count pictures' colours, three bytes a pixel,
// from the array rgb of an .npz file of pictures of the given shape (M, H, W);
// nil if there is no such array.
func ReadColours(path string, shape []int, count int) ([][]uint8, error) {
	a, err := openArchive(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = a.zip.Close() }()
	rgb, err := a.read("rgb")
	if err != nil || rgb == nil {
		return nil, err
	}
	if len(shape) != 3 || !sameShape(rgb.shape, []int{shape[0], shape[1], shape[2], 3}) {
		return nil, a.fault("rgb", "has shape %v; want three colours for every pixel of pictures of shape %v", rgb.shape, shape)
	}
	n := 3 * shape[1] * shape[2]
	out := make([][]uint8, min(count, shape[0]))
	for j := range out {
		out[j] = make([]uint8, n)
		for i, v := range rgb.values[j*n : (j+1)*n] {
			out[j][i] = uint8(math.Round(max(0, min(v, 255))))
		}
	}
	return out, nil
}

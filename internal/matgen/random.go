package matgen

// seed starts every generator.
const seed = 12345

// random is splitmix64.
type random uint64

func (s *random) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB
	return z ^ (z >> 31)
}

// uniform returns a number in [0, 1) with 53 random bits.
func (s *random) uniform() float64 { return float64(s.next()>>11) / (1 << 53) }

// RightHandSides fills b with reproducible numbers in [−1, 1), the right-hand
// sides that solves are measured on.
func RightHandSides(b []float64) {
	r := random(777)
	for i := range b {
		b[i] = 2*r.uniform() - 1
	}
}

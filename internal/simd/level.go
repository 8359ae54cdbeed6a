package simd

// Level is an instruction set.
type Level int

const (
	Go     Level = iota // the definitions
	AVX2                // AVX2 and FMA
	AVX512              // AVX-512 F, DQ, VL and BW
)

func (l Level) String() string {
	return [...]string{"go", "avx2", "avx512"}[l]
}

// best is what this processor and build support; level is what is in use.
var (
	best  = detect()
	level = best
)

// Best is the highest level of this processor and build.
func Best() Level { return best }

// Current is the level in use.
func Current() Level { return level }

// SetLevel uses level l, or the best there is below it, and returns the former
// level. It is for tests and benchmarks: nothing else may run meanwhile.
func SetLevel(l Level) Level {
	old := level
	level = min(l, best)
	return old
}

// tiles are MR and NR of each level.
var tiles = [...][2]int{Go: {goMR, goNR}, AVX2: {12, 4}, AVX512: {24, 8}}

// MaxNR bounds NR at every level.
const MaxNR = 8

// MR is the number of rows of a tile; packed strips of A have MR rows.
func MR() int { return tiles[level][0] }

// NR is the number of columns of a tile; column panels have NR columns.
func NR() int { return tiles[level][1] }

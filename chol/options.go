package chol

import "fmt"

// Ordering names the fill-reducing permutation that Analyze uses.
type Ordering uint8

const (
	// Auto tries AMD, and nested dissection too when the counted work is
	// large enough that a better ordering would repay the time to find it;
	// it keeps the one with fewer counted operations.
	Auto Ordering = iota
	// AMD is approximate minimum degree (Amestoy, Davis & Duff 1996): fast,
	// and the best choice for planar-like and power-law graphs. Where many nodes
	// hang on trees these are eliminated first.
	AMD
	// NestedDissection splits the graph recursively by small separators
	// (George 1973): up to 2.5 times fewer operations in three dimensions and
	// a better balanced tree, for 10 times AMD's time.
	NestedDissection
	// RCM is reverse Cuthill-McKee: small bandwidth; for chains and strips.
	RCM
	// Natural keeps the caller's order.
	Natural
	// Given uses Options.Perm.
	Given
)

var orderingNames = [...]string{"auto", "amd", "nd", "rcm", "natural", "given"}

func (o Ordering) String() string {
	if int(o) < len(orderingNames) {
		return orderingNames[o]
	}
	return fmt.Sprintf("Ordering(%d)", uint8(o))
}

// Backend names the kernels of large dense fronts.
type Backend uint8

const (
	// NativeBackend is this module's own kernels, in Go and assembly.
	NativeBackend Backend = iota
	// NetlibBackend is a CBLAS library behind gonum.org/v1/netlib. It is there
	// in programs built with cgo and the tag netlib, for example by
	//
	//	CGO_LDFLAGS=-lopenblas go build -tags netlib
	//
	// and should be told to use one thread (OPENBLAS_NUM_THREADS=1): the
	// parallelism is above it.
	NetlibBackend
)

// Options controls Analyze. The zero value is a good choice.
type Options struct {
	// Ordering of the elimination; the zero value is Auto.
	Ordering Ordering

	// Perm is the order when Ordering is Given: Perm[k] is the row that is
	// eliminated k-th. It is copied. Ignored otherwise.
	Perm []int32

	// Threads is the largest number of goroutines that one call uses; 0 means
	// GOMAXPROCS. Results have the same bits for any number.
	Threads int

	// Backend computes the large dense fronts; the zero value is NativeBackend.
	Backend Backend

	// MaxBytes bounds the forecast of the memory that one factor and its
	// working storage take, in bytes; 0 means no bound. Analyze fails with a
	// *MemoryError beyond it, before that memory is allocated.
	MaxBytes int64

	// Refactorizations is how many numeric factorizations are expected on
	// this analysis; 0 means 5. The more there are, the more time Auto spends
	// on the ordering.
	Refactorizations int

	// Seed of the random choices of NestedDissection; equal seeds give equal
	// orderings.
	Seed uint64
}

// defaultRefactorizations keeps ordering, analysis and one factorization
// together quick.
const defaultRefactorizations = 5

package sparse_test

import "github.com/gcrfbc/gcrfbc/sparse"

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// checkPattern asserts the invariants that NewPattern validates.
func checkPattern(t interface{ Fatalf(string, ...any) }, p *sparse.Pattern) {
	r, c := p.Dims()
	if _, err := sparse.NewPattern(r, c, p.Ptr(), p.Idx()); err != nil {
		t.Fatalf("invalid pattern: %v", err)
	}
}

// Command gen writes the assembly of package simd. Run it by go generate in
// internal/simd; its output is committed.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

var (
	what = flag.String("what", "panel", "panel | pack | vector | math | lanes | ceiling | rows")
	set  = flag.String("isa", "avx512", "avx512 | avx2")
)

func main() {
	flag.Parse()
	v := avx512
	if *set == "avx2" {
		v = avx2
	}
	ConstraintExpr("amd64,!noasm")
	switch *what {
	case "panel":
		v.tables()
		v.gemm()
		v.trsm(true)
		v.trsm(false)
		v.potrf()
		v.invert()
	case "pack":
		v.tables()
		v.packStrips("packA", tileVectors)
		v.packStrips("packB", 1)
		v.packRows()
	case "math":
		v.tables()
		v.math()
	case "ceiling":
		v.multiplyAdd()
		v.triad()
	case "rows":
		v.wideRows()
	case "lanes":
		v.batch()
	case "vector":
		v.tables()
		v.dot()
		v.axpy()
	}
	Generate()
}

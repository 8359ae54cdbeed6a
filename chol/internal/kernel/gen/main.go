// Command gen writes the assembly of package kernel. Run it by go generate in
// chol/internal/kernel; its output is committed.
package main

import (
	"flag"
	"strconv"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is one vector extension. Tails are masked with AVX-512 and scalar with
// AVX2.
type isa struct {
	suffix string
	lanes  int
	wide   bool
}

func main() {
	set := flag.String("isa", "avx512", "avx512 | avx2")
	flag.Parse()
	v := isa{"AVX512", 8, true}
	if *set == "avx2" {
		v = isa{"AVX2", 4, false}
	}
	ConstraintExpr("amd64,!noasm")
	v.runs("addRuns", true)
	v.runs("copyRuns", false)
	if !v.wide { // scalar: one version serves both
		v.scatter()
		v.collect()
		v.prefetchLines()
		v.permute()
	}
	v.panelSolve()
	v.panelSolveT()
	v.addRows()
	groups := []int{2}
	if v.wide {
		groups = []int{1, 2, 4}
		v.transpose(false)
		v.transpose(true)
	}
	for _, vectors := range groups {
		v.forwardMany(vectors)
		v.backwardMany(vectors)
	}
	for _, vectors := range groups {
		v.columnsForward(vectors)
		v.columnsBackward(vectors)
	}
	Generate()
}

var labels int

func label(name string) string {
	labels++
	return name + strconv.Itoa(labels)
}

func (v isa) vec() reg.VecVirtual {
	if v.wide {
		return ZMM()
	}
	return YMM()
}

func (v isa) bytes() int { return v.lanes * 8 }

// loop runs full for whole vectors and part for the rest of n elements; n is
// destroyed. part gets a mask register, or nil for one
// element.
func (v isa) loop(n reg.GPVirtual, full func(), part func(k reg.OpmaskVirtual)) {
	big, rest, one, end := label("full"), label("rest"), label("one"), label("end")
	CMPQ(n, Imm(uint64(v.lanes)))
	JL(LabelRef(rest))
	Label(big)
	full()
	SUBQ(Imm(uint64(v.lanes)), n)
	CMPQ(n, Imm(uint64(v.lanes)))
	JGE(LabelRef(big))
	Label(rest)
	TESTQ(n, n)
	JZ(LabelRef(end))
	if v.wide {
		m := GP32()
		MOVL(U32(0xff), m)
		BZHIL(n.As32(), m, m)
		k := K()
		KMOVB(m, k)
		part(k)
	} else {
		Label(one)
		part(nil)
		DECQ(n)
		JNZ(LabelRef(one))
	}
	Label(end)
}

// runs emits addRuns (child to parent) or copyRuns (parent to child).
func (v isa) runs(name string, add bool) {
	sig := "func(from, to, r int, c *float64, ldc int, rel *int32, runs *int32, front *float64, ldf, w int, upd *float64, ldu int)"
	if !add {
		sig = "func(from, to, r int, c *float64, ldc int, rel *int32, runs *int32, front *float64, ldf int)"
	}
	TEXT(name+v.suffix, attr.NOSPLIT, sig)
	Doc(name + v.suffix + " is " + name + "Go.")
	Pragma("noescape")
	j := Load(Param("from"), GP64())
	run := Load(Param("runs"), GP64())
	child := Load(Param("ldc"), GP64()) // column j of the child
	IMULQ(j, child)
	SHLQ(Imm(3), child)
	tmp := GP64()
	Load(Param("c"), tmp)
	ADDQ(tmp, child)

	column, find, found, inner, next, done := label("column"), label("find"), label("found"), label("inner"), label("next"), label("done")
	Label(column)
	Load(Param("to"), tmp)
	CMPQ(j, tmp)
	JGE(LabelRef(done))
	d := GP64()
	Load(Param("rel"), tmp)
	MOVLQSX(Mem{Base: tmp, Index: j, Scale: 4}, d)
	base := GP64() // column of the parent
	if add {
		below, set := label("below"), label("set")
		Load(Param("w"), tmp)
		CMPQ(d, tmp)
		JGE(LabelRef(below))
		Load(Param("ldf"), base)
		IMULQ(d, base)
		SHLQ(Imm(3), base)
		Load(Param("front"), tmp)
		ADDQ(tmp, base)
		JMP(LabelRef(set))
		Label(below) // upd + (d-w)·ldu - w
		MOVQ(d, base)
		SUBQ(tmp, base)
		SHLQ(Imm(3), tmp)
		ldu := Load(Param("ldu"), GP64())
		IMULQ(ldu, base)
		SHLQ(Imm(3), base)
		SUBQ(tmp, base)
		Load(Param("upd"), tmp)
		ADDQ(tmp, base)
		Label(set)
	} else {
		Load(Param("ldf"), base)
		IMULQ(d, base)
		SHLQ(Imm(3), base)
		Load(Param("front"), tmp)
		ADDQ(tmp, base)
	}
	// The run that holds j.
	at := GP64()
	Label(find)
	MOVLQSX(Mem{Base: run, Disp: 8}, at)
	CMPQ(at, j)
	JG(LabelRef(found))
	ADDQ(Imm(8), run)
	JMP(LabelRef(find))
	Label(found)
	q, b, n, src, dst := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(run, q)
	MOVQ(j, b)
	Label(inner) // b: child's position, d: parent's, at: end of the run
	MOVQ(at, n)
	SUBQ(b, n)
	LEAQ(Mem{Base: child, Index: b, Scale: 8}, src)
	LEAQ(Mem{Base: base, Index: d, Scale: 8}, dst)
	x := v.vec()
	load, store := src, dst
	if !add {
		load, store = dst, src
	}
	v.loop(n, func() {
		VMOVUPD(Mem{Base: load}, x)
		if add {
			VADDPD(Mem{Base: store}, x, x)
		}
		VMOVUPD(x, Mem{Base: store})
		ADDQ(Imm(uint64(v.bytes())), src)
		ADDQ(Imm(uint64(v.bytes())), dst)
	}, func(k reg.OpmaskVirtual) {
		if v.wide {
			y := ZMM()
			VMOVUPD_Z(Mem{Base: load}, k, y)
			if add {
				VADDPD_Z(Mem{Base: store}, y, k, y)
			}
			VMOVUPD(y, k, Mem{Base: store})
			return
		}
		y := XMM()
		VMOVSD(Mem{Base: load}, y)
		if add {
			VADDSD(Mem{Base: store}, y, y)
		}
		VMOVSD(y, Mem{Base: store})
		ADDQ(Imm(8), src)
		ADDQ(Imm(8), dst)
	})
	Load(Param("r"), tmp)
	CMPQ(at, tmp)
	JGE(LabelRef(next))
	MOVQ(at, b)
	ADDQ(Imm(8), q)
	MOVLQSX(Mem{Base: q, Disp: 4}, d)
	MOVLQSX(Mem{Base: q, Disp: 8}, at)
	JMP(LabelRef(inner))
	Label(next)
	INCQ(j)
	Load(Param("ldc"), tmp)
	LEAQ(Mem{Base: child, Index: tmp, Scale: 8}, child)
	JMP(LabelRef(column))
	Label(done)
	VZEROUPPER()
	RET()
}

// ahead is how many entries ahead the irregular side is prefetched; lists
// are padded by as many.
const ahead = 32

func (v isa) scatter() {
	TEXT("scatter"+v.suffix, attr.NOSPLIT, "func(n int, list *int32, values, panel *float64)")
	Doc("scatter" + v.suffix + " is scatterGo.")
	Pragma("noescape")
	v.entries(8, func(list, values, panel, s, d reg.GPVirtual, x reg.VecVirtual) {
		MOVLQSX(Mem{Base: list, Disp: 8 * ahead}, s)
		PREFETCHT0(Mem{Base: values, Index: s, Scale: 8})
		MOVLQSX(Mem{Base: list}, s)
		MOVLQSX(Mem{Base: list, Disp: 4}, d)
		VMOVSD(Mem{Base: values, Index: s, Scale: 8}, x)
		VMOVSD(x, Mem{Base: panel, Index: d, Scale: 8})
	})
}

func (v isa) collect() {
	TEXT("collect"+v.suffix, attr.NOSPLIT, "func(n int, list *int32, values, panel *float64)")
	Doc("collect" + v.suffix + " is collectGo, from the last entry, at list, back.")
	Pragma("noescape")
	v.entries(-8, func(list, values, panel, s, d reg.GPVirtual, x reg.VecVirtual) {
		MOVLQSX(Mem{Base: list, Disp: -8 * ahead}, s)
		PREFETCHT0(Mem{Base: values, Index: s, Scale: 8})
		MOVLQSX(Mem{Base: list}, s)
		MOVLQSX(Mem{Base: list, Disp: 4}, d)
		VMOVSD(Mem{Base: panel, Index: d, Scale: 8}, x)
		VMOVSD(x, Mem{Base: values, Index: s, Scale: 8})
	})
}

// prefetchLines emits prefetches of n bytes, one a cache line.
func (v isa) prefetchLines() {
	TEXT("prefetch"+v.suffix, attr.NOSPLIT, "func(n int, x *byte)")
	Doc("prefetch" + v.suffix + " fetches n bytes.")
	Pragma("noescape")
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	loop := label("line")
	Label(loop)
	PREFETCHT0(Mem{Base: x})
	ADDQ(Imm(64), x)
	SUBQ(Imm(64), n)
	JG(LabelRef(loop))
	RET()
}

func (v isa) entries(stride int32, step func(list, values, panel, s, d reg.GPVirtual, x reg.VecVirtual)) {
	n := Load(Param("n"), GP64()).(reg.GPVirtual)
	list := Load(Param("list"), GP64()).(reg.GPVirtual)
	values := Load(Param("values"), GP64()).(reg.GPVirtual)
	panel := Load(Param("panel"), GP64()).(reg.GPVirtual)
	s, d, x := GP64(), GP64(), XMM()
	loop, end := label("loop"), label("end")
	TESTQ(n, n)
	JZ(LabelRef(end))
	Label(loop)
	step(list, values, panel, s, d, x)
	ADDQ(I32(stride), list)
	DECQ(n)
	JNZ(LabelRef(loop))
	Label(end)
	RET()
}

func (v isa) zero(x reg.VecVirtual) { VXORPD(x, x, x) }

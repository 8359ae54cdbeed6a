package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const attrNOSPLIT = attr.NOSPLIT

// dot emits dot: four accumulators of lanes elements, a masked tail, and a sum
// of halves.
func (v isa) dot() {
	TEXT("dot"+v.suffix, attrNOSPLIT, "func(n int, x, y *float64) float64")
	Doc("dot" + v.suffix + " returns Σ x(i) y(i).")
	Pragma("noescape")
	V := v.lanes
	Load(Param("n"), reg.RBX)
	Load(Param("x"), reg.RSI)
	Load(Param("y"), reg.RDI)
	for i := range 4 {
		v.zero(v.reg(i))
	}
	four, one, rest, done := newLabel("four"), newLabel("one"), newLabel("rest"), newLabel("done")
	Label(four)
	CMPQ(reg.RBX, Imm(uint64(4*V)))
	JLT(LabelRef(one))
	for i := range 4 {
		VMOVUPD(Mem{Base: reg.RSI, Disp: i * v.bytes()}, v.reg(4+i))
		VFMADD231PD(Mem{Base: reg.RDI, Disp: i * v.bytes()}, v.reg(4+i), v.reg(i))
	}
	ADDQ(U32(uint32(4*v.bytes())), reg.RSI)
	ADDQ(U32(uint32(4*v.bytes())), reg.RDI)
	SUBQ(Imm(uint64(4*V)), reg.RBX)
	JMP(LabelRef(four))
	Label(one)
	CMPQ(reg.RBX, Imm(uint64(V)))
	JLT(LabelRef(rest))
	VMOVUPD(Mem{Base: reg.RSI}, v.reg(4))
	VFMADD231PD(Mem{Base: reg.RDI}, v.reg(4), v.reg(0))
	ADDQ(Imm(uint64(v.bytes())), reg.RSI)
	ADDQ(Imm(uint64(v.bytes())), reg.RDI)
	SUBQ(Imm(uint64(V)), reg.RBX)
	JMP(LabelRef(one))
	Label(rest)
	TESTQ(reg.RBX, reg.RBX)
	JLE(LabelRef(done))
	MOVQ(reg.RBX, rT)
	v.laneMask(0)
	v.loadLanes(Mem{Base: reg.RSI}, 0, v.reg(4))
	v.loadLanes(Mem{Base: reg.RDI}, 0, v.reg(5))
	VFMADD231PD(v.reg(5), v.reg(4), v.reg(1))
	Label(done)
	VADDPD(v.reg(1), v.reg(0), v.reg(0))
	VADDPD(v.reg(3), v.reg(2), v.reg(2))
	VADDPD(v.reg(2), v.reg(0), v.reg(0))
	if v.wide {
		VEXTRACTF64X4(Imm(1), reg.Z0, reg.Y1)
		VADDPD(reg.Y1, reg.Y0, reg.Y0)
	}
	VEXTRACTF128(Imm(1), reg.Y0, reg.X1)
	VADDPD(reg.X1, reg.X0, reg.X0)
	VPERMILPD(Imm(1), reg.X0, reg.X1)
	VADDSD(reg.X1, reg.X0, reg.X0)
	Store(reg.X0, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// axpy emits axpy.
func (v isa) axpy() {
	TEXT("axpy"+v.suffix, attrNOSPLIT, "func(n int, alpha float64, x, y *float64)")
	Doc("axpy" + v.suffix + " adds alpha x to y.")
	Pragma("noescape")
	V := v.lanes
	Load(Param("n"), reg.RBX)
	VBROADCASTSD(mustAddr("alpha"), v.reg(0))
	Load(Param("x"), reg.RSI)
	Load(Param("y"), reg.RDI)
	four, one, rest, done := newLabel("four"), newLabel("one"), newLabel("rest"), newLabel("done")
	step := func(k int) {
		for i := range k {
			VMOVUPD(Mem{Base: reg.RSI, Disp: i * v.bytes()}, v.reg(1+i))
		}
		for i := range k {
			m := Mem{Base: reg.RDI, Disp: i * v.bytes()}
			VFMADD213PD(m, v.reg(0), v.reg(1+i))
			VMOVUPD(v.reg(1+i), m)
		}
		ADDQ(U32(uint32(k*v.bytes())), reg.RSI)
		ADDQ(U32(uint32(k*v.bytes())), reg.RDI)
		SUBQ(Imm(uint64(k*V)), reg.RBX)
	}
	Label(four)
	CMPQ(reg.RBX, Imm(uint64(4*V)))
	JLT(LabelRef(one))
	step(4)
	JMP(LabelRef(four))
	Label(one)
	CMPQ(reg.RBX, Imm(uint64(V)))
	JLT(LabelRef(rest))
	step(1)
	JMP(LabelRef(one))
	Label(rest)
	TESTQ(reg.RBX, reg.RBX)
	JLE(LabelRef(done))
	MOVQ(reg.RBX, rT)
	v.laneMask(0)
	v.loadLanes(Mem{Base: reg.RSI}, 0, v.reg(1))
	v.loadLanes(Mem{Base: reg.RDI}, 0, v.reg(2))
	VFMADD213PD(v.reg(2), v.reg(0), v.reg(1))
	if v.wide {
		VMOVUPD(v.reg(1), kreg(0), Mem{Base: reg.RDI})
	} else {
		VMASKMOVPD(v.reg(1), v.reg(15), Mem{Base: reg.RDI})
	}
	Label(done)
	VZEROUPPER()
	RET()
}

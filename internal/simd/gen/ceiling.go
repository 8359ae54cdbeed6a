package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The routines of cmd/gcrfbc-bench/internal/ceiling measure what the processor
// can do at best.

// multiplyAdd runs chains of fused multiply-adds that are independent and touch no
// memory: 24 with AVX-512, 12 with AVX2, more than latency times width of the
// units.
func (v isa) multiplyAdd() {
	TEXT("multiplyAdd"+v.suffix, attrNOSPLIT, "func(n int, c *float64)")
	Doc("multiplyAdd" + v.suffix + " is multiplyAddGo with more chains.")
	Pragma("noescape")
	chains := v.lanes * 3
	Load(Param("n"), reg.RCX)
	Load(Param("c"), reg.RSI)
	multiplier, addend := v.spare(0), v.spare(1)
	VBROADCASTSD(Mem{Base: reg.RSI}, multiplier)
	VBROADCASTSD(Mem{Base: reg.RSI, Disp: 8}, addend)
	for i := range chains {
		v.zero(v.reg(i))
	}
	Label("loop")
	for range 4 {
		for i := range chains {
			VFMADD213PD(addend, multiplier, v.reg(i))
		}
	}
	DECQ(reg.RCX)
	JNZ(LabelRef("loop"))
	for i := 1; i < chains; i++ {
		VADDPD(v.reg(i), v.reg(0), v.reg(0))
	}
	VMOVSD(v.reg(0).(reg.Vec).AsX(), Mem{Base: reg.RSI, Disp: 16})
	VZEROUPPER()
	RET()
}

// triad is a = b + s c on blocks of eight vectors.
func (v isa) triad() {
	TEXT("triad"+v.suffix, attrNOSPLIT, "func(n int, s float64, a, b, c *float64)")
	Doc("triad" + v.suffix + " is triadGo; n is a multiple of 64.")
	Pragma("noescape")
	Load(Param("n"), reg.RCX)
	VBROADCASTSD(mustAddr("s"), v.reg(8))
	Load(Param("a"), reg.RDI)
	Load(Param("b"), reg.RSI)
	Load(Param("c"), reg.RDX)
	Label("block")
	for i := range 8 {
		VMOVUPD(Mem{Base: reg.RDX, Disp: i * v.bytes()}, v.reg(i))
	}
	for i := range 8 {
		VFMADD213PD(Mem{Base: reg.RSI, Disp: i * v.bytes()}, v.reg(8), v.reg(i))
		VMOVUPD(v.reg(i), Mem{Base: reg.RDI, Disp: i * v.bytes()})
	}
	for _, r := range []reg.GPPhysical{reg.RDI, reg.RSI, reg.RDX} {
		ADDQ(U32(uint32(8*v.bytes())), r)
	}
	SUBQ(U32(uint32(8*v.lanes)), reg.RCX)
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// indexed emits scatterAddLower (add) and gatherLower: between the lower
// triangle of u, columns j0..j1 of order m, and the elements (rel(i)−shift,
// rel(j)−shift) of f. rel is increasing, so lanes consecutive values are a run
// when the last is the first plus lanes−1.
func (v isa) indexed(name string, add bool) {
	TEXT(name+v.suffix, attrNOSPLIT, "func(m, j0, j1 int, u *float64, ldu int, rel *int32, shift int, f *float64, ldf int)")
	Doc(name + v.suffix + " is " + name + "Go.")
	Pragma("noescape")
	V := v.lanes
	var (
		m, j, u, rel, f = reg.RBX, reg.RDX, reg.RSI, reg.R8, reg.RDI
		ldu, ldf, fj, n = reg.R9, reg.R10, reg.R11, reg.RCX
		up, rp, t       = reg.R12, reg.R13, reg.RAX
	)
	Load(Param("m"), m)
	Load(Param("j0"), j)
	Load(Param("u"), u)
	Load(Param("rel"), rel)
	Load(Param("f"), f)
	toBytes("ldu", ldu)
	toBytes("ldf", ldf)
	col, block, scalar, one, next, end := newLabel("col"), newLabel("block"), newLabel("scalar"), newLabel("one"), newLabel("next"), newLabel("end")
	Label(col)
	CMPQ(j, mustAddr("j1"))
	JGE(LabelRef(end))
	// fj: the column in f, less shift rows
	MOVLQSX(Mem{Base: rel, Index: j, Scale: 4}, fj)
	SUBQ(mustAddr("shift"), fj)
	IMULQ(ldf, fj)
	ADDQ(f, fj)
	MOVQ(mustAddr("shift"), t)
	SHLQ(Imm(3), t)
	SUBQ(t, fj)
	MOVQ(ldu, up)
	IMULQ(j, up)
	ADDQ(u, up)
	LEAQ(Mem{Base: up, Index: j, Scale: 8}, up)
	LEAQ(Mem{Base: rel, Index: j, Scale: 4}, rp)
	MOVQ(m, n)
	SUBQ(j, n)
	INCQ(j)
	Label(block)
	CMPQ(n, Imm(uint64(V)))
	JLT(LabelRef(scalar))
	MOVLQSX(Mem{Base: rp}, t)
	MOVLQSX(Mem{Base: rp, Disp: 4 * (V - 1)}, reg.R14)
	SUBQ(t, reg.R14)
	CMPQ(reg.R14, Imm(uint64(V-1)))
	run, after := newLabel("run"), newLabel("after")
	JEQ(LabelRef(run))
	for i := range V {
		MOVLQSX(Mem{Base: rp, Disp: 4 * i}, t)
		d, s := Mem{Base: fj, Index: t, Scale: 8}, Mem{Base: up, Disp: 8 * i}
		if add {
			VMOVSD(d, xmm(i))
			VADDSD(s, xmm(i), xmm(i))
			VMOVSD(xmm(i), d)
		} else {
			VMOVSD(d, xmm(i))
			VMOVSD(xmm(i), s)
		}
	}
	JMP(LabelRef(after))
	Label(run)
	d, s := Mem{Base: fj, Index: t, Scale: 8}, Mem{Base: up}
	VMOVUPD(d, v.reg(0))
	if add {
		VADDPD(s, v.reg(0), v.reg(0))
		VMOVUPD(v.reg(0), d)
	} else {
		VMOVUPD(v.reg(0), s)
	}
	Label(after)
	ADDQ(Imm(uint64(8*V)), up)
	ADDQ(Imm(uint64(4*V)), rp)
	SUBQ(Imm(uint64(V)), n)
	JMP(LabelRef(block))
	Label(scalar)
	TESTQ(n, n)
	JLE(LabelRef(next))
	Label(one)
	MOVLQSX(Mem{Base: rp}, t)
	if add {
		VMOVSD(Mem{Base: fj, Index: t, Scale: 8}, reg.X0)
		VADDSD(Mem{Base: up}, reg.X0, reg.X0)
		VMOVSD(reg.X0, Mem{Base: fj, Index: t, Scale: 8})
	} else {
		VMOVSD(Mem{Base: fj, Index: t, Scale: 8}, reg.X0)
		VMOVSD(reg.X0, Mem{Base: up})
	}
	ADDQ(Imm(8), up)
	ADDQ(Imm(4), rp)
	DECQ(n)
	JNZ(LabelRef(one))
	Label(next)
	JMP(LabelRef(col))
	Label(end)
	VZEROUPPER()
	RET()
}

func xmm(i int) reg.VecPhysical {
	return [...]reg.VecPhysical{reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7}[i%8]
}

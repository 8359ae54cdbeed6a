package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// packTri copies the n×n lower triangle at rT (leading dimension the
// argument ldl) to the frame and stores the reciprocals of its diagonal; n is in
// frame.nLeft. It clobbers rT, rK, RBX and vector registers.
func (v isa) packTri(f frame) {
	if v.wide {
		MOVQ(f.nLeft, reg.RCX)
		MOVL(U32(1), reg.EBX)
		SHLL(reg.CL, reg.EBX)
		DECL(reg.EBX)
		KMOVW(reg.EBX, reg.K1) // the n rows
		Load(Param("ldl"), rK)
		SHLQ(Imm(3), rK)
		VBROADCASTSD(ones, v.reg(0))
		MOVL(U32(1), reg.EBX)
		done := newLabel("packed")
		for q := range v.lanes {
			VMOVUPD_Z(Mem{Base: rT}, reg.K1, v.reg(1+q))
			VMOVUPD(v.reg(1+q), f.tri.Offset(q*64))
			KMOVW(reg.EBX, reg.K2)
			VBROADCASTSD(Mem{Base: rT, Disp: 8 * q}, reg.K2, v.reg(0))
			if q < v.lanes-1 {
				ADDL(reg.EBX, reg.EBX)
				ADDQ(rK, rT)
				CMPQ(f.nLeft, Imm(uint64(q+1)))
				JEQ(LabelRef(done))
			}
		}
		Label(done)
		VBROADCASTSD(ones, v.reg(1))
		VDIVPD(v.reg(0), v.reg(1), v.reg(0))
		VMOVUPD(v.reg(0), f.tri.Offset(64*8))
		return
	}
	Load(Param("ldl"), rK)
	SHLQ(Imm(3), rK)
	VMOVSD(ones, reg.X0)
	done := newLabel("packed")
	next := func(q int) string { return done + "q" + itoa(q) }
	for n := 1; n <= v.lanes; n++ {
		CMPQ(f.nLeft, Imm(uint64(n)))
		JEQ(LabelRef(next(n)))
	}
	for n := 1; n <= v.lanes; n++ {
		Label(next(n))
		for q := range n {
			for i := q; i < n; i++ {
				VMOVSD(Mem{Base: rT, Disp: 8 * i}, reg.X1)
				VMOVSD(reg.X1, f.tri.Offset((q*v.lanes+i)*8))
				if i == q {
					VDIVSD(reg.X1, reg.X0, reg.X1)
					VMOVSD(reg.X1, f.tri.Offset((64+q)*8))
				}
			}
			if q < n-1 {
				ADDQ(rK, rT)
			}
		}
		JMP(LabelRef(done))
	}
	Label(done)
}

// trsm emits trsmPanel (forward) and trsmPanelN.
func (v isa) trsm(forward bool) {
	name := "trsmPanel"
	if !forward {
		name = "trsmPanelN"
	}
	TEXT(name+v.suffix, 0, "func(m, n, k int, a *float64, lda int, b *float64, rsb, csb int, c *float64, ldc int, l *float64, ldl int)")
	Doc(name + v.suffix + " is " + name + "Go.")
	Pragma("noescape")
	f := newFrame(true)
	Load(Param("n"), rT)
	MOVQ(rT, f.nLeft)
	Load(Param("b"), rT)
	MOVQ(rT, f.bPan)
	Load(Param("l"), rT)
	end := newLabel("end")
	v.packTri(f)
	toBytes("lda", rLda)
	toBytes("rsb", rRsb)
	toBytes("csb", rCsb)
	toBytes("ldc", rLdc)
	LEAQ(Mem{Base: rCsb, Index: rCsb, Scale: 2}, rCsb3)
	Load(Param("a"), rAblk)
	Load(Param("c"), rCblk)
	Load(Param("m"), rM)
	pan := newLabel("panel")
	label := func(n int) string { return pan + "n" + itoa(n) }
	v.branchN(f, label)
	JMP(LabelRef(end))
	for n := v.lanes; n >= 1; n-- {
		Label(label(n))
		v.rows(f, n, false, func(t tile) {
			t.product(true)
			t.addC()
			t.solve(forward)
			t.store(false)
		})
		JMP(LabelRef(end))
	}
	Label(end)
	VZEROUPPER()
	RET()
}

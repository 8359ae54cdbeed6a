package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// laneMask sets mask register i (K1+i, or Y15−i) to the first rT lanes; rT may
// be any number. Clobbers rT and RCX.
func (v isa) laneMask(i int) {
	MOVQ(U32(0), reg.RCX)
	TESTQ(rT, rT)
	CMOVQLT(reg.RCX, rT)
	MOVQ(U32(uint32(v.lanes)), reg.RCX)
	CMPQ(rT, reg.RCX)
	CMOVQGT(reg.RCX, rT)
	if v.wide {
		MOVQ(rT, reg.RCX)
		MOVL(U32(1), reg.EAX)
		SHLL(reg.CL, reg.EAX)
		DECL(reg.EAX)
		KMOVW(reg.EAX, kreg(i))
		return
	}
	LEAQ(masks.Offset(v.bytes()), reg.RCX)
	SHLQ(Imm(3), rT)
	SUBQ(rT, reg.RCX)
	VMOVUPD(Mem{Base: reg.RCX}, v.reg(15-i))
}

func kreg(i int) reg.OpmaskPhysical {
	return [...]reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3, reg.K4}[i]
}

func (v isa) loadLanes(m Mem, i int, dst reg.VecPhysical) {
	if v.wide {
		VMOVUPD_Z(m, kreg(i), dst)
	} else {
		VMASKMOVPD(m, v.reg(15-i), dst)
	}
}

// packStrips emits packA (vectors = 3) or packB (vectors = 1).
func (v isa) packStrips(name string, vectors int) {
	TEXT(name+v.suffix, attr.NOSPLIT, "func(m, k int, a *float64, lda int, dst *float64)")
	Doc(name + v.suffix + " is packStripsGo for strips of " + itoa(vectors*v.lanes) + ".")
	Pragma("noescape")
	toBytes("lda", reg.R8)
	Load(Param("a"), reg.RSI)
	Load(Param("dst"), reg.RDI)
	Load(Param("m"), reg.RBX)
	Load(Param("k"), reg.R10)
	strip, col, end := newLabel("strip"), newLabel("col"), newLabel("end")
	TESTQ(reg.R10, reg.R10)
	JLE(LabelRef(end))
	TESTQ(reg.RBX, reg.RBX)
	JLE(LabelRef(end))
	Label(strip)
	for i := range vectors {
		MOVQ(reg.RBX, rT)
		if i > 0 {
			SUBQ(Imm(uint64(i*v.lanes)), rT)
		}
		v.laneMask(i)
	}
	MOVQ(reg.RSI, reg.R9)
	MOVQ(reg.R10, reg.RDX)
	Label(col)
	for i := range vectors {
		v.loadLanes(Mem{Base: reg.R9, Disp: i * v.bytes()}, i, v.reg(i))
	}
	for i := range vectors {
		VMOVUPD(v.reg(i), Mem{Base: reg.RDI, Disp: i * v.bytes()})
	}
	ADDQ(reg.R8, reg.R9)
	ADDQ(Imm(uint64(vectors*v.bytes())), reg.RDI)
	DECQ(reg.RDX)
	JNZ(LabelRef(col))
	ADDQ(Imm(uint64(vectors*v.bytes())), reg.RSI)
	SUBQ(Imm(uint64(vectors*v.lanes)), reg.RBX)
	JG(LabelRef(strip))
	Label(end)
	VZEROUPPER()
	RET()
}

// transpose puts the transpose of registers 0..lanes−1 into lanes..2 lanes−1.
func (v isa) transpose() {
	if !v.wide {
		r, t := v.reg, func(i int) reg.VecPhysical { return v.reg(8 + i) }
		VUNPCKLPD(r(1), r(0), t(0))
		VUNPCKHPD(r(1), r(0), t(1))
		VUNPCKLPD(r(3), r(2), t(2))
		VUNPCKHPD(r(3), r(2), t(3))
		VPERM2F128(Imm(0x20), t(2), t(0), r(4))
		VPERM2F128(Imm(0x20), t(3), t(1), r(5))
		VPERM2F128(Imm(0x31), t(2), t(0), r(6))
		VPERM2F128(Imm(0x31), t(3), t(1), r(7))
		return
	}
	r := v.reg
	t := func(i int) reg.VecPhysical { return v.reg(16 + i) }
	u := func(i int) reg.VecPhysical { return v.reg(24 + i) }
	for i := 0; i < 8; i += 2 {
		VUNPCKLPD(r(i+1), r(i), t(i))
		VUNPCKHPD(r(i+1), r(i), t(i+1))
	}
	for odd := range 2 {
		VSHUFF64X2(Imm(0x44), t(2+odd), t(0+odd), u(0))
		VSHUFF64X2(Imm(0xee), t(2+odd), t(0+odd), u(1))
		VSHUFF64X2(Imm(0x44), t(6+odd), t(4+odd), u(2))
		VSHUFF64X2(Imm(0xee), t(6+odd), t(4+odd), u(3))
		VSHUFF64X2(Imm(0x88), u(2), u(0), r(8+odd))
		VSHUFF64X2(Imm(0xdd), u(2), u(0), r(10+odd))
		VSHUFF64X2(Imm(0x88), u(3), u(1), r(12+odd))
		VSHUFF64X2(Imm(0xdd), u(3), u(1), r(14+odd))
	}
}

// packRows emits packRows: one group of up to lanes rows of a packed operand,
// from a plain part, a block on the diagonal of a symmetric matrix, and a
// transposed part.
func (v isa) packRows() {
	TEXT("packRows"+v.suffix, attr.NOSPLIT, "func(c, n1 int, src1 *float64, diag int, srcd *float64, n2 int, src2 *float64, ld int, dst *float64, ldd int)")
	Doc("packRows" + v.suffix + " is packRowsGo for groups of " + itoa(v.lanes) + ".")
	Pragma("noescape")
	V := v.lanes
	toBytes("ld", reg.R8)
	toBytes("ldd", reg.R9)
	Load(Param("dst"), reg.RDI)
	Load(Param("c"), reg.RBX)
	MOVQ(reg.RBX, rT)
	v.laneMask(0)

	// Plain columns.
	plain, plainEnd := newLabel("plain"), newLabel("plainEnd")
	Load(Param("n1"), reg.RDX)
	Load(Param("src1"), reg.RSI)
	TESTQ(reg.RDX, reg.RDX)
	JLE(LabelRef(plainEnd))
	Label(plain)
	v.loadLanes(Mem{Base: reg.RSI}, 0, v.reg(0))
	VMOVUPD(v.reg(0), Mem{Base: reg.RDI})
	ADDQ(reg.R8, reg.RSI)
	ADDQ(reg.R9, reg.RDI)
	DECQ(reg.RDX)
	JNZ(LabelRef(plain))
	Label(plainEnd)

	// The diagonal block, c×c: lower part as stored, upper part transposed.
	diagLoaded, diagEnd := newLabel("diagLoaded"), newLabel("diagEnd")
	CMPQ(mustAddr("diag"), Imm(0))
	JEQ(LabelRef(diagEnd))
	Load(Param("srcd"), reg.RSI)
	for q := range V {
		v.zero(v.reg(q))
	}
	for q := range V {
		if v.wide {
			KSHIFTRW(Imm(uint64(q)), reg.K1, reg.K2)
			KSHIFTLW(Imm(uint64(q)), reg.K2, reg.K2)
			VMOVUPD_Z(Mem{Base: reg.RSI}, reg.K2, v.reg(q))
		} else {
			VANDPD(tails.Offset((V-q)*8), v.reg(15), v.reg(14))
			VMASKMOVPD(Mem{Base: reg.RSI}, v.reg(14), v.reg(q))
		}
		if q < V-1 {
			CMPQ(reg.RBX, Imm(uint64(q+1)))
			JEQ(LabelRef(diagLoaded))
			ADDQ(reg.R8, reg.RSI)
		}
	}
	Label(diagLoaded)
	v.transpose()
	for p := range V {
		if v.wide {
			MOVL(U32(0xff<<p&0xff), reg.EAX)
			KMOVW(reg.EAX, reg.K2)
			VMOVAPD(v.reg(p), reg.K2, v.reg(V+p))
		} else {
			VBLENDPD(Imm(uint64(0xf<<p&0xf)), v.reg(p), v.reg(V+p), v.reg(V+p))
		}
		VMOVUPD(v.reg(V+p), Mem{Base: reg.RDI})
		ADDQ(reg.R9, reg.RDI)
		if p < V-1 {
			CMPQ(reg.RBX, Imm(uint64(p+1)))
			JEQ(LabelRef(diagEnd))
		}
	}
	Label(diagEnd)

	// Transposed: V×V blocks, then the rest.
	fast, rest, restLoaded, end := newLabel("block"), newLabel("rest"), newLabel("restLoaded"), newLabel("end")
	Load(Param("n2"), reg.RDX)
	Load(Param("src2"), reg.RSI)
	LEAQ(Mem{Base: reg.R8, Index: reg.R8, Scale: 2}, reg.R10) // 3 ld
	CMPQ(reg.RBX, Imm(uint64(V)))
	JLT(LabelRef(rest))
	Label(fast)
	CMPQ(reg.RDX, Imm(uint64(V)))
	JLT(LabelRef(rest))
	LEAQ(Mem{Base: reg.RSI, Index: reg.R8, Scale: 4}, reg.R11)
	for q := range V {
		base := reg.RSI
		if q >= 4 {
			base = reg.R11
		}
		m := Mem{Base: base}
		switch q % 4 {
		case 1:
			m.Index, m.Scale = reg.R8, 1
		case 2:
			m.Index, m.Scale = reg.R8, 2
		case 3:
			m.Index, m.Scale = reg.R10, 1
		}
		VMOVUPD(m, v.reg(q))
	}
	v.transpose()
	for p := range V {
		VMOVUPD(v.reg(V+p), Mem{Base: reg.RDI})
		ADDQ(reg.R9, reg.RDI)
	}
	ADDQ(Imm(uint64(v.bytes())), reg.RSI)
	SUBQ(Imm(uint64(V)), reg.RDX)
	JMP(LabelRef(fast))

	Label(rest)
	TESTQ(reg.RDX, reg.RDX)
	JLE(LabelRef(end))
	MOVQ(reg.RDX, rT)
	v.laneMask(1)
	for q := range V {
		v.zero(v.reg(q))
	}
	MOVQ(reg.RSI, reg.R11)
	for q := range V {
		v.loadLanes(Mem{Base: reg.R11}, 1, v.reg(q))
		if q < V-1 {
			CMPQ(reg.RBX, Imm(uint64(q+1)))
			JEQ(LabelRef(restLoaded))
			ADDQ(reg.R8, reg.R11)
		}
	}
	Label(restLoaded)
	v.transpose()
	for p := range V {
		VMOVUPD(v.reg(V+p), Mem{Base: reg.RDI})
		ADDQ(reg.R9, reg.RDI)
		DECQ(reg.RDX)
		if p < V-1 {
			JZ(LabelRef(end))
		}
	}
	ADDQ(Imm(uint64(v.bytes())), reg.RSI)
	JMP(LabelRef(rest))
	Label(end)
	VZEROUPPER()
	RET()
}

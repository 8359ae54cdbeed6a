package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Registers of the solves: columns 0..V−1, broadcasts or sums V..2V−1 …; the
// AVX2 form has 16 registers, so masks and temporaries come from the end.

func (v isa) tmp(i int) reg.VecPhysical {
	if v.wide {
		return v.reg(24 + i)
	}
	return v.reg(12 + i)
}

// bcastLane broadcasts lane j of src; idx is clobbered (AVX-512).
func (v isa) bcastLane(j int, src, idx, dst reg.VecPhysical) {
	if v.wide {
		VPBROADCASTQ(index.Offset(8*j), idx)
		VPERMPD(src, idx, dst)
	} else {
		VPERMPD(Imm(uint64(0x55*j)), src, dst)
	}
}

// mergeLane copies lane j of src into dst.
func (v isa) mergeLane(j int, src, dst reg.VecPhysical) {
	if v.wide {
		MOVL(U32(1<<j), reg.EAX)
		KMOVW(reg.EAX, reg.K3)
		VMOVAPD(src, reg.K3, dst)
	} else {
		VBLENDPD(Imm(uint64(1<<j)), src, dst, dst)
	}
}

// loadN loads the first n lanes, known at generation; K2 or tmp(3) is
// clobbered.
func (v isa) loadN(n int, m Mem, dst reg.VecPhysical) {
	switch {
	case n == v.lanes:
		VMOVUPD(m, dst)
	case v.wide:
		VMOVUPD_Z(m, reg.K2, dst)
	default:
		VMASKMOVPD(m, v.tmp(3), dst)
	}
}

func (v isa) storeN(n int, src reg.VecPhysical, m Mem) {
	switch {
	case n == v.lanes:
		VMOVUPD(src, m)
	case v.wide:
		VMOVUPD(src, reg.K2, m)
	default:
		VMASKMOVPD(src, v.tmp(3), m)
	}
}

// maskN prepares loadN and storeN.
func (v isa) maskN(n int) {
	switch {
	case n == v.lanes:
	case v.wide:
		MOVL(U32(1<<n-1), reg.EAX)
		KMOVW(reg.EAX, reg.K2)
	default:
		VMOVUPD(masks.Offset((v.lanes-n)*8), v.tmp(3))
	}
}

// colAddr is column q of the group at base; strides in R8 (ld), R9 (3 ld), and
// R10 the base of columns 4..7.
func colAddr(base reg.GPPhysical, q, disp int) Mem {
	m := Mem{Base: base, Disp: disp}
	if q >= 4 {
		m.Base = reg.R10
	}
	switch q % 4 {
	case 1:
		m.Index, m.Scale = reg.R8, 1
	case 2:
		m.Index, m.Scale = reg.R8, 2
	case 3:
		m.Index, m.Scale = reg.R9, 1
	}
	return m
}

func (v isa) fourth(base reg.GPPhysical, n int) {
	if n > 4 {
		LEAQ(Mem{Base: base, Index: reg.R8, Scale: 4}, reg.R10)
	}
}

// reciprocals puts 1/diagonal of the group at SI in dst, other lanes 1.
func (v isa) reciprocals(n int, one, t, dst reg.VecPhysical) {
	VBROADCASTSD(ones, one)
	VMOVAPD(one, dst)
	for q := range n {
		VBROADCASTSD(colAddr(reg.RSI, q, 8*q), t)
		v.mergeLane(q, t, dst)
	}
	VDIVPD(dst, one, dst)
}

// solveForward emits solveForward: x := [L11⁻¹ x1; x2 − L21 x1].
func (v isa) solveForward() {
	TEXT("solveForward"+v.suffix, attrNOSPLIT, "func(m, n int, l *float64, ldl int, x *float64)")
	Doc("solveForward" + v.suffix + " is solveForwardGo.")
	Pragma("noescape")
	V := v.lanes
	Load(Param("m"), reg.RBX)
	Load(Param("n"), reg.RDX)
	Load(Param("l"), reg.RSI)
	Load(Param("x"), reg.RDI)
	toBytes("ldl", reg.R8)
	LEAQ(Mem{Base: reg.R8, Index: reg.R8, Scale: 2}, reg.R9)
	name := newLabel("group")
	label := func(n int) string { return name + "n" + itoa(n) }
	end := newLabel("end")
	Label(name)
	CMPQ(reg.RDX, Imm(uint64(V)))
	JGE(LabelRef(label(V)))
	for n := V - 1; n >= 1; n-- {
		CMPQ(reg.RDX, Imm(uint64(n)))
		JEQ(LabelRef(label(n)))
	}
	JMP(LabelRef(end))
	x := func(j int) reg.VecPhysical { return v.reg(j) } // broadcasts of the solution
	for n := V; n >= 1; n-- {
		Label(label(n))
		v.fourth(reg.RSI, n)
		v.maskN(n)
		cur, rcp, t, idx := v.reg(V), v.reg(V+1), v.reg(V+2), v.reg(V+3)
		v.reciprocals(n, t, idx, rcp)
		v.loadN(n, Mem{Base: reg.RDI}, cur)
		for j := range n {
			VMULPD(rcp, cur, t)
			v.bcastLane(j, t, idx, x(j))
			if j < n-1 {
				if n == V {
					VFNMADD231PD(colAddr(reg.RSI, j, 0), x(j), cur)
				} else {
					v.loadN(n, colAddr(reg.RSI, j, 0), t)
					VFNMADD231PD(t, x(j), cur)
				}
			}
		}
		for j := range n {
			v.mergeLane(j, x(j), cur)
		}
		v.storeN(n, cur, Mem{Base: reg.RDI})
		// rows below
		ADDQ(Imm(uint64(8*n)), reg.RDI)
		MOVQ(reg.RSI, reg.R11)
		ADDQ(Imm(uint64(8*n)), reg.R11)
		if n > 4 {
			ADDQ(Imm(uint64(8*n)), reg.R10)
		}
		SUBQ(Imm(uint64(n)), reg.RBX)
		MOVQ(reg.RBX, reg.R12)
		MOVQ(reg.RDI, reg.R13)
		two, one, rest, next := newLabel("two"), newLabel("one"), newLabel("rest"), newLabel("rows")
		a0, a1 := v.reg(V), v.reg(V+1)
		Label(two)
		CMPQ(reg.R12, Imm(uint64(2*V)))
		JLT(LabelRef(one))
		VMOVUPD(Mem{Base: reg.R13}, a0)
		VMOVUPD(Mem{Base: reg.R13, Disp: v.bytes()}, a1)
		for j := range n {
			VFNMADD231PD(colAddr(reg.R11, j, 0), x(j), a0)
			VFNMADD231PD(colAddr(reg.R11, j, v.bytes()), x(j), a1)
		}
		VMOVUPD(a0, Mem{Base: reg.R13})
		VMOVUPD(a1, Mem{Base: reg.R13, Disp: v.bytes()})
		ADDQ(Imm(uint64(2*v.bytes())), reg.R13)
		ADDQ(Imm(uint64(2*v.bytes())), reg.R11)
		if n > 4 {
			ADDQ(Imm(uint64(2*v.bytes())), reg.R10)
		}
		SUBQ(Imm(uint64(2*V)), reg.R12)
		JMP(LabelRef(two))
		Label(one)
		CMPQ(reg.R12, Imm(uint64(V)))
		JLT(LabelRef(rest))
		VMOVUPD(Mem{Base: reg.R13}, a0)
		for j := range n {
			VFNMADD231PD(colAddr(reg.R11, j, 0), x(j), a0)
		}
		VMOVUPD(a0, Mem{Base: reg.R13})
		ADDQ(Imm(uint64(v.bytes())), reg.R13)
		ADDQ(Imm(uint64(v.bytes())), reg.R11)
		if n > 4 {
			ADDQ(Imm(uint64(v.bytes())), reg.R10)
		}
		SUBQ(Imm(uint64(V)), reg.R12)
		Label(rest)
		TESTQ(reg.R12, reg.R12)
		JLE(LabelRef(next))
		MOVQ(reg.R12, rT)
		v.laneMask(0)
		v.loadLanes(Mem{Base: reg.R13}, 0, a0)
		for j := range n {
			v.loadLanes(colAddr(reg.R11, j, 0), 0, a1)
			VFNMADD231PD(a1, x(j), a0)
		}
		if v.wide {
			VMOVUPD(a0, kreg(0), Mem{Base: reg.R13})
		} else {
			VMASKMOVPD(a0, v.reg(15), Mem{Base: reg.R13})
		}
		Label(next)
		if n < V {
			JMP(LabelRef(end))
			continue
		}
		SUBQ(Imm(uint64(V)), reg.RDX)
		JLE(LabelRef(end))
		LEAQ(Mem{Base: reg.RSI, Index: reg.R8, Scale: 4, Disp: v.bytes()}, reg.RSI)
		if V == 8 {
			LEAQ(Mem{Base: reg.RSI, Index: reg.R8, Scale: 4}, reg.RSI)
		}
		JMP(LabelRef(name))
	}
	Label(end)
	VZEROUPPER()
	RET()
}

// solveBackward emits solveBackward: x1 := L11⁻ᵀ (x1 − L21ᵀ x2).
func (v isa) solveBackward() {
	TEXT("solveBackward"+v.suffix, attrNOSPLIT, "func(m, n int, l *float64, ldl int, x *float64)")
	Doc("solveBackward" + v.suffix + " is solveBackwardGo.")
	Pragma("noescape")
	V := v.lanes
	Load(Param("m"), reg.RBX)
	Load(Param("n"), reg.RDX)
	Load(Param("l"), reg.RSI)
	Load(Param("x"), reg.RDI)
	toBytes("ldl", reg.R8)
	LEAQ(Mem{Base: reg.R8, Index: reg.R8, Scale: 2}, reg.R9)
	end := newLabel("end")
	TESTQ(reg.RDX, reg.RDX)
	JLE(LabelRef(end))
	// The last group has n mod V columns, or V; RDX is its first column.
	MOVQ(reg.RDX, reg.RCX)
	DECQ(reg.RDX)
	ANDQ(I32(int32(-V)), reg.RDX)
	SUBQ(reg.RDX, reg.RCX)
	SUBQ(reg.RDX, reg.RBX) // rows from the group on
	LEAQ(Mem{Base: reg.RDI, Index: reg.RDX, Scale: 8}, reg.RDI)
	LEAQ(Mem{Base: reg.RSI, Index: reg.RDX, Scale: 8}, reg.RSI)
	MOVQ(reg.RDX, rT)
	IMULQ(reg.R8, rT)
	ADDQ(rT, reg.RSI)
	name := newLabel("group")
	label := func(n int) string { return name + "n" + itoa(n) }
	for n := V; n >= 1; n-- {
		CMPQ(reg.RCX, Imm(uint64(n)))
		JEQ(LabelRef(label(n)))
	}
	sum := func(j int) reg.VecPhysical { return v.reg(j) }
	for n := V; n >= 1; n-- {
		Label(label(n))
		for j := range V {
			v.zero(sum(j))
		}
		v.fourth(reg.RSI, n)
		MOVQ(reg.RBX, reg.R12)
		SUBQ(Imm(uint64(n)), reg.R12)
		MOVQ(reg.RSI, reg.R11)
		MOVQ(reg.RDI, reg.R13)
		ADDQ(Imm(uint64(8*n)), reg.R11)
		ADDQ(Imm(uint64(8*n)), reg.R13)
		if n > 4 {
			ADDQ(Imm(uint64(8*n)), reg.R10)
		}
		one, rest, done := newLabel("one"), newLabel("rest"), newLabel("summed")
		xr, t := v.reg(V), v.reg(V+1)
		Label(one)
		CMPQ(reg.R12, Imm(uint64(V)))
		JLT(LabelRef(rest))
		VMOVUPD(Mem{Base: reg.R13}, xr)
		for j := range n {
			VFMADD231PD(colAddr(reg.R11, j, 0), xr, sum(j))
		}
		ADDQ(Imm(uint64(v.bytes())), reg.R13)
		ADDQ(Imm(uint64(v.bytes())), reg.R11)
		if n > 4 {
			ADDQ(Imm(uint64(v.bytes())), reg.R10)
		}
		SUBQ(Imm(uint64(V)), reg.R12)
		JMP(LabelRef(one))
		Label(rest)
		TESTQ(reg.R12, reg.R12)
		JLE(LabelRef(done))
		MOVQ(reg.R12, rT)
		v.laneMask(0)
		v.loadLanes(Mem{Base: reg.R13}, 0, xr)
		for j := range n {
			v.loadLanes(colAddr(reg.R11, j, 0), 0, t)
			VFMADD231PD(t, xr, sum(j))
		}
		Label(done)
		// cur := x1 − sums over lanes
		v.transpose()
		for h := V / 2; h >= 1; h /= 2 {
			for j := range h {
				VADDPD(v.reg(V+j+h), v.reg(V+j), v.reg(V+j))
			}
		}
		cur, one1, rcp, idx := v.tmp(0), v.tmp(1), v.tmp(2), v.tmp(1)
		v.maskN(n)
		if v.wide {
			idx = v.tmp(3)
		}
		v.loadN(n, Mem{Base: reg.RDI}, cur)
		VSUBPD(v.reg(V), cur, cur)
		v.fourth(reg.RSI, n)
		// rows of the diagonal block: lower columns transposed
		for q := range V {
			v.zero(v.reg(q))
			if q < n {
				if v.wide {
					MOVL(U32((1<<n-1)&^(1<<q-1)), reg.EAX)
					KMOVW(reg.EAX, reg.K3)
					VMOVUPD_Z(colAddr(reg.RSI, q, 0), reg.K3, v.reg(q))
				} else {
					VMOVUPD(tails.Offset((V-q)*8), v.reg(q))
					if n < V {
						VANDPD(v.tmp(3), v.reg(q), v.reg(q))
					}
					VMASKMOVPD(colAddr(reg.RSI, q, 0), v.reg(q), v.reg(q))
				}
			}
		}
		v.transposeKeep()
		v.reciprocals(n, one1, v.reg(0), rcp)
		// back substitution; x(j) collects in reg(0)
		out := v.reg(0)
		v.zero(out)
		for j := n - 1; j >= 0; j-- {
			VMULPD(rcp, cur, v.reg(1))
			v.bcastLane(j, v.reg(1), idx, v.reg(2))
			v.mergeLane(j, v.reg(2), out)
			if j > 0 {
				VFNMADD231PD(v.reg(V+j), v.reg(2), cur)
			}
		}
		v.storeN(n, out, Mem{Base: reg.RDI})
		// previous group
		TESTQ(reg.RDX, reg.RDX)
		JLE(LabelRef(end))
		SUBQ(Imm(uint64(V)), reg.RDX)
		ADDQ(Imm(uint64(V)), reg.RBX)
		SUBQ(Imm(uint64(v.bytes())), reg.RDI)
		SUBQ(Imm(uint64(v.bytes())), reg.RSI)
		MOVQ(reg.R8, rT)
		SHLQ(Imm(uint64(log2(V))), rT)
		SUBQ(rT, reg.RSI)
		JMP(LabelRef(label(V)))
	}
	Label(end)
	VZEROUPPER()
	RET()
}

// transposeKeep is transpose without touching tmp(0) and tmp(3) and with AVX2
// within registers 0..11.
func (v isa) transposeKeep() {
	if !v.wide {
		v.transpose()
		return
	}
	// AVX-512: transpose uses 16..27; move cur away and back.
	VMOVAPD(v.tmp(0), v.reg(31))
	v.transpose()
	VMOVAPD(v.reg(31), v.tmp(0))
}

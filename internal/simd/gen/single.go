package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// singles writes the loops of wideRows for one vector: scalars with fused
// multiplications, four sums so that additions do not wait for each other.
func (v isa) singles() {
	v.forwardOne()
	v.backwardOne()
	v.multiplyOne(true)
	v.multiplyOne(false)
}

// eachOne is span.each for numbers in place of rows.
func (c span) eachOne(rows, x reg.Register, unroll int, body func(i int, number Mem)) {
	one := func(i int) {
		MOVLQSX(Mem{Base: rows, Index: c.e, Scale: 4, Disp: 4 * i}, c.at)
		body(i, Mem{Base: x, Index: c.at, Scale: 8})
	}
	many, rest, loop, end := newLabel("many"), newLabel("rest"), newLabel("one"), newLabel("end")
	SUBQ(Imm(uint64(unroll-1)), c.end)
	CMPQ(c.e, c.end)
	JGE(LabelRef(rest))
	Label(many)
	for i := range unroll {
		one(i)
	}
	ADDQ(Imm(uint64(unroll)), c.e)
	CMPQ(c.e, c.end)
	JLT(LabelRef(many))
	Label(rest)
	ADDQ(Imm(uint64(unroll-1)), c.end)
	CMPQ(c.e, c.end)
	JGE(LabelRef(end))
	Label(loop)
	one(0)
	INCQ(c.e)
	CMPQ(c.e, c.end)
	JLT(LabelRef(loop))
	Label(end)
}

// pivotNumber sets i to the row of column k's pivot.
func pivotNumber(node, k, i reg.Register) {
	plain := newLabel("plain")
	MOVQ(k, i)
	TESTQ(node, node)
	JZ(LabelRef(plain))
	MOVLQSX(Mem{Base: node, Index: k, Scale: 4}, i)
	Label(plain)
}

func entry(p reg.Register, c span, i int) Mem {
	return Mem{Base: p, Index: c.e, Scale: 8, Disp: 8 * i}
}

func (v isa) forwardOne() {
	TEXT("forwardOne"+v.suffix, attrNOSPLIT, "func(n int, ptr *int, node, rows *int32, u, x *float64)")
	Doc("forwardOne" + v.suffix + " is forwardOneGo.")
	Pragma("noescape")
	n, ptr, node, rows, u, x := gp("n"), gp("ptr"), gp("node"), gp("rows"), gp("u"), gp("x")
	k, i, c := GP64(), GP64(), newSpan()
	XORQ(k, k)
	col, done := newLabel("col"), newLabel("done")
	Label(col)
	CMPQ(k, n)
	JGE(LabelRef(done))
	pivotNumber(node, k, i)
	VMOVSD(Mem{Base: x, Index: i, Scale: 8}, reg.X0)
	c.load(ptr, k)
	c.eachOne(rows, x, 4, func(i int, number Mem) {
		t := [...]reg.VecPhysical{reg.X1, reg.X2, reg.X3, reg.X4}[i]
		VMOVSD(number, t)
		VFMADD231SD(entry(u, c, i), reg.X0, t)
		VMOVSD(t, number)
	})
	INCQ(k)
	JMP(LabelRef(col))
	Label(done)
	RET()
}

var fourSums = [...]reg.VecPhysical{reg.X0, reg.X1, reg.X2, reg.X3}
var fourMore = [...]reg.VecPhysical{reg.X4, reg.X5, reg.X6, reg.X7}

func zeroFour(r [4]reg.VecPhysical) {
	for _, x := range r {
		VXORPD(x, x, x)
	}
}

func joinFour(r [4]reg.VecPhysical) {
	VADDSD(r[1], r[0], r[0])
	VADDSD(r[3], r[2], r[2])
	VADDSD(r[2], r[0], r[0])
}

func (v isa) backwardOne() {
	TEXT("backwardOne"+v.suffix, attrNOSPLIT, "func(n int, ptr *int, node, rows *int32, u, pivot, x *float64)")
	Doc("backwardOne" + v.suffix + " is backwardOneGo.")
	Pragma("noescape")
	k, ptr, node, rows, u, d, x := gp("n"), gp("ptr"), gp("node"), gp("rows"), gp("u"), gp("pivot"), gp("x")
	i, c := GP64(), newSpan()
	col, done := newLabel("col"), newLabel("done")
	Label(col)
	DECQ(k)
	JL(LabelRef(done))
	pivotNumber(node, k, i)
	VMOVSD(Mem{Base: x, Index: i, Scale: 8}, reg.X9)
	VDIVSD(Mem{Base: d, Index: k, Scale: 8}, reg.X9, reg.X9)
	zeroFour(fourSums)
	c.load(ptr, k)
	c.eachOne(rows, x, 4, func(i int, number Mem) {
		VMOVSD(number, reg.X8)
		VFMADD231SD(entry(u, c, i), reg.X8, fourSums[i])
	})
	joinFour(fourSums)
	VADDSD(reg.X9, reg.X0, reg.X0)
	VMOVSD(reg.X0, Mem{Base: x, Index: i, Scale: 8})
	JMP(LabelRef(col))
	Label(done)
	RET()
}

func (v isa) multiplyOne(solve bool) {
	name, sig := "multiplyOne", "func(n int, ptr *int, rows *int32, w, diag, x, y, r, sums *float64)"
	if solve {
		name, sig = "backwardMultiplyOne", "func(n int, ptr *int, rows *int32, u, pivot, w, diag, x, y, r, sums *float64)"
	}
	TEXT(name+v.suffix, attrNOSPLIT, sig)
	Doc(name + v.suffix + " is " + name + "Go.")
	Pragma("noescape")
	k, ptr, rows, w, x, y := gp("n"), gp("ptr"), gp("rows"), gp("w"), gp("x"), gp("y")
	var u reg.Register
	if solve {
		u = gp("u")
	}
	t, c := GP64(), newSpan()
	own, dots, energy, z := reg.X9, reg.X10, reg.X11, reg.X12
	VXORPD(dots, dots, dots)
	VXORPD(energy, energy, energy)
	col, done := newLabel("col"), newLabel("done")
	Label(col)
	DECQ(k)
	JL(LabelRef(done))
	VMOVSD(Mem{Base: x, Index: k, Scale: 8}, own)
	if solve {
		Load(Param("pivot"), t)
		VDIVSD(Mem{Base: t, Index: k, Scale: 8}, own, own)
		zeroFour(fourSums)
	}
	zeroFour(fourMore)
	c.load(ptr, k)
	c.eachOne(rows, x, 4, func(i int, number Mem) {
		VMOVSD(number, reg.X8)
		if solve {
			VFMADD231SD(entry(u, c, i), reg.X8, fourSums[i])
		}
		VFMADD231SD(entry(w, c, i), reg.X8, fourMore[i])
	})
	if solve {
		joinFour(fourSums)
		VADDSD(reg.X0, own, own)
		VMOVSD(own, Mem{Base: x, Index: k, Scale: 8})
	}
	joinFour(fourMore)
	Load(Param("r"), t)
	VFMADD231SD(Mem{Base: t, Index: k, Scale: 8}, own, dots)
	Load(Param("diag"), t)
	VMOVAPD(reg.X4, z)
	VFMSUB231SD(Mem{Base: t, Index: k, Scale: 8}, own, z) // z = d·own − Σ w x
	VMOVSD(z, Mem{Base: y, Index: k, Scale: 8})
	VSUBSD(reg.X4, z, z)
	VFMADD231SD(own, z, energy)
	c.load(ptr, k)
	c.eachOne(rows, y, 4, func(i int, number Mem) {
		VMOVSD(number, fourSums[i])
		VFNMADD231SD(entry(w, c, i), own, fourSums[i])
		VMOVSD(fourSums[i], number)
	})
	JMP(LabelRef(col))
	Label(done)
	Load(Param("sums"), t)
	VMOVSD(dots, Mem{Base: t})
	VMOVSD(energy, Mem{Base: t, Disp: 8})
	RET()
}

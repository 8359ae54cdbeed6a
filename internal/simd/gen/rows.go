package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// wideRows writes the routines of package chol/partial/internal/kernel: loops
// over the columns of a sparse factor with rows of eight numbers, one register
// with AVX-512, two with AVX2, at 64 bytes times an index.
func (v isa) wideRows() {
	v.rowForward()
	v.rowBackward()
	v.rowMultiply(true)
	v.rowMultiply(false)
	v.rowUpdate()
	if !v.wide { // one version serves both levels
		v.singles()
	}
}

// rowParts is how many registers hold a row.
func (v isa) rowParts() int { return 8 / v.lanes }

// part is the p-th register of a row in memory.
func (v isa) part(m Mem, p int) Mem { return m.Offset(p * v.bytes()) }

// rowSet is a row in registers from reg(first) on.
func (v isa) rowSet(first int) []reg.VecPhysical {
	var set []reg.VecPhysical
	for p := range v.rowParts() {
		set = append(set, v.reg(first+p))
	}
	return set
}

func (v isa) loadRow(m Mem, r []reg.VecPhysical) {
	for p := range r {
		VMOVUPD(v.part(m, p), r[p])
	}
}

func (v isa) storeRow(r []reg.VecPhysical, m Mem) {
	for p := range r {
		VMOVUPD(r[p], v.part(m, p))
	}
}

// span is the part of a column not yet done: entries e ≤ entry < end.
type span struct{ e, end, at reg.GPVirtual }

func newSpan() span { return span{GP64(), GP64(), GP64()} }

func (c span) load(ptr, k reg.Register) {
	MOVQ(Mem{Base: ptr, Index: k, Scale: 8}, c.e)
	MOVQ(Mem{Base: ptr, Index: k, Scale: 8, Disp: 8}, c.end)
}

// each runs body for the rest of the entries, by unroll and then one by one;
// i numbers the entries of one pass.
func (c span) each(rows, x reg.Register, unroll int, body func(i int, row Mem)) {
	one := func(i int) {
		MOVLQSX(Mem{Base: rows, Index: c.e, Scale: 4, Disp: 4 * i}, c.at)
		SHLQ(Imm(6), c.at)
		body(i, Mem{Base: x, Index: c.at, Scale: 1})
	}
	rest, end := newLabel("rest"), newLabel("end")
	if unroll > 1 {
		many := newLabel("many")
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
	}
	CMPQ(c.e, c.end)
	JGE(LabelRef(end))
	loop := newLabel("one")
	Label(loop)
	one(0)
	INCQ(c.e)
	CMPQ(c.e, c.end)
	JLT(LabelRef(loop))
	Label(end)
}

// pivotRow sets i to the byte offset of the row of column k's pivot.
func pivotRow(node, k, i reg.Register) {
	plain := newLabel("plain")
	MOVQ(k, i)
	TESTQ(node, node)
	JZ(LabelRef(plain))
	MOVLQSX(Mem{Base: node, Index: k, Scale: 4}, i)
	Label(plain)
	SHLQ(Imm(6), i)
}

func (v isa) rowForward() {
	TEXT("forward"+v.suffix, attrNOSPLIT, "func(n int, ptr *int, node, rows *int32, u, x *float64)")
	Doc("forward" + v.suffix + " is forwardGo.")
	Pragma("noescape")
	n, ptr, node, rows, u, x := gp("n"), gp("ptr"), gp("node"), gp("rows"), gp("u"), gp("x")
	k, i, c := GP64(), GP64(), newSpan()
	pivot, t, s := v.rowSet(0), v.rowSet(2), v.reg(4)
	XORQ(k, k)
	col, done := newLabel("col"), newLabel("done")
	Label(col)
	CMPQ(k, n)
	JGE(LabelRef(done))
	pivotRow(node, k, i)
	v.loadRow(Mem{Base: x, Index: i, Scale: 1}, pivot)
	c.load(ptr, k)
	c.each(rows, x, 1, func(_ int, row Mem) {
		VBROADCASTSD(Mem{Base: u, Index: c.e, Scale: 8}, s)
		v.loadRow(row, t)
		for p := range t {
			VFMADD231PD(s, pivot[p], t[p])
		}
		v.storeRow(t, row)
	})
	INCQ(k)
	JMP(LabelRef(col))
	Label(done)
	v.endLanes()
}

// sums are accumulators of a gather: several, so that additions do not wait
// for each other.
func (v isa) sums(first, unroll int) [][]reg.VecPhysical {
	var acc [][]reg.VecPhysical
	for i := range unroll {
		acc = append(acc, v.rowSet(first+i*v.rowParts()))
	}
	return acc
}

func (v isa) zeroSums(acc [][]reg.VecPhysical) {
	for _, a := range acc {
		for _, r := range a {
			v.zero(r)
		}
	}
}

// joinSums leaves the total in acc[0].
func joinSums(acc [][]reg.VecPhysical) {
	for step := len(acc) / 2; step > 0; step /= 2 {
		for i := range step {
			for p := range acc[i] {
				VADDPD(acc[i+step][p], acc[i][p], acc[i][p])
			}
		}
	}
}

// reciprocal broadcasts 1/d[k] to s.
func (v isa) reciprocal(d, k reg.Register, s, one reg.VecPhysical) {
	VDIVSD(Mem{Base: d, Index: k, Scale: 8}, one.AsX(), s.AsX())
	VBROADCASTSD(s.AsX(), s)
}

// setOne puts 1 into the lowest lane of r.
func setOne(r reg.VecPhysical) {
	t := GP64()
	MOVQ(U64(0x3ff0000000000000), t)
	VMOVQ(t, r.AsX())
}

func (v isa) rowBackward() {
	TEXT("backward"+v.suffix, attrNOSPLIT, "func(n int, ptr *int, node, rows *int32, u, pivot, x *float64)")
	Doc("backward" + v.suffix + " is backwardGo.")
	Pragma("noescape")
	k, ptr, node, rows, u, d, x := gp("n"), gp("ptr"), gp("node"), gp("rows"), gp("u"), gp("pivot"), gp("x")
	i, c := GP64(), newSpan()
	unroll := 4
	acc := v.sums(0, unroll) // 4 or 8 registers
	own, s, one := v.rowSet(8), v.reg(10), v.reg(11)
	setOne(one)
	col, done := newLabel("col"), newLabel("done")
	Label(col)
	DECQ(k)
	JL(LabelRef(done))
	v.zeroSums(acc)
	c.load(ptr, k)
	c.each(rows, x, unroll, func(i int, row Mem) {
		VBROADCASTSD(Mem{Base: u, Index: c.e, Scale: 8, Disp: 8 * i}, s)
		for p := range own {
			VFMADD231PD(v.part(row, p), s, acc[i][p])
		}
	})
	joinSums(acc)
	pivotRow(node, k, i)
	v.reciprocal(d, k, s, one)
	v.loadRow(Mem{Base: x, Index: i, Scale: 1}, own)
	for p := range own {
		VFMADD231PD(own[p], s, acc[0][p])
	}
	v.storeRow(acc[0], Mem{Base: x, Index: i, Scale: 1})
	JMP(LabelRef(col))
	Label(done)
	v.endLanes()
}

// rowMultiply writes the product with the symmetric matrix, after the
// substitution with Lᵀ if solve is set.
func (v isa) rowMultiply(solve bool) {
	name, doc := "multiply", "func(n int, ptr *int, rows *int32, w, diag, x, y, r, sums *float64)"
	if solve {
		name, doc = "backwardMultiply", "func(n int, ptr *int, rows *int32, u, pivot, w, diag, x, y, r, sums *float64)"
	}
	TEXT(name+v.suffix, attrNOSPLIT, doc)
	Doc(name + v.suffix + " is " + name + "Go.")
	Pragma("noescape")
	k, ptr, rows, w, x, y := gp("n"), gp("ptr"), gp("rows"), gp("w"), gp("x"), gp("y")
	var u reg.Register
	if solve {
		u = gp("u")
	}
	t, i, c := GP64(), GP64(), newSpan()
	unroll := 1
	if v.wide {
		unroll = 2
	}
	parts := v.rowParts()
	accU, accW := v.sums(0, unroll), v.sums(2, unroll) // reg 0…3
	own, rx, dots := v.rowSet(4), v.rowSet(6), v.rowSet(8)
	energy := v.rowSet(10)
	s, s2, one := v.reg(12), v.reg(13), v.reg(14)
	for p := range parts {
		v.zero(dots[p])
		v.zero(energy[p])
	}
	setOne(one)
	col, done := newLabel("col"), newLabel("done")
	Label(col)
	DECQ(k)
	JL(LabelRef(done))
	v.zeroSums(accU)
	v.zeroSums(accW)
	c.load(ptr, k)
	c.each(rows, x, unroll, func(i int, row Mem) {
		v.loadRow(row, rx)
		VBROADCASTSD(Mem{Base: w, Index: c.e, Scale: 8, Disp: 8 * i}, s2)
		if solve {
			VBROADCASTSD(Mem{Base: u, Index: c.e, Scale: 8, Disp: 8 * i}, s)
		}
		for p := range rx {
			if solve {
				VFMADD231PD(rx[p], s, accU[i][p])
			}
			VFMADD231PD(rx[p], s2, accW[i][p])
		}
	})
	joinSums(accU)
	joinSums(accW)
	MOVQ(k, i)
	SHLQ(Imm(6), i)
	v.loadRow(Mem{Base: x, Index: i, Scale: 1}, own)
	if solve {
		Load(Param("pivot"), t)
		v.reciprocal(t, k, s, one)
		for p := range own {
			VFMADD213PD(accU[0][p], s, own[p]) // own = s·own + accU
		}
		v.storeRow(own, Mem{Base: x, Index: i, Scale: 1})
	}
	// dots += r∘x, y = d x − Σ w x, energy += x∘(y − Σ w x)
	Load(Param("r"), t)
	v.loadRow(Mem{Base: t, Index: i, Scale: 1}, rx)
	for p := range own {
		VFMADD231PD(rx[p], own[p], dots[p])
	}
	Load(Param("diag"), t)
	VBROADCASTSD(Mem{Base: t, Index: k, Scale: 8}, s)
	for p := range own {
		VMOVAPD(accW[0][p], rx[p])
		VFMSUB231PD(own[p], s, rx[p]) // rx = s·own − rx
	}
	v.storeRow(rx, Mem{Base: y, Index: i, Scale: 1})
	for p := range own {
		VSUBPD(accW[0][p], rx[p], rx[p])
		VFMADD231PD(rx[p], own[p], energy[p])
	}
	c.load(ptr, k)
	c.each(rows, y, 1, func(_ int, row Mem) {
		VBROADCASTSD(Mem{Base: w, Index: c.e, Scale: 8}, s)
		v.loadRow(row, rx)
		for p := range rx {
			VFNMADD231PD(s, own[p], rx[p])
		}
		v.storeRow(rx, row)
	})
	JMP(LabelRef(col))
	Label(done)
	Load(Param("sums"), t)
	v.storeRow(dots, Mem{Base: t})
	v.storeRow(energy, Mem{Base: t, Disp: 64})
	v.endLanes()
}

// rowUpdate writes the vector operations of one step of conjugate gradients.
func (v isa) rowUpdate() {
	TEXT("update"+v.suffix, attrNOSPLIT, "func(n int, alpha, beta, u, w, x, r, p, s, squares *float64)")
	Doc("update" + v.suffix + " is updateGo.")
	Pragma("noescape")
	n, u, w, x, r, dp, ds := gp("n"), gp("u"), gp("w"), gp("x"), gp("r"), gp("p"), gp("s")
	t, at := GP64(), GP64()
	alpha, beta, sq := v.rowSet(0), v.rowSet(2), v.rowSet(4)
	a, b := v.rowSet(6), v.rowSet(8)
	Load(Param("alpha"), t)
	v.loadRow(Mem{Base: t}, alpha)
	Load(Param("beta"), t)
	v.loadRow(Mem{Base: t}, beta)
	for _, z := range sq {
		v.zero(z)
	}
	XORQ(at, at)
	row, done := newLabel("row"), newLabel("done")
	TESTQ(n, n)
	JZ(LabelRef(done))
	Label(row)
	on := func(base reg.Register) Mem { return Mem{Base: base, Index: at, Scale: 1} }
	v.loadRow(on(u), a)
	v.loadRow(on(w), b)
	for p := range a {
		VFMADD231PD(v.part(on(dp), p), beta[p], a[p])
		VFMADD231PD(v.part(on(ds), p), beta[p], b[p])
	}
	v.storeRow(a, on(dp))
	v.storeRow(b, on(ds))
	for p := range a {
		VFMADD213PD(v.part(on(x), p), alpha[p], a[p])  // a = α a + x
		VFNMADD213PD(v.part(on(r), p), alpha[p], b[p]) // b = r − α b
	}
	v.storeRow(a, on(x))
	v.storeRow(b, on(r))
	for p := range b {
		VFMADD231PD(b[p], b[p], sq[p])
	}
	ADDQ(Imm(64), at)
	DECQ(n)
	JNZ(LabelRef(row))
	Label(done)
	Load(Param("squares"), t)
	v.storeRow(sq, Mem{Base: t})
	v.endLanes()
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// wideRows writes the routines of package chol/partial/internal/kernel: rows of
// eight numbers, one register with AVX-512, two with AVX2, at 64 bytes times an
// index.
func (v isa) wideRows() {
	v.rowScatter()
	v.rowGather()
}

// rowParts is how many registers hold a row.
func (v isa) rowParts() int { return 8 / v.lanes }

// rowLoop runs body for k < n with the address of row rows[k]; u walks along.
func (v isa) rowLoop(body func(row Mem, u Mem)) {
	n, rows, u, x := gp("n"), gp("rows"), gp("u"), gp("x")
	at, k := GP64(), GP64()
	XORQ(k, k)
	loop := newLabel("row")
	Label(loop)
	MOVLQSX(Mem{Base: rows, Index: k, Scale: 4}, at)
	SHLQ(Imm(6), at)
	body(Mem{Base: x, Index: at, Scale: 1}, Mem{Base: u, Index: k, Scale: 8})
	INCQ(k)
	CMPQ(k, n)
	JLT(LabelRef(loop))
}

func (v isa) rowScatter() {
	TEXT("scatter"+v.suffix, attrNOSPLIT, "func(n int, rows *int32, u, x, v *float64)")
	Doc("scatter" + v.suffix + " is scatterGo; n > 0.")
	Pragma("noescape")
	from := gp("v")
	for p := range v.rowParts() {
		VMOVUPD(Mem{Base: from, Disp: p * v.bytes()}, v.reg(p))
	}
	s, t := v.reg(4), v.reg(5)
	v.rowLoop(func(row, u Mem) {
		VBROADCASTSD(u, s)
		for p := range v.rowParts() {
			VMOVUPD(row.Offset(p*v.bytes()), t)
			VFMADD231PD(s, v.reg(p), t)
			VMOVUPD(t, row.Offset(p*v.bytes()))
		}
	})
	v.endLanes()
}

// rowGather keeps four sums apart, so that additions need not wait for each
// other.
func (v isa) rowGather() {
	TEXT("gather"+v.suffix, attrNOSPLIT, "func(n int, rows *int32, u, x, sum *float64)")
	Doc("gather" + v.suffix + " is gatherGo up to the order of additions; n > 0.")
	Pragma("noescape")
	const sums = 4
	parts := v.rowParts()
	acc := func(i, p int) reg.VecPhysical { return v.reg(i*parts + p) }
	s := v.reg(sums * parts)
	n, rows, u, x, to := gp("n"), gp("rows"), gp("u"), gp("x"), gp("sum")
	for p := range parts {
		VMOVUPD(Mem{Base: to, Disp: p * v.bytes()}, acc(0, p))
		for i := 1; i < sums; i++ {
			v.zero(acc(i, p))
		}
	}
	at, k, last := GP64(), GP64(), GP64()
	add := func(i int) {
		MOVLQSX(Mem{Base: rows, Index: k, Scale: 4, Disp: 4 * i}, at)
		SHLQ(Imm(6), at)
		VBROADCASTSD(Mem{Base: u, Index: k, Scale: 8, Disp: 8 * i}, s)
		for p := range parts {
			VFMADD231PD(Mem{Base: x, Index: at, Scale: 1, Disp: p * v.bytes()}, s, acc(i, p))
		}
	}
	XORQ(k, k)
	MOVQ(n, last)
	SUBQ(Imm(sums-1), last)
	four, rest, one, done := newLabel("four"), newLabel("rest"), newLabel("one"), newLabel("done")
	Label(four)
	CMPQ(k, last)
	JGE(LabelRef(rest))
	for i := range sums {
		add(i)
	}
	ADDQ(Imm(sums), k)
	JMP(LabelRef(four))
	Label(rest)
	for p := range parts {
		VADDPD(acc(1, p), acc(0, p), acc(0, p))
		VADDPD(acc(3, p), acc(2, p), acc(2, p))
		VADDPD(acc(2, p), acc(0, p), acc(0, p))
	}
	Label(one)
	CMPQ(k, n)
	JGE(LabelRef(done))
	add(0)
	INCQ(k)
	JMP(LabelRef(one))
	Label(done)
	for p := range parts {
		VMOVUPD(acc(0, p), Mem{Base: to, Disp: p * v.bytes()})
	}
	v.endLanes()
}

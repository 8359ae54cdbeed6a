package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func (v isa) row(vectors int) []reg.VecVirtual { return v.tile(1, vectors)[0] }

// columnsForward emits the forward solve by compressed columns for lanes
// right-hand sides.
func (v isa) columnsForward(vectors int) {
	name := fmt.Sprintf("columnsForward%d%s", vectors*v.lanes, v.suffix)
	TEXT(name, attr.NOSPLIT, "func(n, stop int, ptr, rows *int32, l, x, y *float64, stride int)")
	Doc(name + " is the loop of ColumnsForward for that many right-hand sides; ptr and x are of the first of n columns.")
	Pragma("noescape")
	n, stop := Load(Param("n"), GP64()), Load(Param("stop"), GP64())
	ptr, rows := Load(Param("ptr"), GP64()), Load(Param("rows"), GP64())
	l, x, y := Load(Param("l"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
	stride := Load(Param("stride"), GP64())
	SHLQ(Imm(3), stride)
	p, end, r := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: ptr}, p)
	column, entry, skip := label("column"), label("entry"), label("skip")
	Label(column)
	MOVLQSX(Mem{Base: ptr, Disp: 4}, end)
	CMPQ(p, end)
	JGE(LabelRef(skip))
	xs := v.row(vectors)
	for i := range xs {
		VMOVUPD(Mem{Base: x, Disp: i * v.bytes()}, xs[i])
	}
	Label(entry)
	MOVLQSX(Mem{Base: rows, Index: p, Scale: 4}, r)
	CMPQ(r, stop)
	JGE(LabelRef(skip))
	IMULQ(stride, r)
	ADDQ(y, r)
	m := v.vec()
	VBROADCASTSD(Mem{Base: l, Index: p, Scale: 8}, m)
	for i := range xs {
		t := v.vec()
		VMOVUPD(Mem{Base: r, Disp: i * v.bytes()}, t)
		VFNMADD231PD(m, xs[i], t)
		VMOVUPD(t, Mem{Base: r, Disp: i * v.bytes()})
	}
	INCQ(p)
	CMPQ(p, end)
	JL(LabelRef(entry))
	Label(skip)
	MOVQ(end, p)
	ADDQ(Imm(4), ptr)
	ADDQ(stride, x)
	DECQ(n)
	JNZ(LabelRef(column))
	VZEROUPPER()
	RET()
}

// columnsBackward emits the backward solve by compressed columns.
func (v isa) columnsBackward(vectors int) {
	name := fmt.Sprintf("columnsBackward%d%s", vectors*v.lanes, v.suffix)
	TEXT(name, attr.NOSPLIT, "func(n int, ptr, rows *int32, l, d, x, y *float64, stride int)")
	Doc(name + " is the loop of ColumnsBackward for that many right-hand sides; ptr, d and x are of the first of n columns.")
	Pragma("noescape")
	n := Load(Param("n"), GP64())
	ptr, rows := Load(Param("ptr"), GP64()), Load(Param("rows"), GP64())
	l, d := Load(Param("l"), GP64()), Load(Param("d"), GP64())
	x, y := Load(Param("x"), GP64()), Load(Param("y"), GP64())
	stride := Load(Param("stride"), GP64())
	SHLQ(Imm(3), stride)
	p, end, r := GP64(), GP64(), GP64()
	MOVQ(n, r)
	IMULQ(stride, r)
	ADDQ(r, x) // past the last column
	one := XMM()
	v.one(one)
	MOVLQSX(Mem{Base: ptr, Index: n, Scale: 4}, end)
	column, entry, done := label("column"), label("entry"), label("done")
	Label(column)
	SUBQ(stride, x)
	MOVLQSX(Mem{Base: ptr, Index: n, Scale: 4, Disp: -4}, p)
	m := v.vec()
	VDIVSD(Mem{Base: d, Index: n, Scale: 8, Disp: -8}, one, m.AsX())
	VBROADCASTSD(m.AsX(), m)
	xs := v.row(vectors)
	for i := range xs {
		VMULPD(Mem{Base: x, Disp: i * v.bytes()}, m, xs[i])
	}
	CMPQ(p, end)
	JGE(LabelRef(done))
	first := GP64()
	MOVQ(p, first)
	Label(entry)
	MOVLQSX(Mem{Base: rows, Index: p, Scale: 4}, r)
	IMULQ(stride, r)
	ADDQ(y, r)
	VBROADCASTSD(Mem{Base: l, Index: p, Scale: 8}, m)
	for i := range xs {
		VFNMADD231PD(Mem{Base: r, Disp: i * v.bytes()}, m, xs[i])
	}
	INCQ(p)
	CMPQ(p, end)
	JL(LabelRef(entry))
	MOVQ(first, end)
	Label(done)
	for i := range xs {
		VMOVUPD(xs[i], Mem{Base: x, Disp: i * v.bytes()})
	}
	DECQ(n)
	JNZ(LabelRef(column))
	VZEROUPPER()
	RET()
}

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// toBytes loads an integer argument as a byte count.
func toBytes(arg string, r reg.GPPhysical) {
	Load(Param(arg), r)
	SHLQ(Imm(3), r)
}

// branchN jumps to the code for min(n left, lanes) columns.
func (v isa) branchN(f frame, label func(n int) string) {
	MOVQ(f.nLeft, rT)
	CMPQ(rT, Imm(uint64(v.lanes)))
	JGE(LabelRef(label(v.lanes)))
	for n := v.lanes - 1; n >= 1; n-- {
		CMPQ(rT, Imm(uint64(n)))
		JEQ(LabelRef(label(n)))
	}
}

// rows emits the loop over row blocks of a panel of n columns; body is called
// once for each shape of tile. On entry rAblk, rCblk, rM are set; the code
// falls out at the end when no rows are left. The strips of A are as apart, or
// with asArg false plain; the last 25..32 (13..16) rows of a plain matrix go as
// 2+2 vectors, not 3+1.
func (v isa) rows(f frame, n int, asArg bool, body func(t tile)) {
	mr := tileVectors * v.lanes
	next, out := newLabel("next"), newLabel("out")
	tail1, tail2, tail3, two := newLabel("tail1"), newLabel("tail2"), newLabel("tail3"), newLabel("two")
	// advance by a tile
	step := func() {
		if asArg {
			p, _ := Param("as").Resolve()
			MOVQ(p.Addr, rT)
			LEAQ(Mem{Base: rAblk, Index: rT, Scale: 8}, rAblk)
		} else {
			ADDQ(Imm(uint64(mr*8)), rAblk)
		}
		ADDQ(Imm(uint64(mr*8)), rCblk)
		SUBQ(Imm(uint64(mr)), rM)
		JG(LabelRef(next))
		JMP(LabelRef(out))
	}
	Label(next)
	CMPQ(rM, Imm(uint64(mr)))
	JLT(LabelRef(tail2))
	CMPQ(rM, Imm(uint64(mr+v.lanes)))
	JG(LabelRef(tail3))
	CMPQ(rM, Imm(uint64(mr)))
	JEQ(LabelRef(tail3))
	if asArg {
		p, _ := Param("as").Resolve()
		CMPQ(p.Addr, Imm(uint64(mr)))
		JEQ(LabelRef(two))
	} else {
		JMP(LabelRef(two))
	}
	Label(tail3)
	if n == v.lanes {
		body(tile{v, f, 3, n, false})
		step()
	}
	t3 := newLabel("masked3")
	if n == v.lanes {
		// 17..23 rows come here from tail2
	} else {
		JMP(LabelRef(t3))
	}
	Label(tail2)
	CMPQ(rM, Imm(uint64(v.lanes)))
	JLE(LabelRef(tail1))
	CMPQ(rM, Imm(uint64(2*v.lanes)))
	JLE(LabelRef(two))
	Label(t3)
	v.setRowMask(f, 3)
	body(tile{v, f, 3, n, true})
	step()
	Label(two)
	v.setRowMask(f, 2)
	body(tile{v, f, 2, n, true})
	ADDQ(Imm(uint64(2*v.bytes())), rAblk)
	ADDQ(Imm(uint64(2*v.bytes())), rCblk)
	SUBQ(Imm(uint64(2*v.lanes)), rM)
	JG(LabelRef(next))
	JMP(LabelRef(out))
	Label(tail1)
	v.setRowMask(f, 1)
	body(tile{v, f, 1, n, true})
	Label(out)
}

// gemm emits gemmBlock.
func (v isa) gemm() {
	TEXT("gemmBlock"+v.suffix, 0, "func(m, n, k int, alpha float64, a *float64, lda, as int, b *float64, rsb, csb, bs int, c *float64, ldc, mode int)")
	Doc(fmt.Sprintf("gemmBlock%s is gemmBlockGo for tiles of %d×%d.", v.suffix, tileVectors*v.lanes, v.lanes))
	Pragma("noescape")
	f := newFrame(false)
	for _, x := range []struct {
		arg string
		m   Mem
	}{{"a", f.aPan}, {"b", f.bPan}, {"c", f.cPan}, {"n", f.nLeft}} {
		Load(Param(x.arg), rT)
		MOVQ(rT, x.m)
	}
	toBytes("lda", rLda)
	toBytes("rsb", rRsb)
	toBytes("csb", rCsb)
	toBytes("ldc", rLdc)
	LEAQ(Mem{Base: rCsb, Index: rCsb, Scale: 2}, rCsb3)
	name := newLabel("panel")
	label := func(n int) string { return name + "n" + itoa(n) }
	Label(name)
	Load(Param("mode"), rT)
	ANDQ(Imm(modeLower), rT)
	MOVQ(rT, f.lower)
	MOVQ(f.aPan, rAblk)
	MOVQ(f.cPan, rCblk)
	Load(Param("m"), rM)
	v.branchN(f, label)
	end := newLabel("end")
	JMP(LabelRef(end))
	for n := v.lanes; n >= 1; n-- {
		Label(label(n))
		v.rows(f, n, true, func(t tile) {
			t.product(false)
			t.update()
		})
		if n < v.lanes {
			JMP(LabelRef(end))
			continue
		}
		// next panel
		SUBQ(Imm(uint64(v.lanes)), f.nLeft)
		JLE(LabelRef(end))
		p, _ := Param("bs").Resolve()
		MOVQ(p.Addr, rT)
		SHLQ(Imm(3), rT)
		ADDQ(rT, f.bPan)
		LEAQ(Mem{Base: rLdc, Index: rLdc, Scale: 1}, rT)
		SHLQ(Imm(uint64(log2(v.lanes)-1)), rT)
		ADDQ(rT, f.cPan)
		TESTQ(U32(modeLower), mustAddr("mode"))
		JZ(LabelRef(name))
		// a lower panel starts at its diagonal
		ADDQ(Imm(uint64(v.bytes())), f.cPan)
		ADDQ(Imm(uint64(v.bytes())), f.aPan)
		q, _ := Param("m").Resolve()
		SUBQ(Imm(uint64(v.lanes)), q.Addr)
		JG(LabelRef(name))
		JMP(LabelRef(end))
	}
	Label(end)
	VZEROUPPER()
	RET()
}

func mustAddr(arg string) Mem {
	p, err := Param(arg).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

func log2(n int) int {
	b := 0
	for 1<<b < n {
		b++
	}
	return b
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The solves with many right-hand sides keep a block of up to blockRows rows of
// lanes right-hand sides in registers, the elements of L being broadcast.
const blockRows = 6

// spaced addresses up to six positions from p on, step bytes apart; p3 is three
// steps further.
func spaced(p, p3, step reg.Register) func(j, disp int) Mem {
	return func(j, disp int) Mem {
		m := Mem{Base: p, Disp: disp}
		if j >= 3 {
			m.Base = p3
		}
		if j%3 > 0 {
			m.Index, m.Scale = step, uint8(j%3)
		}
		return m
	}
}

// tile is a block of rows in registers.
type tile [][]reg.VecVirtual

func (v isa) tile(rows, vectors int) tile {
	t := make(tile, rows)
	for j := range t {
		t[j] = make([]reg.VecVirtual, vectors)
		for i := range t[j] {
			t[j][i] = v.vec()
		}
	}
	return t
}

func (v isa) load(t tile, at func(j, disp int) Mem) {
	for j := range t {
		for i := range t[j] {
			VMOVUPD(at(j, i*v.bytes()), t[j][i])
		}
	}
}

// rowsAhead is how far ahead the right-hand sides of pivots are prefetched, in
// bytes.
const rowsAhead = 4096

func (v isa) prefetchRows(t tile, at func(j, disp int) Mem, ahead int) {
	for j := range t {
		for i := 0; i < len(t[j])*v.bytes(); i += 64 {
			PREFETCHT0(at(j, ahead+i))
		}
	}
}

func (v isa) store(t tile, at func(j, disp int) Mem) {
	for j := range t {
		for i := range t[j] {
			VMOVUPD(t[j][i], at(j, i*v.bytes()))
		}
	}
}

// rank1 subtracts from row j of t the row at a times the element at(j).
func (v isa) rank1(t tile, a reg.Register, at func(j int) Mem) {
	row := make([]reg.VecVirtual, len(t[0]))
	for i := range row {
		row[i] = v.vec()
		VMOVUPD(Mem{Base: a, Disp: i * v.bytes()}, row[i])
	}
	for j := range t {
		x := v.vec()
		VBROADCASTSD(at(j), x)
		for i := range row {
			VFNMADD231PD(x, row[i], t[j][i])
		}
	}
}

// reciprocals returns 1/at(j,j), j < n, in all lanes.
func (v isa) reciprocals(n int, at func(i, j int) Mem, one reg.VecVirtual) []reg.VecVirtual {
	inv := make([]reg.VecVirtual, n)
	for j := range inv {
		inv[j] = v.vec()
		VDIVSD(at(j, j), one.AsX(), inv[j].AsX())
	}
	return inv
}

// triangle solves with the rows of t; element (i,j) of the triangular block of
// L is at(i,j). backward: with its transpose.
func (v isa) triangle(t tile, backward bool, at func(i, j int) Mem) {
	one := XMM()
	v.one(one)
	n := len(t)
	order := make([]int, n)
	for k := range order {
		order[k] = k
		if backward {
			order[k] = n - 1 - k
		}
	}
	for k, j := range order {
		inv := v.vec()
		VDIVSD(at(j, j), one, inv.AsX())
		VBROADCASTSD(inv.AsX(), inv)
		for i := range t[j] {
			VMULPD(inv, t[j][i], t[j][i])
		}
		for _, q := range order[k+1:] {
			x := v.vec()
			if backward {
				VBROADCASTSD(at(j, q), x)
			} else {
				VBROADCASTSD(at(q, j), x)
			}
			for i := range t[j] {
				VFNMADD231PD(x, t[j][i], t[q][i])
			}
		}
	}
}

// chooseBlock sets b to how many of the rem ≥ 1 rows left to take: limit, but
// the last two blocks share what is left.
func chooseBlock(rem, b reg.Register, limit uint32) {
	done := label("chosen")
	MOVQ(U32(limit), b)
	CMPQ(rem, Imm(2*uint64(limit)))
	JGE(LabelRef(done))
	MOVQ(rem, b)
	CMPQ(rem, Imm(uint64(limit)))
	JLE(LabelRef(done))
	INCQ(b)
	SHRQ(Imm(1), b)
	Label(done)
}

// forwardMany emits the forward solve for lanes right-hand sides.
func (v isa) forwardMany(vectors int) {
	name := fmt.Sprintf("forward%d%s", vectors*v.lanes, v.suffix)
	TEXT(name, attr.NOSPLIT, "func(tri, rows, k int, l *float64, ld int, x, c *float64, stride, ahead, fresh int, rel *int32, px *float64, pw int, pv *float64)")
	Doc(name + " is forwardManyGo for that many right-hand sides.")
	Pragma("noescape")
	l, ld := Load(Param("l"), GP64()), Load(Param("ld"), GP64())
	stride := Load(Param("stride"), GP64())
	ahead := Load(Param("ahead"), GP64())
	SHLQ(Imm(3), ld)
	SHLQ(Imm(3), stride)
	SHLQ(Imm(3), ahead)
	c, c3 := GP64(), GP64()
	rem, b := GP64(), GP64()
	p, a, n := GP64(), GP64(), GP64()
	rel := Load(Param("rel"), GP64())
	for _, phase := range []string{"tri", "rows"} {
		tri := phase == "tri"
		next, end := label("next"), label("end")
		Load(Param(phase), rem)
		if tri {
			Load(Param("x"), c)
		} else {
			Load(Param("c"), c)
		}
		Label(next)
		TESTQ(rem, rem)
		JZ(LabelRef(end))
		chooseBlock(rem, b, blockRows)
		MOVQ(l, p)
		Load(Param("x"), a)
		if tri {
			Load(Param("tri"), n)
			SUBQ(rem, n)
		} else {
			Load(Param("k"), n)
		}
		LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, c3)
		ADDQ(c, c3)
		for size := blockRows; size >= 1; size-- {
			other, sum, summed, loaded := label("other"), label("sum"), label("summed"), label("loaded")
			if size > 1 {
				CMPQ(b, Imm(uint64(size)))
				JNE(LabelRef(other))
			}
			at := spaced(c, c3, stride)
			t := v.tile(size, vectors)
			if !tri {
				fill := label("fill")
				f := GP64()
				Load(Param("fresh"), f)
				TESTQ(f, f)
				JZ(LabelRef(fill))
				for j := range t {
					for i := range t[j] {
						v.zero(t[j][i])
					}
				}
				JMP(LabelRef(loaded))
				Label(fill)
			}
			v.load(t, at)
			if tri {
				v.prefetchRows(t, at, rowsAhead)
			}
			Label(loaded)
			TESTQ(n, n)
			JZ(LabelRef(summed))
			Label(sum)
			PREFETCHT0(Mem{Base: p, Index: ahead, Scale: 1})
			v.rank1(t, a, func(j int) Mem { return Mem{Base: p, Disp: 8 * j} })
			ADDQ(stride, a)
			ADDQ(ld, p)
			DECQ(n)
			JNZ(LabelRef(sum))
			Label(summed)
			if tri {
				p3 := GP64()
				LEAQ(Mem{Base: ld, Index: ld, Scale: 2}, p3)
				ADDQ(p, p3)
				el := spaced(p, p3, ld)
				v.triangle(t, false, func(i, j int) Mem { return el(j, 8*i) })
			}
			stored := label("stored")
			if !tri {
				keep := label("keep")
				TESTQ(rel, rel)
				JZ(LabelRef(keep))
				for j := range t { // p: position in the parent's front, a: address
					MOVLQSX(Mem{Base: rel, Disp: 4 * j}, p)
					Load(Param("pw"), n)
					Load(Param("px"), a)
					CMPQ(p, n)
					above := label("above")
					JL(LabelRef(above))
					SUBQ(n, p)
					Load(Param("pv"), a)
					Label(above)
					IMULQ(stride, p)
					ADDQ(p, a)
					for i := range t[j] {
						VADDPD(Mem{Base: a, Disp: i * v.bytes()}, t[j][i], t[j][i])
						VMOVUPD(t[j][i], Mem{Base: a, Disp: i * v.bytes()})
					}
				}
				ADDQ(Imm(uint64(4*size)), rel)
				JMP(LabelRef(stored))
				Label(keep)
			}
			v.store(t, at)
			Label(stored)
			for range size {
				ADDQ(stride, c)
			}
			ADDQ(Imm(uint64(8*size)), l)
			SUBQ(Imm(uint64(size)), rem)
			JMP(LabelRef(next))
			Label(other)
		}
		Label(end)
	}
	VZEROUPPER()
	RET()
}

// backwardMany emits the backward solve for lanes right-hand sides.
func (v isa) backwardMany(vectors int) {
	name := fmt.Sprintf("backward%d%s", vectors*v.lanes, v.suffix)
	TEXT(name, attr.NOSPLIT, "func(tri, w, r int, l *float64, ld int, x *float64, rows *int32, y *float64, stride, ahead int)")
	Doc(name + " is backwardManyGo for that many right-hand sides.")
	Pragma("noescape")
	rem, ld := Load(Param("w"), GP64()), Load(Param("ld"), GP64())
	stride := Load(Param("stride"), GP64())
	SHLQ(Imm(3), ld)
	SHLQ(Imm(3), stride)
	l, c := GP64(), GP64() // the columns and rows of the block
	b, p, p3, a, n, idx, pf := GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	y := Load(Param("y"), GP64())
	next, end := label("next"), label("end")
	Label(next)
	TESTQ(rem, rem)
	JZ(LabelRef(end))
	chooseBlock(rem, b, blockRows)
	SUBQ(b, rem)
	// l = column rem, c = row rem of x.
	MOVQ(rem, l)
	IMULQ(ld, l)
	MOVQ(rem, c)
	IMULQ(stride, c)
	Load(Param("l"), a)
	ADDQ(a, l)
	Load(Param("x"), a)
	ADDQ(a, c)
	Load(Param("ahead"), pf)
	SHLQ(Imm(3), pf)
	NEGQ(pf)
	ADDQ(l, pf)
	for size := blockRows; size >= 1; size-- {
		other := label("other")
		if size > 1 {
			CMPQ(b, Imm(uint64(size)))
			JNE(LabelRef(other))
		}
		at := spaced(c, a, stride) // a is free at both ends
		third := func() {
			LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, a)
			ADDQ(c, a)
		}
		third()
		el := spaced(p, p3, ld)
		t := v.tile(size, vectors)
		v.load(t, at)
		v.prefetchRows(t, at, -rowsAhead)
		// Rows of the other pivots, then of those below.
		Load(Param("w"), n)
		MOVQ(n, p)
		pivots, below, sum, summed := label("pivots"), label("below"), label("sum"), label("summed")
		Load(Param("tri"), idx)
		TESTQ(idx, idx)
		JZ(LabelRef(below))
		SUBQ(rem, n)
		SUBQ(Imm(uint64(size)), n)
		LEAQ(Mem{Base: rem, Disp: size}, p)
		Label(below)
		LEAQ(Mem{Base: l, Index: p, Scale: 8}, p)
		LEAQ(Mem{Base: ld, Index: ld, Scale: 2}, p3)
		ADDQ(p, p3)
		TESTQ(idx, idx)
		JZ(LabelRef(summed))
		TESTQ(n, n)
		JZ(LabelRef(summed))
		MOVQ(c, a)
		for range size {
			ADDQ(stride, a)
		}
		step := func() {
			v.rank1(t, a, func(j int) Mem { return el(j, 0) })
			ADDQ(Imm(8), p)
			if size > 3 {
				ADDQ(Imm(8), p3)
			}
			PREFETCHT0(Mem{Base: pf})
			ADDQ(Imm(uint64(8*size)), pf)
		}
		Label(pivots)
		step()
		ADDQ(stride, a)
		DECQ(n)
		JNZ(LabelRef(pivots))
		Label(summed)
		done := label("done")
		Load(Param("r"), n)
		TESTQ(n, n)
		JZ(LabelRef(done))
		Load(Param("rows"), idx)
		Label(sum)
		MOVLQSX(Mem{Base: idx}, a)
		IMULQ(stride, a)
		ADDQ(y, a)
		step()
		ADDQ(Imm(4), idx)
		DECQ(n)
		JNZ(LabelRef(sum))
		Label(done)
		Load(Param("tri"), idx)
		store := label("store")
		TESTQ(idx, idx)
		JZ(LabelRef(store))
		LEAQ(Mem{Base: l, Index: rem, Scale: 8}, p)
		LEAQ(Mem{Base: ld, Index: ld, Scale: 2}, p3)
		ADDQ(p, p3)
		v.triangle(t, true, func(i, j int) Mem { return el(j, 8*i) })
		Label(store)
		third()
		v.store(t, at)
		JMP(LabelRef(next))
		Label(other)
	}
	Label(end)
	VZEROUPPER()
	RET()
}

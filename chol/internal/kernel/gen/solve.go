package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// columns addresses four columns from the pointer p.
func columns(p, lda, lda3 reg.Register) func(c, row int) Mem {
	return func(c, row int) Mem {
		m := Mem{Base: p, Disp: 8 * row}
		switch c {
		case 1, 2:
			m.Index, m.Scale = lda, uint8(c)
		case 3:
			m.Index, m.Scale = lda3, 1
		}
		return m
	}
}

// distance is how far ahead of the columns in use the factor is prefetched, in
// bytes: panels follow each other in memory, but are too short for the
// processor to notice.
const distance = 8192

// prefetch fetches from pf as much as one step takes of four columns, and moves
// on.
func (v isa) prefetch(pf reg.Register) {
	size := 4 * v.bytes()
	for i := 0; i < size; i += 64 {
		PREFETCHT0(Mem{Base: pf, Disp: i})
	}
	ADDQ(U32(uint32(size)), pf)
}

// panelSolve is what both directions share: the walk over columns, forwards.
func (v isa) panelSolve() {
	TEXT("panelSolve"+v.suffix, attr.NOSPLIT, "func(w, nr int, a *float64, lda int, t *float64)")
	Doc("panelSolve" + v.suffix + " is panelSolveGo, by 4 columns, with reciprocals of pivots.")
	Pragma("noescape")
	n, rows := Load(Param("w"), GP64()), Load(Param("nr"), GP64())
	a, lda, t := Load(Param("a"), GP64()), Load(Param("lda"), GP64()), Load(Param("t"), GP64())
	SHLQ(Imm(3), lda)
	lda3 := GP64()
	LEAQ(Mem{Base: lda, Index: lda, Scale: 2}, lda3)
	one := XMM()
	v.one(one)
	m, p, q, pf := GP64(), GP64(), GP64(), GP64()
	for _, cols := range []int{4, 1} {
		top, end := label("cols"), label("colsEnd")
		Label(top)
		CMPQ(n, Imm(uint64(cols)))
		JL(LabelRef(end))
		at := columns(a, lda, lda3)
		var x, inv [4]reg.VecVirtual
		for c := range cols {
			inv[c] = XMM()
			VDIVSD(at(c, c), one, inv[c])
		}
		for c := range cols {
			x[c] = XMM()
			VMOVSD(Mem{Base: t, Disp: 8 * c}, x[c])
			for b := range c {
				VFNMADD231SD(at(b, c), x[b], x[c])
			}
			VMULSD(inv[c], x[c], x[c])
			VMOVSD(x[c], Mem{Base: t, Disp: 8 * c})
		}
		var wide [4]reg.VecVirtual
		for c := range cols {
			wide[c] = v.vec()
			VBROADCASTSD(x[c], wide[c])
		}
		MOVQ(rows, m)
		SUBQ(Imm(uint64(cols)), m)
		LEAQ(Mem{Base: a, Disp: 8 * cols}, p)
		LEAQ(Mem{Base: t, Disp: 8 * cols}, q)
		col := columns(p, lda, lda3)
		if cols == 4 {
			LEAQ(Mem{Base: a, Disp: distance}, pf)
			v.prefetch(pf)
		}
		v.loop(m, func() {
			if cols == 4 {
				v.prefetch(pf)
			}
			y := v.vec()
			VMOVUPD(Mem{Base: q}, y)
			for c := range cols {
				VFNMADD231PD(col(c, 0), wide[c], y)
			}
			VMOVUPD(y, Mem{Base: q})
			ADDQ(Imm(uint64(v.bytes())), p)
			ADDQ(Imm(uint64(v.bytes())), q)
		}, func(k reg.OpmaskVirtual) {
			if v.wide {
				y := ZMM()
				VMOVUPD_Z(Mem{Base: q}, k, y)
				for c := range cols {
					VFNMADD231PD(col(c, 0), wide[c], k, y)
				}
				VMOVUPD(y, k, Mem{Base: q})
				return
			}
			y := XMM()
			VMOVSD(Mem{Base: q}, y)
			for c := range cols {
				VFNMADD231SD(col(c, 0), wide[c].AsX(), y)
			}
			VMOVSD(y, Mem{Base: q})
			ADDQ(Imm(8), p)
			ADDQ(Imm(8), q)
		})
		for range cols {
			ADDQ(lda, a)
		}
		ADDQ(Imm(uint64(8*cols)), a)
		ADDQ(Imm(uint64(8*cols)), t)
		SUBQ(Imm(uint64(cols)), rows)
		SUBQ(Imm(uint64(cols)), n)
		JMP(LabelRef(top))
		Label(end)
	}
	VZEROUPPER()
	RET()
}

// one sets x to 1 in its low lane.
func (v isa) one(x reg.VecVirtual) {
	g := GP64()
	MOVQ(U64(0x3ff0000000000000), g)
	VMOVQ(g, x)
}

// panelSolveT walks the columns backwards: singles first, so that the rest is
// a multiple of 4.
func (v isa) panelSolveT() {
	TEXT("panelSolveT"+v.suffix, attr.NOSPLIT, "func(w, nr int, a *float64, lda int, t *float64)")
	Doc("panelSolveT" + v.suffix + " is panelSolveTGo, by 4 columns, with reciprocals of pivots.")
	Pragma("noescape")
	n, rows := Load(Param("w"), GP64()), Load(Param("nr"), GP64())
	a, lda, t := Load(Param("a"), GP64()), Load(Param("lda"), GP64()), Load(Param("t"), GP64())
	SHLQ(Imm(3), lda)
	lda3 := GP64()
	LEAQ(Mem{Base: lda, Index: lda, Scale: 2}, lda3)
	// a and t to the end of the pivots; rows counts those below them.
	off := GP64()
	MOVQ(lda, off)
	ADDQ(Imm(8), off)
	IMULQ(n, off)
	ADDQ(off, a)
	LEAQ(Mem{Base: t, Index: n, Scale: 8}, t)
	SUBQ(n, rows)
	one := XMM()
	v.one(one)
	m, p, q, pf := GP64(), GP64(), GP64(), GP64()
	for _, cols := range []int{1, 4} {
		top, end := label("cols"), label("colsEnd")
		Label(top)
		if cols == 1 {
			TESTQ(U32(3), n)
		} else {
			TESTQ(n, n)
		}
		JZ(LabelRef(end))
		for range cols {
			SUBQ(lda, a)
		}
		SUBQ(Imm(uint64(8*cols)), a)
		SUBQ(Imm(uint64(8*cols)), t)
		at := columns(a, lda, lda3)
		var inv, sums, scalar [4]reg.VecVirtual
		for c := range cols {
			inv[c] = XMM()
			VDIVSD(at(c, c), one, inv[c])
			sums[c] = v.vec()
			v.zero(sums[c])
			if !v.wide {
				scalar[c] = XMM()
				VXORPD(scalar[c], scalar[c], scalar[c])
			}
		}
		MOVQ(rows, m)
		LEAQ(Mem{Base: a, Disp: 8 * cols}, p)
		LEAQ(Mem{Base: t, Disp: 8 * cols}, q)
		col := columns(p, lda, lda3)
		if cols == 4 {
			LEAQ(Mem{Base: a, Disp: -distance}, pf)
			v.prefetch(pf)
		}
		v.loop(m, func() {
			if cols == 4 {
				v.prefetch(pf)
			}
			y := v.vec()
			VMOVUPD(Mem{Base: q}, y)
			for c := range cols {
				VFMADD231PD(col(c, 0), y, sums[c])
			}
			ADDQ(Imm(uint64(v.bytes())), p)
			ADDQ(Imm(uint64(v.bytes())), q)
		}, func(k reg.OpmaskVirtual) {
			if v.wide {
				y := ZMM()
				VMOVUPD_Z(Mem{Base: q}, k, y)
				for c := range cols {
					VFMADD231PD(col(c, 0), y, k, sums[c])
				}
				return
			}
			y := XMM()
			VMOVSD(Mem{Base: q}, y)
			for c := range cols {
				VFMADD231SD(col(c, 0), y, scalar[c])
			}
			ADDQ(Imm(8), p)
			ADDQ(Imm(8), q)
		})
		var x [4]reg.VecVirtual
		for c := range cols {
			x[c] = v.sum(sums[c])
			if !v.wide {
				VADDSD(scalar[c], x[c], x[c])
			}
		}
		for c := cols - 1; c >= 0; c-- {
			y := XMM()
			VMOVSD(Mem{Base: t, Disp: 8 * c}, y)
			VSUBSD(x[c], y, y)
			for b := cols - 1; b > c; b-- {
				VFNMADD231SD(at(c, b), x[b], y)
			}
			VMULSD(inv[c], y, y)
			VMOVSD(y, Mem{Base: t, Disp: 8 * c})
			x[c] = y
		}
		ADDQ(Imm(uint64(cols)), rows)
		SUBQ(Imm(uint64(cols)), n)
		JMP(LabelRef(top))
		Label(end)
	}
	VZEROUPPER()
	RET()
}

// sum adds the lanes of s, which it destroys.
func (v isa) sum(s reg.VecVirtual) reg.VecVirtual {
	lo, hi := s.AsX(), XMM()
	if v.wide {
		half := YMM()
		VEXTRACTF64X4(Imm(1), s, half)
		VADDPD(half, s.AsY(), s.AsY())
	}
	VEXTRACTF128(Imm(1), s.AsY(), hi)
	VADDPD(hi, lo, lo)
	VPERMILPD(Imm(1), lo, hi)
	VADDSD(hi, lo, lo)
	return lo.(reg.VecVirtual)
}

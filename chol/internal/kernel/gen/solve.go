package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blockColumns is how many columns of a panel a solve with one right-hand side
// takes at a time.
const blockColumns = 8

// distance is how far ahead of the columns in use the factor is prefetched, in
// bytes: panels follow each other in memory, but are too short for the
// processor to notice.
const distance = 8192

// prefetch fetches what one step takes of a number of columns, from pf + ahead,
// and moves pf on.
func (v isa) prefetch(pf reg.Register, ahead, columns int) {
	for i := 0; i < columns*v.bytes(); i += 64 {
		PREFETCHT0(Mem{Base: pf, Disp: ahead + i})
	}
	ADDQ(U32(uint32(columns*v.bytes())), pf)
}

// panel addresses up to eight columns from p on; p4 is four columns further.
func panel(p, p4, lda, lda3 reg.Register) func(c, row int) Mem {
	return func(c, row int) Mem {
		m := Mem{Base: p, Disp: 8 * row}
		if c >= 4 {
			m.Base = p4
		}
		switch c % 4 {
		case 1, 2:
			m.Index, m.Scale = lda, uint8(c%4)
		case 3:
			m.Index, m.Scale = lda3, 1
		}
		return m
	}
}

// panelSolve emits the forward solve of one right-hand side. Whole vectors of t
// are written; what this leaves at the pivots' place means nothing.
func (v isa) panelSolve() {
	TEXT("panelSolve"+v.suffix, attr.NOSPLIT, "func(w, nr int, a *float64, lda int, t, x *float64)")
	Doc("panelSolve" + v.suffix + " is panelSolveGo, by 8 columns, with reciprocals of pivots.")
	Pragma("noescape")
	w, a, lda := Load(Param("w"), GP64()), Load(Param("a"), GP64()), Load(Param("lda"), GP64())
	t, x := Load(Param("t"), GP64()), Load(Param("x"), GP64())
	SHLQ(Imm(3), lda)
	lda3 := GP64()
	LEAQ(Mem{Base: lda, Index: lda, Scale: 2}, lda3)
	j, p, p4, q, n, pf := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(a, pf)
	XORQ(j, j)
	next, end := label("next"), label("end")
	Label(next)
	CMPQ(j, w)
	JGE(LabelRef(end))
	for size := blockColumns; size >= 1; size-- {
		other, loop, done := label("other"), label("loop"), label("done")
		MOVQ(w, n)
		SUBQ(j, n)
		if size == blockColumns {
			CMPQ(n, Imm(blockColumns))
			JL(LabelRef(other))
		} else if size > 1 {
			CMPQ(n, Imm(uint64(size)))
			JNE(LabelRef(other))
		}
		// The triangle at row and column j.
		LEAQ(Mem{Base: a, Index: j, Scale: 8}, p)
		LEAQ(Mem{Base: p, Index: lda, Scale: 4}, p4)
		at := panel(p, p4, lda, lda3)
		one := XMM()
		v.one(one)
		wide := make([]reg.VecVirtual, size)
		for c := range wide {
			wide[c] = v.vec()
			s, inv := wide[c].AsX(), XMM()
			VMOVSD(Mem{Base: t, Index: j, Scale: 8, Disp: 8 * c}, s)
			VDIVSD(at(c, c), one, inv)
			for b := range c {
				VFNMADD231SD(at(b, c), wide[b].AsX(), s)
			}
			VMULSD(inv, s, s)
			VMOVSD(s, Mem{Base: x, Index: j, Scale: 8, Disp: 8 * c})
		}
		for c := range wide {
			VBROADCASTSD(wide[c].AsX(), wide[c])
		}
		// The vectors from the one that holds row j+size on.
		ADDQ(Imm(uint64(size)), j)
		MOVQ(j, q)
		ANDQ(I32(-int32(v.lanes)), q)
		LEAQ(Mem{Base: a, Index: q, Scale: 8}, p)
		LEAQ(Mem{Base: p, Index: lda, Scale: 4}, p4)
		Load(Param("nr"), n)
		SUBQ(q, n)
		JLE(LabelRef(done))
		LEAQ(Mem{Base: t, Index: q, Scale: 8}, q)
		Label(loop)
		y := v.vec()
		VMOVUPD(Mem{Base: q}, y)
		for c := range wide {
			VFNMADD231PD(at(c, 0), wide[c], y)
		}
		VMOVUPD(y, Mem{Base: q})
		v.prefetch(pf, distance, size)
		ADDQ(Imm(uint64(v.bytes())), p)
		if size > 4 {
			ADDQ(Imm(uint64(v.bytes())), p4)
		}
		ADDQ(Imm(uint64(v.bytes())), q)
		SUBQ(Imm(uint64(v.lanes)), n)
		JG(LabelRef(loop))
		Label(done)
		if size == blockColumns {
			LEAQ(Mem{Base: a, Index: lda, Scale: 8}, a)
			JMP(LabelRef(next))
		} else {
			JMP(LabelRef(end)) // was the last block
		}
		Label(other)
	}
	Label(end)
	VZEROUPPER()
	RET()
}

// one sets x to 1 in its low lane.
func (v isa) one(x reg.VecVirtual) {
	g := GP64()
	MOVQ(U64(0x3ff0000000000000), g)
	VMOVQ(g, x)
}

// panelSolveT emits the backward solve of one right-hand side: the rows below
// the pivots are gathered, then columns taken in blocks from the last one.
func (v isa) panelSolveT() {
	TEXT("panelSolveT"+v.suffix, attr.NOSPLIT, "func(w, r int, a *float64, lda int, x *float64, rows *int32, y, t *float64)")
	Doc("panelSolveT" + v.suffix + " is panelSolveTGo, by up to 8 columns, with reciprocals of pivots.")
	Pragma("noescape")
	v.gather()
	rem, lda, x := Load(Param("w"), GP64()), Load(Param("lda"), GP64()), Load(Param("x"), GP64())
	SHLQ(Imm(3), lda)
	lda3 := GP64()
	LEAQ(Mem{Base: lda, Index: lda, Scale: 2}, lda3)
	a, b, p, p4, q, n, pf := GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	next, end := label("next"), label("end")
	Label(next)
	TESTQ(rem, rem)
	JZ(LabelRef(end))
	chooseBlock(rem, b, blockColumns)
	SUBQ(b, rem)
	MOVQ(rem, a) // column rem
	IMULQ(lda, a)
	Load(Param("a"), q)
	ADDQ(q, a)
	MOVQ(a, pf)
	for size := blockColumns; size >= 1; size-- {
		other := label("other")
		if size > 1 {
			CMPQ(b, Imm(uint64(size)))
			JNE(LabelRef(other))
		}
		at := panel(p, p4, lda, lda3)
		acc := make([]reg.VecVirtual, size)
		for c := range acc {
			acc[c] = v.vec()
			v.zero(acc[c])
		}
		dots := func() { // acc += columns at p times n numbers at q
			v.vectors(n, func() {
				y := v.vec()
				VMOVUPD(Mem{Base: q}, y)
				for c := range acc {
					VFMADD231PD(at(c, 0), y, acc[c])
				}
				v.prefetch(pf, -distance, size)
				ADDQ(Imm(uint64(v.bytes())), p)
				if size > 4 {
					ADDQ(Imm(uint64(v.bytes())), p4)
				}
				ADDQ(Imm(uint64(v.bytes())), q)
			}, func(m mask) {
				v.prefetch(pf, -distance, size)
				y := v.vec()
				v.loadMasked(Mem{Base: q}, m, y)
				for c := range acc {
					if v.wide {
						VFMADD231PD(at(c, 0), y, m.k, acc[c])
						continue
					}
					z := v.vec()
					v.loadMasked(at(c, 0), m, z)
					VFMADD231PD(z, y, acc[c])
				}
			})
		}
		// The other pivots, then the rows below.
		Load(Param("w"), n)
		LEAQ(Mem{Base: rem, Disp: size}, q)
		LEAQ(Mem{Base: a, Index: q, Scale: 8}, p)
		LEAQ(Mem{Base: p, Index: lda, Scale: 4}, p4)
		SUBQ(q, n)
		LEAQ(Mem{Base: x, Index: q, Scale: 8}, q)
		dots()
		Load(Param("w"), n)
		LEAQ(Mem{Base: a, Index: n, Scale: 8}, p)
		LEAQ(Mem{Base: p, Index: lda, Scale: 4}, p4)
		Load(Param("r"), n)
		Load(Param("t"), q)
		dots()
		sums := v.sums(acc)
		LEAQ(Mem{Base: a, Index: rem, Scale: 8}, p)
		LEAQ(Mem{Base: p, Index: lda, Scale: 4}, p4)
		one := XMM()
		v.one(one)
		done := make([]reg.VecVirtual, size)
		for c := size - 1; c >= 0; c-- {
			s, inv := XMM(), XMM()
			VMOVSD(Mem{Base: x, Index: rem, Scale: 8, Disp: 8 * c}, s)
			VDIVSD(at(c, c), one, inv)
			VSUBSD(sums(c), s, s)
			for d := size - 1; d > c; d-- {
				VFNMADD231SD(at(c, d), done[d], s)
			}
			VMULSD(inv, s, s)
			VMOVSD(s, Mem{Base: x, Index: rem, Scale: 8, Disp: 8 * c})
			done[c] = s
		}
		JMP(LabelRef(next))
		Label(other)
	}
	Label(end)
	VZEROUPPER()
	RET()
}

// gather copies y[rows[i]], i < r, to t, in whole vectors.
func (v isa) gather() {
	n, rows := Load(Param("r"), GP64()), Load(Param("rows"), GP64())
	y, t := Load(Param("y"), GP64()), Load(Param("t"), GP64())
	loop, end := label("gather"), label("gathered")
	TESTQ(n, n)
	JZ(LabelRef(end))
	Label(loop)
	PREFETCHT0(Mem{Base: rows, Disp: -1024})
	pair := func(i int) reg.VecVirtual {
		k, m, x := GP64(), GP64(), XMM()
		MOVLQSX(Mem{Base: rows, Disp: 4 * i}, k)
		MOVLQSX(Mem{Base: rows, Disp: 4*i + 4}, m)
		VMOVSD(Mem{Base: y, Index: k, Scale: 8}, x)
		VMOVHPD(Mem{Base: y, Index: m, Scale: 8}, x, x)
		return x
	}
	half := func(i int) reg.VecVirtual {
		lo, hi := pair(i), pair(i+2)
		z := YMM()
		VINSERTF128(Imm(1), hi, lo.AsY(), z)
		return z
	}
	z := half(0)
	if v.wide {
		hi, all := half(4), ZMM()
		VINSERTF64X4(Imm(1), hi, z.AsZ(), all)
		z = all
	}
	VMOVUPD(z, Mem{Base: t})
	ADDQ(Imm(uint64(4*v.lanes)), rows)
	ADDQ(Imm(uint64(v.bytes())), t)
	SUBQ(Imm(uint64(v.lanes)), n)
	JG(LabelRef(loop))
	Label(end)
}

// mask selects the lanes of the last vector.
type mask struct {
	k reg.OpmaskVirtual // AVX-512
	y reg.VecVirtual    // AVX2
}

// vectors runs full for whole vectors of n ≥ 0 elements, part for the rest.
func (v isa) vectors(n reg.Register, full func(), part func(m mask)) {
	loop, rest, end := label("full"), label("rest"), label("end")
	SUBQ(Imm(uint64(v.lanes)), n)
	JL(LabelRef(rest))
	Label(loop)
	full()
	SUBQ(Imm(uint64(v.lanes)), n)
	JGE(LabelRef(loop))
	Label(rest)
	ADDQ(Imm(uint64(v.lanes)), n)
	JZ(LabelRef(end))
	var m mask
	if v.wide {
		all := GP32()
		MOVL(U32(0xff), all)
		BZHIL(n.(reg.GPVirtual).As32(), all, all)
		m.k = K()
		KMOVB(all, m.k)
	} else {
		p := GP64()
		LEAQ(tails(), p)
		m.y = YMM()
		NEGQ(n)
		VMOVUPD(Mem{Base: p, Index: n, Scale: 8, Disp: 32}, m.y)
	}
	part(m)
	Label(end)
}

// tails holds four words of ones, then four of zeros.
func tails() Mem {
	if !haveTails {
		haveTails = true
		tailsRef = GLOBL("tails", attr.RODATA|attr.NOPTR)
		for i := range 8 {
			w := uint64(0)
			if i < 4 {
				w = ^w
			}
			DATA(8*i, U64(w))
		}
	}
	return tailsRef
}

var (
	haveTails bool
	tailsRef  Mem
)

func (v isa) loadMasked(from Mem, m mask, to reg.VecVirtual) {
	if v.wide {
		VMOVUPD_Z(from, m.k, to)
	} else {
		VMASKMOVPD(from, m.y, to)
	}
}

// sums adds the lanes of each of the vectors, which it destroys; the result
// gives the c-th sum in the low lane of a register, each once.
func (v isa) sums(acc []reg.VecVirtual) func(c int) reg.VecVirtual {
	for _, s := range acc {
		if v.wide {
			half := YMM()
			VEXTRACTF64X4(Imm(1), s, half)
			VADDPD(half, s.AsY(), s.AsY())
		}
	}
	// Groups of four: their sums in the lanes of the first.
	for g := 0; g < len(acc); g += 4 {
		group := acc[g:min(g+4, len(acc))]
		pair := func(a, b reg.VecVirtual) { // a := sums of pairs of both, interleaved
			hi := YMM()
			VUNPCKHPD(b.AsY(), a.AsY(), hi)
			VUNPCKLPD(b.AsY(), a.AsY(), a.AsY())
			VADDPD(hi, a.AsY(), a.AsY())
		}
		switch len(group) {
		case 1, 2:
			pair(group[0], group[len(group)-1])
			hi := XMM()
			VEXTRACTF128(Imm(1), group[0].AsY(), hi)
			VADDPD(hi, group[0].AsX(), group[0].AsX())
		default:
			pair(group[0], group[1])
			pair(group[2], group[len(group)-1])
			swap, mix := YMM(), YMM()
			VPERM2F128(Imm(0x21), group[2].AsY(), group[0].AsY(), swap)
			VBLENDPD(Imm(0xc), group[2].AsY(), group[0].AsY(), mix)
			VADDPD(swap, mix, group[0].AsY())
		}
	}
	return func(c int) reg.VecVirtual {
		from := acc[c/4*4]
		x := from.AsX()
		if c%4 >= 2 {
			hi := XMM()
			VEXTRACTF128(Imm(1), from.AsY(), hi)
			x = hi
		}
		if c%2 == 1 {
			hi := XMM()
			VPERMILPD(Imm(1), x, hi)
			x = hi
		}
		return x.(reg.VecVirtual)
	}
}

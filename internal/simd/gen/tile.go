package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tile is an R-vector by n-column accumulator block; masked: the last vector
// of rows is under the row mask.
type tile struct {
	isa
	f      frame
	R, n   int
	masked bool
}

func (t tile) acc(r, j int) reg.VecPhysical { return t.reg(j*t.R + r) }

func (t tile) last(r int) bool { return t.masked && r == t.R-1 }

// product runs acc := ± Σ_p A(:,p) B(p,:), k from the argument at kArg.
func (t tile) product(negate bool) {
	for j := range t.n {
		for r := range t.R {
			t.zero(t.acc(r, j))
		}
	}
	MOVQ(rAblk, rA)
	MOVQ(t.f.bPan, rB0)
	if t.n > 4 {
		LEAQ(Mem{Base: rB0, Index: rCsb, Scale: 4}, rB4)
	}
	Load(Param("k"), rK)
	TESTQ(rK, rK)
	done, loop := newLabel("done"), newLabel("loop")
	JLE(LabelRef(done))
	if t.R == tileVectors && t.n == t.lanes && !t.masked {
		t.prefetchC()
	}
	Label(loop)
	for r := range t.R {
		m := Mem{Base: rA, Disp: r * t.bytes()}
		if t.last(r) {
			t.maskedLoad(t.f, m, t.avec(r))
		} else {
			VMOVUPD(m, t.avec(r))
		}
	}
	for j := range t.n {
		b := t.bvec(j)
		VBROADCASTSD(bAddr(j), b)
		for r := range t.R {
			if negate {
				VFNMADD231PD(b, t.avec(r), t.acc(r, j))
			} else {
				VFMADD231PD(b, t.avec(r), t.acc(r, j))
			}
		}
	}
	ADDQ(rLda, rA)
	ADDQ(rRsb, rB0)
	if t.n > 4 {
		ADDQ(rRsb, rB4)
	}
	DECQ(rK)
	JNZ(LabelRef(loop))
	Label(done)
}

// prefetchC asks for the tile's part of C while a long product runs.
func (t tile) prefetchC() {
	skip := newLabel("short")
	CMPQ(rK, Imm(prefetchFrom))
	JLT(LabelRef(skip))
	MOVQ(rCblk, rT)
	for j := range t.n {
		for d := 0; d < t.R*t.bytes(); d += 64 {
			PREFETCHT0(Mem{Base: rT, Disp: d})
		}
		PREFETCHT0(Mem{Base: rT, Disp: t.R*t.bytes() - 8})
		if j < t.n-1 {
			ADDQ(rLdc, rT)
		}
	}
	Label(skip)
}

// prefetchFrom is the inner dimension from which prefetching C pays.
const prefetchFrom = 32

// update writes C += alpha acc, or C = alpha acc in mode overwrite; the first
// vector of rows only at and below the diagonal if the frame says so.
func (t tile) update() {
	alpha := t.spare(0)
	VBROADCASTSD(mustAddr("alpha"), alpha)
	MOVQ(rCblk, rT)
	over, end := newLabel("over"), newLabel("stored")
	TESTQ(U32(modeOverwrite), mustAddr("mode"))
	JNZ(LabelRef(over))
	for _, add := range []bool{true, false} {
		if !add {
			Label(over)
			for j := range t.n {
				for r := range t.R {
					VMULPD(alpha, t.acc(r, j), t.acc(r, j))
				}
			}
		}
		full := newLabel("full")
		CMPQ(t.f.lower, Imm(0))
		JEQ(LabelRef(full))
		MOVQ(U32(0), t.f.lower)
		if t.wide {
			MOVL(U32(0xff), reg.ECX)
			KMOVW(reg.ECX, reg.K2)
			if t.last(0) {
				KMOVW(reg.K1, reg.K2)
			}
		}
		for j := range t.n {
			for r := range t.R {
				t.updateOne(r, j, add, r == 0)
			}
			if j < t.n-1 {
				ADDQ(rLdc, rT)
			}
		}
		JMP(LabelRef(end))
		Label(full)
		for j := range t.n {
			for r := range t.R {
				t.updateOne(r, j, add, false)
			}
			if j < t.n-1 {
				ADDQ(rLdc, rT)
			}
		}
		if add {
			JMP(LabelRef(end))
		}
	}
	Label(end)
}

// updateOne writes one vector of column j, at rT; diagonal: only lanes ≥ j.
func (t tile) updateOne(r, j int, add, diagonal bool) {
	alpha, tmp, mask := t.spare(0), t.spare(1), t.spare(2)
	acc, m := t.acc(r, j), Mem{Base: rT, Disp: r * t.bytes()}
	switch {
	case diagonal && t.wide:
		// K3 := lanes ≥ j of K2
		KSHIFTRW(Imm(uint64(j)), reg.K2, reg.K3)
		KSHIFTLW(Imm(uint64(j)), reg.K3, reg.K3)
		if add {
			VMOVUPD_Z(m, reg.K3, tmp)
			VFMADD213PD(tmp, alpha, acc)
		}
		VMOVUPD(acc, reg.K3, m)
	case diagonal:
		VMOVUPD(tails.Offset((t.lanes-j)*8), mask)
		if t.last(r) {
			VANDPD(t.f.rowMask, mask, mask)
		}
		if add {
			VMASKMOVPD(m, mask, tmp)
			VFMADD213PD(tmp, alpha, acc)
		}
		VMASKMOVPD(acc, mask, m)
	case t.last(r):
		if add {
			t.maskedLoad(t.f, m, tmp)
			VFMADD213PD(tmp, alpha, acc)
		}
		t.maskedStore(t.f, acc, m, mask)
	default:
		if add {
			VFMADD213PD(m, alpha, acc)
		}
		VMOVUPD(acc, m)
	}
}

// Bits of gemmBlock's mode.
const (
	modeLower     = 1
	modeOverwrite = 2
)

// addC adds C to the accumulators.
func (t tile) addC() {
	MOVQ(rCblk, rT)
	for j := range t.n {
		for r := range t.R {
			m := Mem{Base: rT, Disp: r * t.bytes()}
			if t.last(r) {
				t.maskedLoad(t.f, m, t.spare(0))
				VADDPD(t.spare(0), t.acc(r, j), t.acc(r, j))
			} else {
				VADDPD(m, t.acc(r, j), t.acc(r, j))
			}
		}
		if j < t.n-1 {
			ADDQ(rLdc, rT)
		}
	}
}

// store writes the accumulators to C; with lower the first vector of rows only
// at and below the diagonal.
func (t tile) store(lower bool) {
	MOVQ(rCblk, rT)
	for j := range t.n {
		for r := range t.R {
			m := Mem{Base: rT, Disp: r * t.bytes()}
			switch {
			case lower && r == 0 && t.wide:
				MOVL(U32(0xff<<j&0xff), reg.ECX)
				KMOVW(reg.ECX, reg.K3)
				if t.last(r) {
					KANDW(reg.K1, reg.K3, reg.K3)
				}
				VMOVUPD(t.acc(r, j), reg.K3, m)
			case lower && r == 0:
				VMOVUPD(tails.Offset((t.lanes-j)*8), t.spare(0))
				if t.last(r) {
					VANDPD(t.f.rowMask, t.spare(0), t.spare(0))
				}
				VMASKMOVPD(t.acc(r, j), t.spare(0), m)
			case t.last(r):
				t.maskedStore(t.f, t.acc(r, j), m, t.spare(0))
			default:
				VMOVUPD(t.acc(r, j), m)
			}
		}
		if j < t.n-1 {
			ADDQ(rLdc, rT)
		}
	}
}

// tri is element (i,j) of the packed triangle, recip(j) the reciprocal of its
// diagonal.
func (t tile) tri(i, j int) Mem { return t.f.tri.Offset((j*t.lanes + i) * 8) }

func (t tile) recip(j int) Mem { return t.f.tri.Offset((64 + j) * 8) }

// solve multiplies the accumulators by L⁻ᵀ (forward) or L⁻¹ from the right.
func (t tile) solve(forward bool) {
	s := 0
	tmp := func() reg.VecPhysical {
		s++
		return t.spare(s % (len(t.spares())))
	}
	for q := range t.n {
		if !forward {
			q = t.n - 1 - q
		}
		d := tmp()
		VBROADCASTSD(t.recip(q), d)
		for r := range t.R {
			VMULPD(d, t.acc(r, q), t.acc(r, q))
		}
		for j := range t.n {
			m := t.tri(j, q)
			if !forward {
				m = t.tri(q, j)
			}
			if forward && j <= q || !forward && j >= q {
				continue
			}
			l := tmp()
			VBROADCASTSD(m, l)
			for r := range t.R {
				VFNMADD231PD(l, t.acc(r, q), t.acc(r, j))
			}
		}
	}
}

func (t tile) spares() []int {
	if t.wide {
		return make([]int, 8)
	}
	return make([]int, 4)
}

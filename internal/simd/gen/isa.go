package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is one vector extension. A tile is 3 vectors of rows by lanes columns:
// 24×8 with AVX-512 (24 accumulators, 3 for A, 5 for B), 12×4 with AVX2 (12, 3
// and 1).
type isa struct {
	suffix string
	lanes  int
	wide   bool // AVX-512
}

var (
	avx512 = isa{"AVX512", 8, true}
	avx2   = isa{"AVX2", 4, false}
)

const tileVectors = 3

// General registers shared by all panel routines.
var (
	rA    = reg.RSI // walks A along k
	rLda  = reg.R8
	rB0   = reg.RDI // walks B along k, columns 0..3
	rB4   = reg.R9  // columns 4..7
	rRsb  = reg.R10
	rCsb  = reg.R11
	rCsb3 = reg.R12
	rK    = reg.RCX
	rAblk = reg.R13 // A and C of the row block
	rCblk = reg.R14
	rM    = reg.RBX // rows left
	rLdc  = reg.RDX
	rT    = reg.RAX
)

func (v isa) bytes() int { return v.lanes * 8 }

func (v isa) reg(i int) reg.VecPhysical {
	if v.wide {
		return [...]reg.VecPhysical{
			reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
			reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
			reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
			reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}[i]
	}
	return [...]reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
		reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15}[i]
}

// avec holds rows 8r.. (4r..) of the current column of A.
func (v isa) avec(r int) reg.VecPhysical { return v.reg(tileVectors*v.lanes + r) }

// bvec is a register for the broadcast of B(p,j); spare(i) are all registers
// outside the accumulators.
func (v isa) bvec(j int) reg.VecPhysical {
	if v.wide {
		return v.reg(27 + j%5)
	}
	return v.reg(15)
}

func (v isa) spare(i int) reg.VecPhysical { return v.reg(tileVectors*v.lanes + i) }

func (v isa) zero(r reg.VecPhysical) {
	if v.wide {
		VPXORQ(r, r, r)
	} else {
		VXORPD(r, r, r)
	}
}

// bAddr is the address of B(p,j).
func bAddr(j int) Mem {
	base := rB0
	if j >= 4 {
		base, j = rB4, j-4
	}
	switch j {
	case 1:
		return Mem{Base: base, Index: rCsb, Scale: 1}
	case 2:
		return Mem{Base: base, Index: rCsb, Scale: 2}
	case 3:
		return Mem{Base: base, Index: rCsb3, Scale: 1}
	}
	return Mem{Base: base}
}

// frame is the stack frame of a panel routine.
type frame struct {
	lower   Mem // int64: the next row block is on the diagonal
	nLeft   Mem // int64
	aPan    Mem // pointers of the column panel
	bPan    Mem
	cPan    Mem
	rowMask Mem // 64 bytes: lanes of the last vector (AVX2)
	tri     Mem // 64+8 float64: packed triangle, then reciprocals of its diagonal
}

func newFrame(tri bool) frame {
	n := 40 + 64
	if tri {
		n += 72 * 8
	}
	m := AllocLocal(n)
	f := frame{m, m.Offset(8), m.Offset(16), m.Offset(24), m.Offset(32), m.Offset(40), Mem{}}
	if tri {
		f.tri = m.Offset(104)
	}
	return f
}

// tables: lanes 0..q−1 set, at byte offset (lanes−q)*8 of "masks": lanes
// times −1 then lanes times 0; lanes ≥ j set, at (lanes−j)*8 of "tails".
var (
	masks, tails, index, ones Mem
)

func (v isa) tables() {
	masks = GLOBL("masks"+v.suffix, 8|16)
	for i := range 2 * v.lanes {
		x := uint64(0)
		if i < v.lanes {
			x = ^uint64(0)
		}
		DATA(i*8, U64(x))
	}
	tails = GLOBL("tails"+v.suffix, 8|16)
	for i := range 2 * v.lanes {
		x := ^uint64(0)
		if i < v.lanes {
			x = 0
		}
		DATA(i*8, U64(x))
	}
	index = GLOBL("index"+v.suffix, 8|16)
	for i := range 8 {
		DATA(i*8, U64(i))
	}
	ones = GLOBL("ones"+v.suffix, 8|16)
	DATA(0, F64(1))
}

// rowMask prepares the mask of the last vector of a tile for rM rows, R
// vectors: K1, or frame.rowMask. rM may exceed R*lanes: then all lanes.
func (v isa) setRowMask(f frame, R int) {
	MOVQ(rM, rT)
	SUBQ(Imm(uint64((R-1)*v.lanes)), rT)
	CMPQ(rT, Imm(uint64(v.lanes)))
	l := newLabel("rows")
	JLE(LabelRef(l))
	MOVQ(U32(uint32(v.lanes)), rT)
	Label(l)
	if v.wide {
		// K1 = (1 << rT) − 1
		MOVQ(rT, reg.RCX)
		MOVL(U32(1), reg.EAX)
		SHLL(reg.CL, reg.EAX)
		DECL(reg.EAX)
		KMOVW(reg.EAX, reg.K1)
		return
	}
	LEAQ(masks.Offset(v.bytes()), reg.RCX)
	SHLQ(Imm(3), rT)
	SUBQ(rT, reg.RCX)
	VMOVUPD(Mem{Base: reg.RCX}, v.reg(15))
	VMOVUPD(v.reg(15), f.rowMask)
}

var labels = map[string]int{}

func newLabel(s string) string {
	labels[s]++
	return s + itoa(labels[s])
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// maskedLoad loads under the row mask; with AVX2 the register serves as mask
// first.
func (v isa) maskedLoad(f frame, m Mem, dst reg.VecPhysical) {
	if v.wide {
		VMOVUPD_Z(m, reg.K1, dst)
		return
	}
	VMOVUPD(f.rowMask, dst)
	VMASKMOVPD(m, dst, dst)
}

// maskedStore stores under the row mask, tmp is clobbered (AVX2).
func (v isa) maskedStore(f frame, src reg.VecPhysical, m Mem, tmp reg.VecPhysical) {
	if v.wide {
		VMOVUPD(src, reg.K1, m)
		return
	}
	VMOVUPD(f.rowMask, tmp)
	VMASKMOVPD(src, tmp, m)
}

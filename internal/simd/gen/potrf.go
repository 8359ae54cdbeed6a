package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// factor factorizes the tile whose first vector of rows holds the diagonal
// block. The pivots come out of the square-root-free recurrence, whose chain
// from one pivot to the next is a division, a product and a sum; all roots are
// taken at once at the end. On a bad pivot it jumps to fail with the mask of
// good pivots in EAX.
func (t tile) factor(fail string) {
	if t.wide {
		t.factor512(fail)
	} else {
		t.factor2(fail)
	}
}

func (t tile) factor512(fail string) {
	piv, one, rcp := t.spare(0), t.spare(1), t.spare(2)
	tmp := func(i int) reg.VecPhysical { return t.spare(3 + i%3) }
	idx := func(i int) reg.VecPhysical { return t.spare(6 + i%2) }
	VBROADCASTSD(ones, one)
	VMOVAPD(one, piv)
	c := 0
	for j := range t.n {
		c++
		VPBROADCASTQ(index.Offset(8*j), idx(c))
		VPERMPD(t.acc(0, j), idx(c), rcp)
		MOVL(U32(1<<j), reg.ECX)
		KMOVW(reg.ECX, reg.K3)
		VMOVAPD(rcp, reg.K3, piv)
		if j == t.n-1 {
			break
		}
		VDIVPD(rcp, one, rcp)
		for q := j + 1; q < t.n; q++ {
			c++
			m := tmp(c)
			VPBROADCASTQ(index.Offset(8*q), idx(c))
			VPERMPD(t.acc(0, j), idx(c), m)
			VMULPD(rcp, m, m)
			for r := range t.R {
				VFNMADD231PD(m, t.acc(r, j), t.acc(r, q))
			}
		}
	}
	// least normal ≤ pivot < +Inf, ordered
	VPBROADCASTQ(limits, tmp(0))
	VCMPPD(Imm(0x1d), tmp(0), piv, reg.K3)
	VPBROADCASTQ(limits.Offset(8), tmp(1))
	VCMPPD(Imm(0x11), tmp(1), piv, reg.K4)
	KANDW(reg.K3, reg.K4, reg.K3)
	KMOVW(reg.K3, reg.EAX)
	CMPL(reg.EAX, U32(0xff))
	JNE(LabelRef(fail))
	VSQRTPD(piv, rcp)
	VDIVPD(rcp, one, rcp)
	VMOVUPD(rcp, t.f.tri.Offset(64*8))
	for j := range t.n {
		VPBROADCASTQ(index.Offset(8*j), idx(j))
		VPERMPD(rcp, idx(j), tmp(j))
		for r := range t.R {
			VMULPD(tmp(j), t.acc(r, j), t.acc(r, j))
		}
		VMOVUPD(t.acc(0, j), t.f.tri.Offset(64*j))
	}
}

func (t tile) factor2(fail string) {
	piv, rcp, m, one := t.spare(0), t.spare(1), t.spare(2), t.spare(3)
	VBROADCASTSD(ones, one)
	VMOVAPD(one, piv)
	for j := range t.n {
		VPERMPD(Imm(uint64(0x55*j)), t.acc(0, j), rcp)
		VBLENDPD(Imm(uint64(1<<j)), rcp, piv, piv)
		if j == t.n-1 {
			break
		}
		VDIVPD(rcp, one, rcp)
		for q := j + 1; q < t.n; q++ {
			VPERMPD(Imm(uint64(0x55*q)), t.acc(0, j), m)
			VMULPD(rcp, m, m)
			for r := range t.R {
				VFNMADD231PD(m, t.acc(r, j), t.acc(r, q))
			}
		}
	}
	VBROADCASTSD(limits, m)
	VCMPPD(Imm(0x1d), m, piv, rcp)
	VBROADCASTSD(limits.Offset(8), m)
	VCMPPD(Imm(0x11), m, piv, m)
	VANDPD(rcp, m, m)
	VMOVMSKPD(m, reg.EAX)
	CMPL(reg.EAX, Imm(0xf))
	JNE(LabelRef(fail))
	VSQRTPD(piv, rcp)
	VDIVPD(rcp, one, rcp)
	VMOVUPD(rcp, t.f.tri.Offset(64*8))
	for j := range t.n {
		VPERMPD(Imm(uint64(0x55*j)), rcp, m)
		for r := range t.R {
			VMULPD(m, t.acc(r, j), t.acc(r, j))
		}
		VMOVUPD(t.acc(0, j), t.f.tri.Offset(t.bytes()*j))
	}
}

// limits: the least normal number, +Inf.
var limits Mem

// potrf emits potrfPanel.
func (v isa) potrf() {
	limits = GLOBL("limits"+v.suffix, 8|16)
	DATA(0, U64(0x0010000000000000))
	DATA(8, U64(0x7ff0000000000000))
	TEXT("potrfPanel"+v.suffix, 0, "func(m, n, k int, a *float64, lda int) int")
	Doc("potrfPanel" + v.suffix + " is potrfPanelGo.")
	Pragma("noescape")
	f := newFrame(true)
	Load(Param("n"), rT)
	MOVQ(rT, f.nLeft)
	Load(Param("a"), rAblk)
	MOVQ(rAblk, f.bPan)
	toBytes("lda", rLda)
	MOVQ(rLda, rLdc)
	MOVQ(rLda, rRsb)
	MOVQ(U32(8), rCsb)
	MOVQ(U32(24), rCsb3)
	Load(Param("k"), rK)
	IMULQ(rLda, rK)
	LEAQ(Mem{Base: rAblk, Index: rK, Scale: 1}, rCblk)
	Load(Param("m"), rM)
	pan, end, fail := newLabel("panel"), newLabel("end"), newLabel("fail")
	label := func(n int) string { return pan + "n" + itoa(n) }
	v.branchN(f, label)
	JMP(LabelRef(end))
	for n := v.lanes; n >= 1; n-- {
		Label(label(n))
		two, one, rest := newLabel("first2"), newLabel("first1"), newLabel("rest")
		CMPQ(rM, Imm(uint64(v.lanes)))
		JLE(LabelRef(one))
		CMPQ(rM, Imm(uint64(2*v.lanes)))
		JLE(LabelRef(two))
		for R := 3; R >= 1; R-- {
			switch R {
			case 2:
				Label(two)
			case 1:
				Label(one)
			}
			v.setRowMask(f, R)
			t := tile{v, f, R, n, true}
			t.product(true)
			t.addC()
			t.factor(fail)
			t.store(true)
			if R == 3 {
				ADDQ(Imm(uint64(3*v.bytes())), rAblk)
				ADDQ(Imm(uint64(3*v.bytes())), rCblk)
				SUBQ(Imm(uint64(3*v.lanes)), rM)
				JG(LabelRef(rest))
			}
			JMP(LabelRef(end))
		}
		Label(rest)
		v.rows(f, n, false, func(t tile) {
			t.product(true)
			t.addC()
			t.solve(true)
			t.store(false)
		})
		JMP(LabelRef(end))
	}
	Label(end)
	VZEROUPPER()
	MOVQ(I32(-1), rT)
	Store(rT, ReturnIndex(0))
	RET()
	Label(fail)
	VZEROUPPER()
	NOTL(reg.EAX)
	BSFL(reg.EAX, reg.EAX)
	MOVLQSX(reg.EAX, rT)
	Store(rT, ReturnIndex(0))
	RET()
}

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// expPoly approximates (eʳ − 1 − r)/r² for |r| ≤ ln2/2 and atanhPoly
// (2 atanh(√u)/√u − 2)/u for u ≤ 1/9, by interpolation in Chebyshev nodes; the
// relative errors of eʳ and atanh are 4e-19 and 3e-18 before rounding.
var (
	expPoly = []float64{
		0x1.0000000000000p-1, 0x1.5555555555557p-3, 0x1.5555555555556p-5, 0x1.11111111100dcp-7,
		0x1.6c16c16c162d4p-10, 0x1.a01a01abe7fe1p-13, 0x1.a01a01a6d889cp-16, 0x1.71de0231960ebp-19,
		0x1.27e4db646b17ep-22, 0x1.af4de97ca4194p-26, 0x1.1f730349868cep-29}
	atanhPoly = []float64{
		0x1.5555555555555p-1, 0x1.9999999999944p-2, 0x1.2492492499d46p-2, 0x1.c71c71bedea97p-3,
		0x1.745d19937b1fcp-3, 0x1.3b13515f6f9efp-3, 0x1.111abdc8abe16p-3, 0x1.e0a2d581ab68fp-4,
		0x1.bc37f0140c19ep-4, 0x1.32e0d25c9c761p-4, 0x1.401d3e65cdc48p-3}
)

const (
	ln2Hi = 0x1.62e42fefa39efp-1
	ln2Lo = 0x1.abc9e3b39803fp-56
	magic = 0x1.8p52
)

// constants is a table of float64 in read-only memory.
type constants struct {
	base Mem
	at   map[uint64]int
}

func (v isa) constants(name string, values ...float64) constants {
	c := constants{GLOBL(name+v.suffix, 8|16), map[uint64]int{}}
	for _, x := range values {
		b := math.Float64bits(x)
		if _, ok := c.at[b]; !ok {
			c.at[b] = len(c.at)
			DATA(8*c.at[b], U64(b))
		}
	}
	return c
}

func (c constants) mem(x float64) Mem { return c.base.Offset(8 * c.at[math.Float64bits(x)]) }

// bcast loads x into every lane of dst.
func (v isa) bcast(c constants, x float64, dst reg.VecPhysical) { VBROADCASTSD(c.mem(x), dst) }

// exp replaces register x by eˣ; registers 8..15 are clobbered except those
// below 8.
func (v isa) exp(c constants, x reg.VecPhysical) {
	t, n, r, q, u := v.reg(8), v.reg(9), v.reg(10), v.reg(11), v.reg(12)
	// A NaN passes both: it is the second source.
	v.bcast(c, 710, t)
	VMINPD(x, t, x)
	v.bcast(c, -746, t)
	VMAXPD(x, t, x)
	v.bcast(c, math.Log2E, t)
	VMULPD(t, x, n)
	if v.wide {
		VRNDSCALEPD(Imm(8), n, n)
	} else {
		VROUNDPD(Imm(8), n, n)
	}
	v.bcast(c, ln2Hi, t)
	VMOVAPD(x, r)
	VFNMADD231PD(t, n, r)
	v.bcast(c, ln2Lo, t)
	VFNMADD231PD(t, n, r)
	v.poly(c, expPoly, r, q, t)
	VMULPD(r, r, u)
	VFMADD213PD(r, u, q) // q = q u + r
	v.bcast(c, 1, t)
	VADDPD(t, q, q)
	if v.wide {
		VSCALEFPD(n, q, x)
		return
	}
	// 2ⁿ as 2^h 2^(n−h)
	h := v.reg(13)
	v.bcast(c, 0.5, t)
	VMULPD(t, n, h)
	VROUNDPD(Imm(8), h, h)
	VSUBPD(h, n, n)
	one := v.reg(14)
	v.bcast(c, 1, one)
	v.bcast(c, magic, t)
	for _, e := range []reg.VecPhysical{h, n} {
		VADDPD(t, e, e)
		VPSLLQ(Imm(52), e, e)
		VPADDQ(one, e, e)
		VMULPD(e, q, q)
	}
	VMOVAPD(q, x)
}

// poly evaluates the polynomial at r into q by Horner's rule.
func (v isa) poly(c constants, p []float64, r, q, t reg.VecPhysical) {
	v.bcast(c, p[len(p)-1], q)
	for i := len(p) - 2; i >= 0; i-- {
		if v.wide {
			VFMADD213PD_BCST(c.mem(p[i]), r, q)
		} else {
			v.bcast(c, p[i], t)
			VFMADD213PD(t, r, q)
		}
	}
}

// negAbs puts −|x| into dst.
func (v isa) negAbs(c constants, x, dst reg.VecPhysical) {
	v.bcast(c, math.Copysign(0, -1), dst)
	if v.wide {
		VPORQ(x, dst, dst)
	} else {
		VORPD(x, dst, dst)
	}
}

func (v isa) elementwise(name, doc string, c constants, body func(x reg.VecPhysical)) {
	TEXT(name+v.suffix, attrNOSPLIT, "func(n int, dst, x *float64)")
	Doc(name + v.suffix + " sets dst(i) = " + doc + ".")
	Pragma("noescape")
	Load(Param("n"), reg.RBX)
	Load(Param("dst"), reg.RDI)
	Load(Param("x"), reg.RSI)
	loop, rest, done := newLabel("loop"), newLabel("rest"), newLabel("done")
	x := v.reg(0)
	Label(loop)
	CMPQ(reg.RBX, Imm(uint64(v.lanes)))
	JLT(LabelRef(rest))
	VMOVUPD(Mem{Base: reg.RSI}, x)
	body(x)
	VMOVUPD(x, Mem{Base: reg.RDI})
	ADDQ(Imm(uint64(v.bytes())), reg.RSI)
	ADDQ(Imm(uint64(v.bytes())), reg.RDI)
	SUBQ(Imm(uint64(v.lanes)), reg.RBX)
	JMP(LabelRef(loop))
	Label(rest)
	TESTQ(reg.RBX, reg.RBX)
	JLE(LabelRef(done))
	MOVQ(reg.RBX, rT)
	v.laneMask(0)
	v.loadLanes(Mem{Base: reg.RSI}, 0, x)
	body(x)
	if v.wide {
		VMOVUPD(x, kreg(0), Mem{Base: reg.RDI})
	} else {
		VMASKMOVPD(x, v.reg(15), Mem{Base: reg.RDI})
	}
	Label(done)
	VZEROUPPER()
	RET()
}

func (v isa) math() {
	values := append([]float64{710, -746, math.Log2E, ln2Hi, ln2Lo, 1, 0.5, 2, magic, math.Copysign(0, -1)}, expPoly...)
	c := v.constants("expConst", append(values, atanhPoly...)...)
	v.elementwise("exp", "eˣ", c, func(x reg.VecPhysical) { v.exp(c, x) })
	v.elementwise("logistic", "1/(1+e⁻ˣ)", c, func(x reg.VecPhysical) {
		keep, one := v.reg(1), v.reg(2)
		VMOVAPD(x, keep)
		v.negAbs(c, keep, x)
		v.exp(c, x)
		v.bcast(c, 1, one)
		VADDPD(one, x, v.reg(3))
		// numerator: 1, or e^x where x < 0
		if v.wide {
			VPMOVQ2M(keep, reg.K3)
			VMOVAPD(x, reg.K3, one)
		} else {
			VBLENDVPD(keep, x, one, one)
		}
		VDIVPD(v.reg(3), one, x)
	})
	v.elementwise("log1pExp", "log(1+eˣ)", c, func(x reg.VecPhysical) {
		keep, two, s, u, p, t := v.reg(1), v.reg(2), v.reg(3), v.reg(4), v.reg(5), v.reg(8)
		VMOVAPD(x, keep)
		v.negAbs(c, keep, x)
		v.exp(c, x)
		// log1p(e) = 2 atanh(s), s = e/(2+e)
		v.bcast(c, 2, two)
		VADDPD(x, two, s)
		VDIVPD(s, x, s)
		VMULPD(s, s, u)
		v.poly(c, atanhPoly, u, p, t)
		VMULPD(s, u, u)
		VADDPD(s, s, s)
		VFMADD213PD(s, u, p) // p = p u + 2s
		v.zero(t)
		VMAXPD(t, keep, keep)
		VADDPD(p, keep, x)
	})
}

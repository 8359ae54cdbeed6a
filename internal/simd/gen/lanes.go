package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The routines of package batch work on element vectors: eight numbers, one of
// each instance, at a stride of 64 bytes. AVX-512 takes all eight at once, AVX2
// four; its dispatcher calls twice.

const laneStride = 64

// lanesText begins a routine; gp loads a parameter.
func (v isa) lanesText(name, signature, doc string) {
	TEXT(name+v.suffix, attrNOSPLIT, signature)
	Doc(name + v.suffix + " is " + name + "Go" + doc + ".")
	Pragma("noescape")
}

func gp(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

func copied(r reg.GPVirtual) reg.GPVirtual {
	c := GP64()
	MOVQ(r, c)
	return c
}

func next(rs ...reg.GPVirtual) {
	for _, r := range rs {
		ADDQ(Imm(laneStride), r)
	}
}

func at(r reg.GPVirtual) Mem { return Mem{Base: r} }

// count runs body with c = from, from−1, …, 1; from is kept.
func count(from reg.GPVirtual, body func(c reg.GPVirtual)) {
	c := copied(from)
	loop, done := newLabel("loop"), newLabel("done")
	TESTQ(c, c)
	JLE(LabelRef(done))
	Label(loop)
	body(c)
	DECQ(c)
	JNZ(LabelRef(loop))
	Label(done)
}

// stream runs body for element vectors at byte offsets 0, 64, … of n of them.
func stream(n reg.GPVirtual, body func(off reg.GPVirtual)) {
	off, end := GP64(), copied(n)
	XORQ(off, off)
	loop, done := newLabel("loop"), newLabel("done")
	SHLQ(Imm(6), end)
	TESTQ(end, end)
	JLE(LabelRef(done))
	Label(loop)
	body(off)
	ADDQ(Imm(laneStride), off)
	CMPQ(off, end)
	JLT(LabelRef(loop))
	Label(done)
}

func idx(base, off reg.GPVirtual) Mem { return Mem{Base: base, Index: off, Scale: 1} }

// addScaled adds s x to y over n element vectors.
func (v isa) addScaled(n, y, x reg.GPVirtual, s, t reg.VecPhysical) {
	stream(n, func(off reg.GPVirtual) {
		VMOVUPD(idx(y, off), t)
		VFMADD231PD(idx(x, off), s, t)
		VMOVUPD(t, idx(y, off))
	})
}

// advance adds n element vectors to r.
func advance(r, n reg.GPVirtual) {
	t := copied(n)
	SHLQ(Imm(6), t)
	ADDQ(t, r)
}

func (v isa) one(c constants, dst reg.VecPhysical) { v.bcast(c, 1, dst) }

func (v isa) endLanes() {
	VZEROUPPER()
	RET()
}

func (v isa) batch() {
	values := append([]float64{710, -746, math.Log2E, ln2Hi, ln2Lo, 1, 0.5, 2, 4, 0.25, 1.5, -1.5, 1e-20, magic, math.Copysign(0, -1)}, expPoly...)
	c := v.constants("laneConst", append(values, lambdaPoly...)...)
	v.laneFactor(c)
	v.laneInvert()
	v.laneMoments()
	v.laneInverse()
	v.laneResistances(c)
	v.laneSpread()
	v.laneOthers()
	v.laneEdges()
	v.laneGauss(c)
	v.laneSitesJJ(c)
	v.laneChangeJJ(c)
	v.laneNewtonJJ(c)
	v.laneSolveLDL(c)
	v.laneStepJJ(c)
}

func (v isa) laneFactor(c constants) {
	v.lanesText("factor", "func(n int, w, r, d, inv *float64)", "")
	m, w, r, d, inv := gp("n"), gp("w"), gp("r"), gp("d"), gp("inv")
	rk, sum, q, s, t := v.reg(0), v.reg(1), v.reg(2), v.reg(3), v.reg(4)
	column, done := newLabel("column"), newLabel("done")
	TESTQ(m, m)
	JLE(LabelRef(done))
	Label(column)
	DECQ(m) // rows below the diagonal
	VMOVUPD(at(r), rk)
	VMOVAPD(rk, sum)
	stream(m, func(off reg.GPVirtual) { VADDPD(idx(w, off), sum, sum) })
	VMOVUPD(sum, at(d))
	v.one(c, q)
	VDIVPD(sum, q, q)
	VMOVUPD(q, at(inv))
	next(r, d, inv)
	dst, rj := copied(w), copied(r)
	advance(dst, m)
	count(m, func(left reg.GPVirtual) {
		VMULPD(at(w), q, s)
		VMOVUPD(s, at(w))
		next(w)
		VMOVUPD(at(rj), t)
		VFMADD231PD(rk, s, t)
		VMOVUPD(t, at(rj))
		next(rj)
		n := copied(left)
		DECQ(n)
		v.addScaled(n, dst, w, s, t)
		advance(dst, n)
	})
	TESTQ(m, m)
	JNZ(LabelRef(column))
	Label(done)
	v.endLanes()
}

func (v isa) laneInvert() {
	v.lanesText("invert", "func(n int, x *float64)", "")
	m, x := gp("n"), gp("x")
	s, t := v.reg(0), v.reg(1)
	column, done := newLabel("column"), newLabel("done")
	Label(column)
	DECQ(m)
	CMPQ(m, Imm(1))
	JLE(LabelRef(done))
	src := copied(x)
	advance(src, m)
	n := copied(m)
	DECQ(n)
	count(n, func(left reg.GPVirtual) {
		VMOVUPD(at(x), s)
		next(x)
		v.addScaled(left, x, src, s, t)
		advance(src, left)
	})
	next(x)
	JMP(LabelRef(column))
	Label(done)
	v.endLanes()
}

func (v isa) laneMoments() {
	v.lanesText("moments", "func(n int, x, inv, b, s *float64)", "")
	n, x0, inv, b0, s0 := gp("n"), gp("x"), gp("inv"), gp("b"), gp("s")
	s, t, u, e := v.reg(0), v.reg(1), v.reg(2), v.reg(3)
	// b := X b, from the last column on since X is explicit
	x, b, m, below := copied(n), copied(b0), GP64(), GP64()
	DECQ(x)
	IMULQ(n, x)
	SHLQ(Imm(5), x)
	ADDQ(x0, x)
	advance(b, n)
	XORQ(m, m)
	count(n, func(reg.GPVirtual) {
		back := copied(m)
		SHLQ(Imm(6), back)
		SUBQ(back, x)
		MOVQ(b, below)
		SUBQ(Imm(laneStride), b)
		VMOVUPD(at(b), s)
		v.addScaled(m, below, x, s, t)
		INCQ(m)
	})
	stream(n, func(off reg.GPVirtual) {
		VMOVUPD(idx(b0, off), t)
		VMULPD(idx(inv, off), t, t)
		VMOVUPD(t, idx(b0, off))
	})
	MOVQ(x0, x)
	MOVQ(b0, b)
	count(n, func(left reg.GPVirtual) {
		m := copied(left)
		DECQ(m)
		VMOVUPD(at(b), e)
		VMOVUPD(at(inv), s)
		next(b, inv)
		stream(m, func(off reg.GPVirtual) {
			VMOVUPD(idx(x, off), t)
			VFMADD231PD(idx(b, off), t, e)
			VMULPD(idx(inv, off), t, u)
			VFMADD231PD(t, u, s)
		})
		VMOVUPD(e, Mem{Base: b, Disp: -laneStride})
		VMOVUPD(s, at(s0))
		next(s0)
		advance(x, m)
	})
	v.endLanes()
}

func (v isa) laneInverse() {
	v.lanesText("inverse", "func(n int, x, inv, s, z, work *float64)", "")
	n, x, inv, s, z, work := gp("n"), gp("x"), gp("inv"), gp("s"), gp("z"), gp("work")
	diag, t, u, acc := v.reg(0), v.reg(1), v.reg(2), v.reg(3)
	count(n, func(left reg.GPVirtual) {
		m := copied(left)
		DECQ(m)
		VMOVUPD(at(inv), diag)
		next(inv)
		// work = inv∘X(:,j), the diagonal on the way
		stream(m, func(off reg.GPVirtual) {
			VMOVUPD(idx(x, off), t)
			VMULPD(idx(inv, off), t, u)
			VMOVUPD(u, idx(work, off))
			VFMADD231PD(t, u, diag)
		})
		VMOVUPD(diag, at(s))
		next(s)
		advance(x, m)
		xi, y := copied(x), copied(work)
		count(m, func(rows reg.GPVirtual) {
			k := copied(rows)
			DECQ(k)
			VMOVUPD(at(y), acc)
			next(y)
			stream(k, func(off reg.GPVirtual) {
				VMOVUPD(idx(xi, off), t)
				VFMADD231PD(idx(y, off), t, acc)
			})
			VMOVUPD(acc, at(z))
			next(z)
			advance(xi, k)
		})
	})
	v.endLanes()
}

func (v isa) laneResistances(c constants) {
	v.lanesText("resistances", "func(n int, x, inv, r *float64)", "")
	n, x, inv, r := gp("n"), gp("x"), gp("inv"), gp("r")
	before, one, t, u, acc := v.reg(0), v.reg(1), v.reg(2), v.reg(3), v.reg(4)
	v.one(c, one)
	count(n, func(left reg.GPVirtual) {
		m := copied(left)
		DECQ(m)
		VMOVUPD(at(inv), before)
		next(inv)
		xi, xj, di := copied(x), copied(x), copied(inv)
		advance(xi, m)
		count(m, func(rows reg.GPVirtual) {
			k := copied(rows)
			DECQ(k)
			VMOVUPD(at(xj), t)
			next(xj)
			VSUBPD(t, one, u)
			VMULPD(u, u, u)
			VMOVAPD(before, acc)
			VFMADD231PD(at(di), u, acc)
			VMULPD(t, t, t)
			VFMADD231PD(at(di), t, before)
			next(di)
			stream(k, func(off reg.GPVirtual) {
				VMOVUPD(idx(xi, off), t)
				VSUBPD(idx(xj, off), t, t)
				VMULPD(idx(di, off), t, u)
				VFMADD231PD(t, u, acc)
			})
			VMOVUPD(acc, at(r))
			next(r)
			advance(xi, k)
		})
		MOVQ(xj, x)
	})
	v.endLanes()
}

func (v isa) laneSpread() {
	v.lanesText("spread", "func(n int, scale float64, z, a, h *float64)", "")
	n, z, a, h := gp("n"), gp("z"), gp("a"), gp("h")
	scale, aj, hj, d, t := v.reg(0), v.reg(1), v.reg(2), v.reg(3), v.reg(4)
	VBROADCASTSD(mustAddr("scale"), scale)
	stream(n, func(off reg.GPVirtual) {
		v.zero(t)
		VMOVUPD(t, idx(h, off))
	})
	count(n, func(left reg.GPVirtual) {
		m := copied(left)
		DECQ(m)
		VMOVUPD(at(a), aj)
		VMOVUPD(at(h), hj)
		next(a, h)
		stream(m, func(off reg.GPVirtual) {
			VMOVUPD(idx(a, off), d)
			VSUBPD(aj, d, d)
			VMULPD(idx(z, off), d, d)
			VADDPD(d, hj, hj)
			VMOVUPD(idx(h, off), t)
			VSUBPD(d, t, t)
			VMOVUPD(t, idx(h, off))
		})
		VMULPD(scale, hj, hj)
		VMOVUPD(hj, Mem{Base: h, Disp: -laneStride})
		advance(z, m)
	})
	v.endLanes()
}

func (v isa) laneOthers() {
	v.lanesText("others", "func(n int, z, x, y *float64)", "")
	n, z, x, y := gp("n"), gp("z"), gp("x"), gp("y")
	xj, yj, a, t := v.reg(0), v.reg(1), v.reg(2), v.reg(3)
	stream(n, func(off reg.GPVirtual) {
		v.zero(t)
		VMOVUPD(t, idx(y, off))
	})
	count(n, func(left reg.GPVirtual) {
		m := copied(left)
		DECQ(m)
		VMOVUPD(at(x), xj)
		VMOVUPD(at(y), yj)
		next(x, y)
		stream(m, func(off reg.GPVirtual) {
			VMOVUPD(idx(z, off), a)
			VFMADD231PD(idx(x, off), a, yj)
			VMOVUPD(idx(y, off), t)
			VFMADD231PD(a, xj, t)
			VMOVUPD(t, idx(y, off))
		})
		VMOVUPD(yj, Mem{Base: y, Disp: -laneStride})
		advance(z, m)
	})
	v.endLanes()
}

func (v isa) laneEdges() {
	v.lanesText("edges", "func(n int, e, x, rp, rs, q *float64)", "")
	n, e, x, rp, rs, q := gp("n"), gp("e"), gp("x"), gp("rp"), gp("rs"), gp("q")
	ej, xj, t, u := v.reg(0), v.reg(1), v.reg(2), v.reg(3)
	count(n, func(left reg.GPVirtual) {
		m := copied(left)
		DECQ(m)
		VMOVUPD(at(e), ej)
		VMOVUPD(at(x), xj)
		next(e, x)
		stream(m, func(off reg.GPVirtual) {
			VMOVUPD(idx(e, off), t)
			VSUBPD(ej, t, t)
			VMOVUPD(idx(x, off), u)
			VSUBPD(xj, u, u)
			VMULPD(t, u, u)
			VMOVUPD(idx(rp, off), t)
			VSUBPD(idx(rs, off), t, t)
			VADDPD(t, u, u)
			VADDPD(idx(q, off), u, u)
			VMOVUPD(u, idx(q, off))
		})
		advance(rp, m)
		advance(rs, m)
		advance(q, m)
	})
	v.endLanes()
}

func (v isa) laneGauss(c constants) {
	v.lanesText("gauss", "func(n int, mu, e, tau, nu, fac, d, inv, m, sum, prod *float64)", "")
	n, mu, e, tau, nu, fac, d, inv, m, sum, prod := gp("n"), gp("mu"), gp("e"), gp("tau"), gp("nu"), gp("fac"), gp("d"), gp("inv"), gp("m"), gp("sum"), gp("prod")
	acc, p, a, b, t := v.reg(0), v.reg(1), v.reg(2), v.reg(3), v.reg(4)
	v.zero(acc)
	v.one(c, p)
	stream(n, func(off reg.GPVirtual) {
		VMOVUPD(idx(mu, off), a)
		VADDPD(idx(e, off), a, b)
		VMOVUPD(b, idx(m, off))
		// ν(μ+m) − (μτ)m
		VADDPD(b, a, t)
		VFMADD231PD(idx(nu, off), t, acc)
		VMULPD(idx(tau, off), a, a)
		VFNMADD231PD(a, b, acc)
		VMULPD(idx(fac, off), p, p)
		VMOVUPD(idx(d, off), t)
		VMULPD(idx(inv, off), t, t)
		VMULPD(t, p, p)
		// Every eighth factor the product starts anew.
		skip := newLabel("skip")
		o := copied(off)
		ANDQ(U32(7*laneStride), o)
		CMPQ(o, U32(7*laneStride))
		JNE(LabelRef(skip))
		VMOVUPD(p, at(prod))
		next(prod)
		v.one(c, p)
		Label(skip)
	})
	VMOVUPD(acc, at(sum))
	VMOVUPD(p, at(prod))
	v.endLanes()
}

// lambdaPoly is tanh(ξ/2)/(4ξ) in powers of ξ², as in package special.
var lambdaPoly = []float64{0.125, -1.0 / 96, 1.0 / 960, -17.0 / 161280, 31.0 / 2903040, -691.0 / 638668800,
	5461.0 / 49816166400, -929569.0 / 83691159552000, 3202291.0 / 2845499424768000,
	-221930581.0 / 1946321606541312000, 4722116521.0 / 408727537373675520000}

func (v isa) laneSitesJJ(c constants) {
	v.lanesText("sitesJJ", "func(n int, base float64, t, mask, mu, nu, tau, r, b, fac, root, sum *float64)", "")
	n, tt, mask, mu, nu, tau, r, b, fac, root, sum := gp("n"), gp("t"), gp("mask"), gp("mu"), gp("nu"), gp("tau"), gp("r"), gp("b"), gp("fac"), gp("root"), gp("sum")
	// 8..14 are scratch of exp; base and sum live in memory, for AVX2's sake.
	e, xi, p, lam, u, s, w := v.reg(0), v.reg(1), v.reg(2), v.reg(3), v.reg(4), v.reg(5), v.reg(6)
	k, one := v.reg(8), v.reg(9)
	v.zero(s)
	VMOVUPD(s, at(sum))
	stream(n, func(off reg.GPVirtual) {
		VSQRTPD(idx(tt, off), xi)
		v.bcast(c, math.Copysign(0, -1), e)
		VXORPD(xi, e, e)
		v.exp(c, e)
		v.one(c, one)
		VADDPD(e, one, p)
		// λ = (1−e)/((1+e)4ξ), or its series below ξ = ½
		VSUBPD(e, one, lam)
		VMULPD(xi, p, u)
		VDIVPD(u, one, u) // 1/(pξ)
		VMULPD(u, lam, lam)
		v.bcast(c, 0.25, k)
		VMULPD(k, lam, lam)
		VMOVUPD(idx(tt, off), s)
		v.poly(c, lambdaPoly, s, w, v.reg(10))
		if v.wide {
			VCMPPD(Imm(1), k, s, reg.K1) // t < ¼
			VMOVAPD(w, reg.K1, lam)
		} else {
			VCMPPD(Imm(1), k, s, k)
			VBLENDVPD(k, w, lam, lam)
		}
		// √max(λ − e/(2p²), 0), λ' up to a factor
		VMULPD(xi, u, u)
		VMULPD(u, u, u)
		VMULPD(e, u, u)
		v.bcast(c, 0.5, k)
		VMOVAPD(lam, w)
		VFNMADD231PD(k, u, w)
		v.zero(u)
		VMAXPD(w, u, w)
		VSQRTPD(w, w)
		VMULPD(idx(mask, off), w, w)
		VMOVUPD(w, idx(root, off))
		// λt − ξ/2
		VMULPD(lam, s, s)
		VFNMADD231PD(k, xi, s)
		VMULPD(idx(mask, off), s, s)
		VADDPD(at(sum), s, s)
		VMOVUPD(s, at(sum))
		// (1+e)², 1 without label
		VMULPD(idx(mask, off), e, e)
		VADDPD(one, e, e)
		VMULPD(e, e, e)
		VMOVUPD(e, idx(fac, off))
		VADDPD(lam, lam, lam)
		VMULPD(idx(mask, off), lam, lam)
		VMOVUPD(lam, idx(tau, off))
		VBROADCASTSD(mustAddr("base"), u)
		VADDPD(lam, u, u)
		VMOVUPD(u, idx(r, off))
		VMOVUPD(idx(nu, off), u)
		VFNMADD231PD(idx(mu, off), lam, u)
		VMOVUPD(u, idx(b, off))
	})
	v.endLanes()
}

func (v isa) laneChangeJJ(c constants) {
	v.lanesText("changeJJ", "func(n int, t, mask, m, s, image, ell, change *float64)", "")
	n, tt, mask, m, s, g, ell, change := gp("n"), gp("t"), gp("mask"), gp("m"), gp("s"), gp("image"), gp("ell"), gp("change")
	top, a, b, u, w, sign, bad := v.reg(0), v.reg(1), v.reg(2), v.reg(3), v.reg(4), v.reg(5), v.reg(6)
	v.zero(top)
	v.zero(bad)
	v.bcast(c, math.Copysign(0, -1), sign)
	stream(n, func(off reg.GPVirtual) {
		VMOVUPD(idx(m, off), a)
		VMOVUPD(idx(s, off), u)
		VFMADD231PD(a, a, u)
		VMOVUPD(u, idx(g, off))
		VMOVUPD(idx(tt, off), b)
		VADDPD(b, u, w)
		VSUBPD(b, u, u)
		VADDPD(u, u, u)
		VDIVPD(w, u, u)
		VMULPD(idx(mask, off), u, u)
		VMOVUPD(u, idx(ell, off))
		VANDNPD(u, sign, u)
		VMAXPD(u, top, top)
		v.keepNaN(u, w, bad)
	})
	VADDPD(bad, top, top)
	VMOVUPD(top, at(change))
	v.endLanes()
}

// keepNaN adds 0·x to bad, for a minimum or maximum that would lose a NaN.
func (v isa) keepNaN(x, t, bad reg.VecPhysical) {
	v.zero(t)
	VFMADD231PD(x, t, bad)
}

func (v isa) laneNewtonJJ(c constants) {
	v.lanesText("newtonJJ", "func(n int, z, s, m, image, ell, root, h, diag, y *float64)", "")
	n, z, s, m, g, ell, root, h, diag, y := gp("n"), gp("z"), gp("s"), gp("m"), gp("image"), gp("ell"), gp("root"), gp("h"), gp("diag"), gp("y")
	bj, mj, a, t, u, two := v.reg(0), v.reg(1), v.reg(2), v.reg(3), v.reg(4), v.reg(5)
	v.bcast(c, 2, two)
	count(n, func(left reg.GPVirtual) {
		k := copied(left)
		DECQ(k)
		VMOVUPD(at(root), bj)
		VMOVUPD(at(m), mj)
		VADDPD(mj, mj, mj)
		// g − B²s(s + 2m²)
		VMOVUPD(at(s), a)
		VMOVAPD(a, t)
		VFMADD231PD(at(m), mj, t)
		VMULPD(t, a, t)
		VMULPD(bj, bj, u)
		VMOVUPD(at(g), a)
		VFNMADD231PD(t, u, a)
		VMOVUPD(a, at(diag))
		// right-hand side B g ℓ
		VMOVUPD(at(g), a)
		VMULPD(at(ell), a, a)
		VMULPD(bj, a, a)
		VMOVUPD(a, at(y))
		next(root, m, s, g, diag, ell, y)
		v.bcast(c, math.Copysign(0, -1), u)
		VXORPD(u, bj, bj)
		stream(k, func(off reg.GPVirtual) {
			VMOVUPD(idx(z, off), a)
			VMOVAPD(a, t)
			VFMADD231PD(idx(m, off), mj, t)
			VMULPD(t, a, a)
			VMULPD(bj, a, a)
			VMULPD(idx(root, off), a, a)
			VMOVUPD(a, idx(h, off))
		})
		advance(z, k)
		advance(h, k)
	})
	v.endLanes()
}

// solveLDL factorizes a symmetric matrix, diagonal apart, and solves in place.
func (v isa) laneSolveLDL(c constants) {
	v.lanesText("solveLDL", "func(n int, h, diag, y, least *float64)", "")
	n, h0, diag, y0, least := gp("n"), gp("h"), gp("diag"), gp("y"), gp("least")
	low, q, s, t, yk, u, bad := v.reg(0), v.reg(1), v.reg(2), v.reg(3), v.reg(4), v.reg(5), v.reg(6)
	VMOVUPD(at(diag), low)
	v.zero(bad)
	h, y := copied(h0), copied(y0)
	count(n, func(left reg.GPVirtual) {
		m := copied(left)
		DECQ(m)
		VMOVUPD(at(diag), t)
		VMINPD(t, low, low)
		v.keepNaN(t, q, bad)
		v.one(c, q)
		VDIVPD(t, q, q)
		VMOVUPD(at(y), yk)
		VMULPD(q, yk, u)
		VMOVUPD(u, at(y))
		next(diag, y)
		dst, dj, yj := copied(h), copied(diag), copied(y)
		advance(dst, m)
		count(m, func(rows reg.GPVirtual) {
			VMOVUPD(at(h), u)
			VMULPD(q, u, s)
			VMOVUPD(s, at(h))
			next(h)
			VMOVUPD(at(dj), t)
			VFNMADD231PD(s, u, t)
			VMOVUPD(t, at(dj))
			VMOVUPD(at(yj), t)
			VFNMADD231PD(s, yk, t)
			VMOVUPD(t, at(yj))
			next(dj, yj)
			k := copied(rows)
			DECQ(k)
			stream(k, func(off reg.GPVirtual) {
				VMOVUPD(idx(dst, off), t)
				VFNMADD231PD(idx(h, off), s, t)
				VMOVUPD(t, idx(dst, off))
			})
			advance(dst, k)
		})
	})
	VADDPD(bad, low, low)
	VMOVUPD(low, at(least))
	// Backwards: h and y stand behind the last column.
	m := GP64()
	XORQ(m, m)
	count(n, func(reg.GPVirtual) {
		SUBQ(Imm(laneStride), y)
		back := copied(m)
		SHLQ(Imm(6), back)
		SUBQ(back, h)
		VMOVUPD(at(y), t)
		stream(m, func(off reg.GPVirtual) {
			VMOVUPD(idx(h, off), u)
			VFNMADD231PD(Mem{Base: y, Index: off, Scale: 1, Disp: laneStride}, u, t)
		})
		VMOVUPD(t, at(y))
		INCQ(m)
	})
	v.endLanes()
}

func (v isa) laneStepJJ(c constants) {
	v.lanesText("stepJJ", "func(n int, y, root, image, active, newton, t *float64)", "")
	n, y, root, g, active, newton, tt := gp("n"), gp("y"), gp("root"), gp("image"), gp("active"), gp("newton"), gp("t")
	a, d, up, x, two, ma, mn, k := v.reg(0), v.reg(1), v.reg(2), v.reg(3), v.reg(4), v.reg(5), v.reg(6), v.reg(7)
	v.bcast(c, 2, two)
	VMOVUPD(at(active), ma)
	VMOVUPD(at(newton), mn)
	if v.wide {
		VPMOVQ2M(ma, reg.K1)
		VPMOVQ2M(mn, reg.K2)
	}
	stream(n, func(off reg.GPVirtual) {
		v.bcast(c, 1e-20, k)
		VMAXPD(idx(root, off), k, k)
		VMOVUPD(idx(y, off), d)
		VDIVPD(k, d, d)
		v.bcast(c, 1.5, k)
		VMINPD(d, k, d)
		v.bcast(c, -1.5, k)
		VMAXPD(d, k, d)
		VMOVUPD(idx(tt, off), x)
		VADDPD(d, two, up)
		VSUBPD(d, two, d)
		VMULPD(x, up, up)
		VDIVPD(d, up, up)
		VMOVUPD(idx(g, off), a)
		if v.wide {
			VMOVAPD(up, reg.K2, a)
			VMOVAPD(a, reg.K1, x)
		} else {
			VBLENDVPD(mn, up, a, a)
			VBLENDVPD(ma, a, x, x)
		}
		VMOVUPD(x, idx(tt, off))
	})
	v.endLanes()
}

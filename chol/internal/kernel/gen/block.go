package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// permuteAhead is how many elements permute looks ahead: so many reads are under
// way at the same time.
const permuteAhead = 128

// permute emits dst[k] = src[at[k]], k < n, n a positive multiple of 8; at goes on
// for permuteAhead.
func (v isa) permute() {
	TEXT("permute"+v.suffix, attr.NOSPLIT, "func(n int, at *int32, src, dst *float64)")
	Doc("permute" + v.suffix + " sets dst[k] = src[at[k]] for k < n, a positive multiple of 8.")
	Pragma("noescape")
	n, at := Load(Param("n"), GP64()), Load(Param("at"), GP64())
	src, dst := Load(Param("src"), GP64()), Load(Param("dst"), GP64())
	loop := label("loop")
	Label(loop)
	for k := 0; k < 8; k += 2 {
		var from, ahead [2]reg.GPVirtual
		for i := range 2 {
			from[i], ahead[i] = GP64(), GP64()
			MOVLQSX(Mem{Base: at, Disp: 4 * (k + i)}, from[i])
			MOVLQSX(Mem{Base: at, Disp: 4 * (k + i + permuteAhead)}, ahead[i])
			PREFETCHT0(Mem{Base: src, Index: ahead[i], Scale: 8})
		}
		x := XMM()
		VMOVSD(Mem{Base: src, Index: from[0], Scale: 8}, x)
		VMOVHPD(Mem{Base: src, Index: from[1], Scale: 8}, x, x)
		VMOVUPD(x, Mem{Base: dst, Disp: 8 * k})
	}
	ADDQ(Imm(32), at)
	ADDQ(Imm(64), dst)
	SUBQ(Imm(8), n)
	JG(LabelRef(loop))
	RET()
}

// transpose emits the transposition of an 8×8 block given by the offsets of
// its rows in src and of its columns in dst (AVX-512). While it goes, it
// prefetches eight lines. stream: past the caches.
func (v isa) transpose(stream bool) {
	name := "transpose"
	if stream {
		name = "transposeStream"
	}
	TEXT(name+v.suffix, attr.NOSPLIT, "func(src *float64, from *int, dst *float64, to *int, next *float64, ahead *int)")
	Doc(name + v.suffix + " transposes an 8×8 block.")
	Pragma("noescape")
	src, from := Load(Param("src"), GP64()), Load(Param("from"), GP64())
	dst, to := Load(Param("dst"), GP64()), Load(Param("to"), GP64())
	next, ahead := Load(Param("next"), GP64()), Load(Param("ahead"), GP64())
	at := GP64()
	var x, a [8]reg.VecVirtual
	for i := range 8 {
		x[i] = ZMM()
		MOVQ(Mem{Base: ahead, Disp: 8 * i}, at)
		PREFETCHT0(Mem{Base: next, Index: at, Scale: 8})
		MOVQ(Mem{Base: from, Disp: 8 * i}, at)
		VMOVUPD(Mem{Base: src, Index: at, Scale: 8}, x[i])
	}
	for i := 0; i < 8; i += 2 {
		a[i], a[i+1] = ZMM(), ZMM()
		VUNPCKLPD(x[i+1], x[i], a[i])
		VUNPCKHPD(x[i+1], x[i], a[i+1])
	}
	store := func(k int, z reg.VecVirtual) {
		MOVQ(Mem{Base: to, Disp: 8 * k}, at)
		if stream {
			VMOVNTPD(z, Mem{Base: dst, Index: at, Scale: 8})
		} else {
			VMOVUPD(z, Mem{Base: dst, Index: at, Scale: 8})
		}
	}
	for odd := range 2 {
		for half, imm := range []uint64{0x88, 0xdd} {
			c0, c1, lo, hi := ZMM(), ZMM(), ZMM(), ZMM()
			VSHUFF64X2(Imm(imm), a[2+odd], a[odd], c0)
			VSHUFF64X2(Imm(imm), a[6+odd], a[4+odd], c1)
			VSHUFF64X2(Imm(0x88), c1, c0, lo)
			VSHUFF64X2(Imm(0xdd), c1, c0, hi)
			store(odd+2*half, lo)
			store(odd+2*half+4, hi)
		}
	}
	VZEROUPPER()
	RET()
}

// addRows emits the addition of rows of nb numbers through relative indices.
func (v isa) addRows() {
	TEXT("addRows"+v.suffix, attr.NOSPLIT, "func(nb, r int, rel *int32, c, x *float64, w int, u *float64)")
	Doc("addRows" + v.suffix + " is addRowsGo for nb a multiple of 8.")
	Pragma("noescape")
	r, rel := Load(Param("r"), GP64()), Load(Param("rel"), GP64())
	c, x := Load(Param("c"), GP64()), Load(Param("x"), GP64())
	w, u := Load(Param("w"), GP64()), Load(Param("u"), GP64())
	nb := Load(Param("nb"), GP64())
	SHLQ(Imm(3), nb)
	back := GP64() // u − w rows
	MOVQ(w, back)
	IMULQ(nb, back)
	SUBQ(back, u)
	d, k := GP64(), GP64()
	row, col, end := label("row"), label("col"), label("end")
	TESTQ(r, r)
	JZ(LabelRef(end))
	Label(row)
	MOVLQSX(Mem{Base: rel}, d)
	base := GP64()
	MOVQ(u, base)
	CMPQ(d, w)
	CMOVQLT(x, base)
	IMULQ(nb, d)
	ADDQ(base, d)
	MOVQ(nb, k)
	Label(col)
	for i := range 64 / v.bytes() {
		t := v.vec()
		VMOVUPD(Mem{Base: c, Disp: i * v.bytes()}, t)
		VADDPD(Mem{Base: d, Disp: i * v.bytes()}, t, t)
		VMOVUPD(t, Mem{Base: d, Disp: i * v.bytes()})
	}
	ADDQ(Imm(64), c)
	ADDQ(Imm(64), d)
	SUBQ(Imm(64), k)
	JNZ(LabelRef(col))
	ADDQ(Imm(4), rel)
	DECQ(r)
	JNZ(LabelRef(row))
	Label(end)
	VZEROUPPER()
	RET()
}

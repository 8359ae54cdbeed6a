package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// subGemm emits C −= A B for C with exactly 8·vectors rows, stored densely
// (leading dimension the number of rows, as A's), B by strides. Six columns of
// C at a time, then fewer.
func (v isa) subGemm(vectors int) {
	name := fmt.Sprintf("subGemm%d%s", vectors*v.lanes, v.suffix)
	TEXT(name, attr.NOSPLIT, "func(n, k int, a, b *float64, rsb, csb int, c *float64)")
	Doc(name + " is subGemmGo for that many rows.")
	Pragma("noescape")
	n := Load(Param("n"), GP64())
	b := Load(Param("b"), GP64())
	rsb := Load(Param("rsb"), GP64())
	csb := Load(Param("csb"), GP64())
	c := Load(Param("c"), GP64())
	SHLQ(Imm(3), rsb)
	SHLQ(Imm(3), csb)
	csb3 := GP64()
	LEAQ(Mem{Base: csb, Index: csb, Scale: 2}, csb3)
	a, b0, b3, k := GP64(), GP64(), GP64(), GP64()
	row := vectors * v.bytes()
	for _, cols := range []int{6, 4, 2, 1} {
		top, loop, end := label("top"), label("loop"), label("end")
		Label(top)
		CMPQ(n, Imm(uint64(cols)))
		JL(LabelRef(end))
		acc := make([][]reg.VecVirtual, cols)
		for j := range cols {
			acc[j] = make([]reg.VecVirtual, vectors)
			for i := range vectors {
				acc[j][i] = v.vec()
				VMOVUPD(Mem{Base: c, Disp: j*row + i*v.bytes()}, acc[j][i])
			}
		}
		Load(Param("a"), a)
		Load(Param("k"), k)
		MOVQ(b, b0)
		LEAQ(Mem{Base: b, Index: csb3, Scale: 1}, b3)
		Label(loop)
		var av []reg.VecVirtual
		for i := range vectors {
			x := v.vec()
			VMOVUPD(Mem{Base: a, Disp: i * v.bytes()}, x)
			av = append(av, x)
		}
		for j := range cols {
			base := b0
			if j >= 3 {
				base = b3
			}
			m := Mem{Base: base}
			if j%3 > 0 {
				m.Index, m.Scale = csb, uint8(j%3)
			}
			x := v.vec()
			VBROADCASTSD(m, x)
			for i := range vectors {
				VFNMADD231PD(x, av[i], acc[j][i])
			}
		}
		ADDQ(U32(uint32(row)), a)
		ADDQ(rsb, b0)
		if cols > 3 {
			ADDQ(rsb, b3)
		}
		DECQ(k)
		JNZ(LabelRef(loop))
		for j := range cols {
			for i := range vectors {
				VMOVUPD(acc[j][i], Mem{Base: c, Disp: j*row + i*v.bytes()})
			}
		}
		ADDQ(U32(uint32(cols*row)), c)
		for range cols / 3 {
			ADDQ(csb3, b)
		}
		for range cols % 3 {
			ADDQ(csb, b)
		}
		SUBQ(Imm(uint64(cols)), n)
		JMP(LabelRef(top))
		Label(end)
	}
	VZEROUPPER()
	RET()
}

// transpose emits the transposition of an 8×8 block given by the offsets of
// its rows in src and of its columns in dst (AVX-512).
func (v isa) transpose() {
	TEXT("transpose"+v.suffix, attr.NOSPLIT, "func(src *float64, from *int, dst *float64, to *int)")
	Doc("transpose" + v.suffix + " is transposeGo.")
	Pragma("noescape")
	src, from := Load(Param("src"), GP64()), Load(Param("from"), GP64())
	dst, to := Load(Param("dst"), GP64()), Load(Param("to"), GP64())
	at := GP64()
	var x, a [8]reg.VecVirtual
	for i := range 8 {
		x[i] = ZMM()
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
		VMOVUPD(z, Mem{Base: dst, Index: at, Scale: 8})
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

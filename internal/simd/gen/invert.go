package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// invert emits invertLower. The rows of the inverse are solved for in blocks of
// a vector's lanes, in registers; those of block b have b+1 vectors that are
// not zero.
func (v isa) invert() {
	identity := GLOBL("identity"+v.suffix, 8|16)
	for i := range v.lanes {
		for j := range v.lanes {
			x := 0.0
			if i == j {
				x = 1
			}
			DATA(8*(i*v.lanes+j), F64(x))
		}
	}
	vec := func() reg.VecVirtual {
		if v.wide {
			return ZMM()
		}
		return YMM()
	}
	zero := func() reg.VecVirtual {
		z := vec()
		VXORPD(z, z, z)
		return z
	}
	TEXT("invertLower"+v.suffix, 4, "func(n int, l *float64, ldl int, t *float64, ldt int)")
	Doc("invertLower" + v.suffix + " is invertLowerGo for n ≤ MR.")
	Pragma("noescape")
	n, l, ldl := Load(Param("n"), GP64()), Load(Param("l"), GP64()), Load(Param("ldl"), GP64())
	t, ldt := Load(Param("t"), GP64()), Load(Param("ldt"), GP64())
	SHLQ(Imm(3), ldl)
	SHLQ(Imm(3), ldt)
	end := newLabel("inverted")
	row, above := GP64(), GP64() // the next row of the result; a row above
	MOVQ(t, row)
	var next [tileVectors]string
	for b := range next {
		next[b] = newLabel("block")
	}
	for b := range tileVectors {
		Label(next[b])
		for size := v.lanes; size >= 1; size-- {
			other := newLabel("size")
			if size == v.lanes {
				CMPQ(n, Imm(uint64((b+1)*size)))
				JL(LabelRef(other))
			} else if size > 1 {
				CMPQ(n, Imm(uint64(b*v.lanes+size)))
				JNE(LabelRef(other))
			}
			acc := make([][]reg.VecVirtual, size)
			for i := range acc {
				for range b {
					acc[i] = append(acc[i], zero())
				}
				x := vec()
				VMOVUPD(identity.Offset(i*v.bytes()), x)
				acc[i] = append(acc[i], x)
			}
			// Rows above, then the triangle.
			p := GP64()
			LEAQ(Mem{Base: l, Disp: b * v.bytes()}, p)
			if b > 0 {
				loop := newLabel("above")
				k := GP64()
				MOVQ(U32(uint32(b*v.lanes)), k)
				MOVQ(t, above)
				Label(loop)
				for i := range acc {
					m := vec()
					VBROADCASTSD(Mem{Base: p, Disp: 8 * i}, m)
					for q := range b {
						VFNMADD231PD(Mem{Base: above, Disp: q * v.bytes()}, m, acc[i][q])
					}
				}
				ADDQ(ldl, p)
				ADDQ(ldt, above)
				DECQ(k)
				JNZ(LabelRef(loop))
			}
			one := XMM()
			VMOVSD(ones, one)
			for i := range acc {
				inv := vec()
				VDIVSD(Mem{Base: p, Disp: 8 * i}, one, inv.AsX())
				VBROADCASTSD(inv.AsX(), inv)
				for q := range acc[i] {
					VMULPD(inv, acc[i][q], acc[i][q])
					VMOVUPD(acc[i][q], Mem{Base: row, Disp: q * v.bytes()})
				}
				for j := i + 1; j < size; j++ {
					m := vec()
					VBROADCASTSD(Mem{Base: p, Disp: 8 * j}, m)
					for q := range acc[i] {
						VFNMADD231PD(acc[i][q], m, acc[j][q])
					}
				}
				if i < size-1 {
					ADDQ(ldl, p)
				}
				ADDQ(ldt, row)
			}
			if size < v.lanes || b+1 == tileVectors {
				JMP(LabelRef(end))
				Label(other)
				continue
			}
			// Zeros right of the block, if there is a next one.
			CMPQ(n, Imm(uint64((b+1)*v.lanes)))
			JE(LabelRef(end))
			z, q := zero(), GP64()
			for e := b + 1; e < tileVectors; e++ {
				if e > b+1 {
					CMPQ(n, Imm(uint64(e*v.lanes)))
					JLE(LabelRef(next[b+1]))
				}
				MOVQ(row, q)
				for range size {
					SUBQ(ldt, q)
					VMOVUPD(z, Mem{Base: q, Disp: e * v.bytes()})
				}
			}
			JMP(LabelRef(next[b+1]))
			Label(other)
		}
	}
	Label(end)
	VZEROUPPER()
	RET()
}

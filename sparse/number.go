package sparse

import (
	"math"
	"strconv"
	"unsafe"
)

// scanIndex reads decimal digits at s[p:]. It returns the position after them,
// or p itself if there are none; values beyond int become math.MaxInt.
func scanIndex(s []byte, p int) (v, next int) {
	for next = p; next < len(s); next++ {
		d := s[next] - '0'
		if d > 9 {
			break
		}
		if v <= (math.MaxInt-9)/10 {
			v = v*10 + int(d)
		} else {
			v = math.MaxInt
		}
	}
	return v, next
}

// pow10 holds the powers of ten that float64 represents exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// scanFloat reads a decimal number at s[p:], correctly rounded, and returns
// the position after it; ok is false if there is none. NaN, ±Inf and values
// beyond float64 come back as such, for the caller to refuse.
//
// A mantissa below 2^53 and a power of ten up to 22 are both exact in float64,
// so one multiplication or division rounds correctly (Clinger 1990); anything
// else goes to strconv.
func scanFloat(s []byte, p int) (v float64, next int, ok bool) {
	i, neg := p, false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	var mant uint64
	first, exp := i, 0
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		mant = mant*10 + uint64(s[i]-'0')
	}
	digits := i - first
	if i < len(s) && s[i] == '.' {
		i++
		dot := i
		for ; i < len(s) && s[i]-'0' <= 9; i++ {
			mant = mant*10 + uint64(s[i]-'0')
		}
		exp = dot - i
		digits += i - dot
	}
	if digits == 0 || digits > 19 || mant >= 1<<53 || exp < -22 || i < len(s) && !isDelimiter(s[i]) {
		return slowFloat(s, p)
	}
	v = float64(mant) / pow10[-exp]
	if neg {
		v = -v
	}
	return v, i, true
}

func isDelimiter(c byte) bool { return c == ' ' || c == '\t' || c == ',' }

// slowFloat takes exponents, long mantissas, NaN and Inf, but not the other
// forms that Go knows (hexadecimal, underscores).
func slowFloat(s []byte, p int) (v float64, next int, ok bool) {
	next = p
	for next < len(s) && !isDelimiter(s[next]) {
		if c := s[next] | 0x20; c == 'x' || c == 'p' || s[next] == '_' {
			return 0, p, false
		}
		next++
	}
	if next == p {
		return 0, p, false
	}
	token := s[p:next]
	v, err := strconv.ParseFloat(unsafe.String(&token[0], len(token)), 64)
	if err != nil && v == 0 {
		return 0, p, false // syntax; a range error leaves ±Inf
	}
	return v, next, true
}

package batch

import (
	"math"
	"unsafe"
)

type lanes = [Lanes]float64

// rows returns consecutive element vectors as arrays; n is not negative.
func rows(p *float64, n int) []lanes {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*lanes)(unsafe.Pointer(p)), n)
}

func addScaled(y, x []lanes, s *lanes) {
	x = x[:len(y)]
	for i := range y {
		for q := range Lanes {
			y[i][q] += s[q] * x[i][q]
		}
	}
}

func factorGo(n int, wp, rp, dp, invp *float64) {
	w, r, d, inv := rows(wp, Triangle(n)), rows(rp, n), rows(dp, n), rows(invp, n)
	for k := range n {
		m := n - 1 - k
		col, rest := w[:m], w[m:]
		d[k] = r[k]
		for i := range col {
			for q := range Lanes {
				d[k][q] += col[i][q]
			}
		}
		for q := range Lanes {
			inv[k][q] = 1 / d[k][q]
		}
		for j := range col {
			var s lanes
			for q := range Lanes {
				s[q] = col[j][q] * inv[k][q]
				r[k+1+j][q] += s[q] * r[k][q]
			}
			col[j] = s
			addScaled(rest[:m-1-j], col[j+1:], &s)
			rest = rest[m-1-j:]
		}
		w = w[m:]
	}
}

func invertGo(n int, xp *float64) {
	x := rows(xp, Triangle(n))
	for m := n - 1; m > 0; m-- {
		col, src := x[:m], x[m:]
		for k := range m - 1 {
			s := col[k]
			addScaled(col[k+1:], src, &s)
			src = src[m-1-k:]
		}
		x = x[m:]
	}
}

func momentsGo(n int, xp, invp, bp, sp *float64) {
	x, inv, b, s := rows(xp, Triangle(n)), rows(invp, n), rows(bp, n), rows(sp, n)
	end := len(x)
	for j := n - 1; j >= 0; j-- { // b := X b, from the last column on since X is explicit
		end -= n - 1 - j
		addScaled(b[j+1:], x[end:], &b[j])
	}
	for i := range b {
		for q := range Lanes {
			b[i][q] *= inv[i][q]
		}
	}
	for j := range n {
		s[j] = inv[j]
		for i := j + 1; i < n; i++ {
			v := &x[i-j-1]
			for q := range Lanes {
				b[j][q] += v[q] * b[i][q]
				s[j][q] += v[q] * (v[q] * inv[i][q])
			}
		}
		x = x[n-1-j:]
	}
}

func inverseGo(n int, xp, invp, sp, zp, workp *float64) {
	x, inv, s, z, work := rows(xp, Triangle(n)), rows(invp, n), rows(sp, n), rows(zp, Triangle(n)), rows(workp, n)
	for j := range n {
		m := n - 1 - j
		s[j] = inv[j]
		for i, v := range x[:m] {
			for q := range Lanes {
				work[i][q] = v[q] * inv[j+1+i][q]
				s[j][q] += v[q] * work[i][q]
			}
		}
		x = x[m:]
		src := x
		for i := range m {
			z[i] = work[i]
			for k, v := range src[:m-1-i] {
				for q := range Lanes {
					z[i][q] += v[q] * work[i+1+k][q]
				}
			}
			src = src[m-1-i:]
		}
		z = z[m:]
	}
}

func resistancesGo(n int, xp, invp, rp *float64) {
	x, inv, r := rows(xp, Triangle(n)), rows(invp, n), rows(rp, Triangle(n))
	for j := range n {
		m := n - 1 - j
		before := inv[j]
		xj, src := x[:m], x[m:]
		for i := range m {
			di, len := &inv[j+1+i], m-1-i
			for q := range Lanes {
				v := xj[i][q]
				r[i][q] = before[q] + (1-v)*(1-v)*di[q]
				before[q] += v * v * di[q]
			}
			for k, v := range src[:len] {
				for q := range Lanes {
					d := v[q] - xj[i+1+k][q]
					r[i][q] += d * (d * inv[j+2+i+k][q])
				}
			}
			src = src[len:]
		}
		x, r = x[m:], r[m:]
	}
}

func spreadGo(n int, scale float64, zp, ap, hp *float64) {
	z, a, h := rows(zp, Triangle(n)), rows(ap, n), rows(hp, n)
	clear(h)
	for j := range n {
		for i := j + 1; i < n; i++ {
			v := &z[i-j-1]
			for q := range Lanes {
				d := v[q] * (a[i][q] - a[j][q])
				h[j][q] += d
				h[i][q] -= d
			}
		}
		for q := range Lanes {
			h[j][q] *= scale
		}
		z = z[n-1-j:]
	}
}

func othersGo(n int, zp, xp, yp *float64) {
	z, x, y := rows(zp, Triangle(n)), rows(xp, n), rows(yp, n)
	clear(y)
	for j := range n {
		for i := j + 1; i < n; i++ {
			v := &z[i-j-1]
			for q := range Lanes {
				y[j][q] += v[q] * x[i][q]
				y[i][q] += v[q] * x[j][q]
			}
		}
		z = z[n-1-j:]
	}
}

func edgesGo(n int, ep, xp, rpp, rsp, qp *float64) {
	e, x, out := rows(ep, n), rows(xp, n), rows(qp, Triangle(n))
	rp, rs := rows(rpp, Triangle(n)), rows(rsp, Triangle(n))
	k := 0
	for j := range n {
		for i := j + 1; i < n; i++ {
			for q := range Lanes {
				out[k][q] += (e[i][q]-e[j][q])*(x[i][q]-x[j][q]) + (rp[k][q] - rs[k][q])
			}
			k++
		}
	}
}

func gaussGo(n int, mup, ep, taup, nup, facp, dp, invp, mp, sump, prodp *float64) {
	mu, e, tau, nu, m := rows(mup, n), rows(ep, n), rows(taup, n), rows(nup, n), rows(mp, n)
	fac, d, inv := rows(facp, n), rows(dp, n), rows(invp, n)
	sum, prod := rows(sump, 1), rows(prodp, Chunks(n))
	sum[0] = lanes{}
	for c := range prod {
		for q := range Lanes {
			prod[c][q] = 1
		}
	}
	for i := range n {
		p := &prod[i/Chunk]
		for q := range Lanes {
			u := mu[i][q]
			v := u + e[i][q]
			m[i][q] = v
			sum[0][q] += nu[i][q]*(u+v) - u*tau[i][q]*v
			p[q] *= fac[i][q]
			p[q] *= d[i][q] * inv[i][q]
		}
	}
}

func sitesJJGo(n int, base float64, tp, maskp, mup, nup, taup, rp, bp, facp, rootp, sump *float64) {
	t, mask, mu, nu := rows(tp, n), rows(maskp, n), rows(mup, n), rows(nup, n)
	tau, r, b, fac, root, sum := rows(taup, n), rows(rp, n), rows(bp, n), rows(facp, n), rows(rootp, n), rows(sump, 1)
	sum[0] = lanes{}
	for i := range n {
		for q := range Lanes {
			x := t[i][q]
			xi := math.Sqrt(x)
			e := math.Exp(-xi)
			p := 1 + e
			var lambda float64
			if x < 0.25 {
				for k := len(lambdaSeries) - 1; k >= 0; k-- {
					lambda = lambda*x + lambdaSeries[k]
				}
			} else {
				lambda = (1 - e) / (p * xi) * 0.25
			}
			on := mask[i][q]
			sum[0][q] += on * (lambda*x - 0.5*xi)
			root[i][q] = on * math.Sqrt(math.Max(0, lambda-0.5*e/(p*p)))
			fac[i][q] = (1 + on*e) * (1 + on*e)
			tau[i][q] = on * (2 * lambda)
			r[i][q] = base + tau[i][q]
			b[i][q] = nu[i][q] - tau[i][q]*mu[i][q]
		}
	}
}

// lambdaSeries holds tanh(ξ/2)/(4ξ) in powers of ξ², as of special.Lambda.
var lambdaSeries = [...]float64{0.125, -1.0 / 96, 1.0 / 960, -17.0 / 161280, 31.0 / 2903040, -691.0 / 638668800,
	5461.0 / 49816166400, -929569.0 / 83691159552000, 3202291.0 / 2845499424768000,
	-221930581.0 / 1946321606541312000, 4722116521.0 / 408727537373675520000}

func changeJJGo(n int, tp, maskp, mp, sp, gp, ellp, changep *float64) {
	t, mask, m, s, g, ell := rows(tp, n), rows(maskp, n), rows(mp, n), rows(sp, n), rows(gp, n), rows(ellp, n)
	change := rows(changep, 1)
	change[0] = lanes{}
	for i := range n {
		for q := range Lanes {
			v := s[i][q] + m[i][q]*m[i][q]
			g[i][q] = v
			ell[i][q] = 2 * (v - t[i][q]) / (v + t[i][q]) * mask[i][q]
			change[0][q] = math.Max(change[0][q], math.Abs(ell[i][q]))
		}
	}
}

func newtonJJGo(n int, zp, sp, mp, gp, ellp, rootp, hp, diagp, yp *float64) {
	z, h := rows(zp, Triangle(n)), rows(hp, Triangle(n))
	s, m, g, ell, root := rows(sp, n), rows(mp, n), rows(gp, n), rows(ellp, n), rows(rootp, n)
	diag, y := rows(diagp, n), rows(yp, n)
	k := 0
	for j := range n {
		for q := range Lanes {
			b, mj := root[j][q], m[j][q]
			diag[j][q] = g[j][q] - b*b*(s[j][q]*(s[j][q]+2*mj*mj))
			y[j][q] = b * (g[j][q] * ell[j][q])
		}
		for i := j + 1; i < n; i++ {
			for q := range Lanes {
				v := z[k][q]
				h[k][q] = -root[j][q] * (v * (v + 2*m[i][q]*m[j][q])) * root[i][q]
			}
			k++
		}
	}
}

func solveLDLGo(n int, hp, diagp, yp, leastp *float64) {
	h, diag, y, least := rows(hp, Triangle(n)), rows(diagp, n), rows(yp, n), rows(leastp, 1)
	least[0] = diag[0]
	rest := h
	for k := range n {
		m := n - 1 - k
		col := rest[:m]
		rest = rest[m:]
		dst := rest
		yk := y[k]
		var inv lanes
		for q := range Lanes {
			least[0][q] = math.Min(least[0][q], diag[k][q])
			inv[q] = 1 / diag[k][q]
			y[k][q] *= inv[q]
		}
		for j := range col {
			var s lanes
			for q := range Lanes {
				c := col[j][q]
				s[q] = -c * inv[q]
				diag[k+1+j][q] += s[q] * c
				y[k+1+j][q] += s[q] * yk[q]
			}
			addScaled(dst[:m-1-j], col[j+1:], &s)
			dst = dst[m-1-j:]
			for q := range Lanes {
				col[j][q] = -s[q]
			}
		}
	}
	end := len(h)
	for k := n - 2; k >= 0; k-- {
		end -= n - 1 - k
		for i, v := range h[end:][:n-1-k] {
			for q := range Lanes {
				y[k][q] -= v[q] * y[k+1+i][q]
			}
		}
	}
}

func stepJJGo(n int, yp, rootp, gp, activep, newtonp, tp *float64) {
	y, root, g, t := rows(yp, n), rows(rootp, n), rows(gp, n), rows(tp, n)
	active, newton := rows(activep, 1)[0], rows(newtonp, 1)[0]
	for i := range n {
		for q := range Lanes {
			switch {
			case !(active[q] < 0):
			case newton[q] < 0:
				d := math.Max(-1.5, math.Min(1.5, y[i][q]/math.Max(1e-20, root[i][q])))
				t[i][q] = t[i][q] * (2 + d) / (2 - d)
			default:
				t[i][q] = g[i][q]
			}
		}
	}
}

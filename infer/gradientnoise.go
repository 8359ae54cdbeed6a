package infer

// keepNoise stores what the probes of the approximate factors of P and A say,
// each for itself, of the bias of one instance's traces: it is what is random in
// the gradient. Nothing is kept with exact factors.
func (st *siteState) keepNoise(po *posterior) {
	if len(po.labelled) == 0 || po.field.exact() {
		st.noise = st.noise[:0]
		return
	}
	st.noise = grow(st.noise, len(po.missing))
	for i, v := range po.missing {
		st.noise[i] = po.pr.missing[i] - v
	}
}

// GradientCovTo writes the covariance, (2K+L+2)² row-major, that the probes of
// approximate factors give the gradient of the last evaluation; it returns false,
// and zeros, if that gradient was exact up to the tolerance of its solves.
//
// The gradient's traces tr(A_k(Σ − S)) are those with restricted inverses plus
// the mean of the estimates d_q of their bias, one from each of N probes, the same
// for all instances, d_q being their sum. Its covariance is
//
//	Σ_q (d_q − d̄)(d_q − d̄)'/(N(N−2)),
//
// two degrees of freedom having gone into d̄ and the probes' control variate.
//
// Where the estimates are shrunk because they say little (see missing), the
// gradient's error is the bias, which is then of this size at most, and usually
// less.
func (ev *Evaluator) GradientCovTo(cov []float64) bool {
	clear(cov)
	K, L := ev.d.K, ev.d.NumGraphs()
	dim := GradientLen(K, L)
	sum := make([]float64, traceProbes*(1+L))
	random := false
	for j := range ev.states {
		noise := ev.states[j].noise
		if len(noise) == 0 {
			continue
		}
		for i, v := range noise {
			sum[i] += v
			random = random || v != 0
		}
	}
	if !random {
		return false
	}
	small := make([]float64, (1+L)*(1+L))
	for k := range 1 + L {
		a := sum[k*traceProbes : (k+1)*traceProbes]
		for l := range 1 + L {
			b := sum[l*traceProbes : (l+1)*traceProbes]
			var meanA, meanB, product float64
			for q := range a {
				meanA += a[q] / traceProbes
				meanB += b[q] / traceProbes
			}
			for q := range a {
				product += (a[q] - meanA) * (b[q] - meanB)
			}
			small[k*(1+L)+l] = product / (traceProbes * (traceProbes - 2))
		}
	}
	term := func(i int) int { // of the family, whose trace enters component i once
		switch {
		case i < K:
			return 0
		case i < K+L:
			return 1 + i - K
		}
		return -1
	}
	for i := range dim {
		for j := range dim {
			if k, l := term(i), term(j); k >= 0 && l >= 0 {
				cov[i*dim+j] = small[k*(1+L)+l]
			}
		}
	}
	return true
}

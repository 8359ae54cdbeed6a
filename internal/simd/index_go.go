package simd

// scatterAddLowerGo: f(rel(i)−shift, rel(j)−shift) += u(i,j) for j0 ≤ j < j1,
// j ≤ i < m. rel is strictly increasing.
func scatterAddLowerGo(m, j0, j1 int, u []float64, ldu int, rel []int32, shift int, f []float64, ldf int) {
	for j := j0; j < j1; j++ {
		fj := f[(int(rel[j])-shift)*ldf:]
		uj := u[j*ldu : j*ldu+m]
		for i := j; i < m; i++ {
			fj[int(rel[i])-shift] += uj[i]
		}
	}
}

// gatherLowerGo: u(i,j) = f(rel(i)−shift, rel(j)−shift), same range.
func gatherLowerGo(m, j0, j1 int, u []float64, ldu int, rel []int32, shift int, f []float64, ldf int) {
	for j := j0; j < j1; j++ {
		fj := f[(int(rel[j])-shift)*ldf:]
		uj := u[j*ldu : j*ldu+m]
		for i := j; i < m; i++ {
			uj[i] = fj[int(rel[i])-shift]
		}
	}
}

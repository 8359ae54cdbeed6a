package dense

// Backend is a set of dense kernels chosen by value. All matrices are
// column-major; the methods are documented at the functions of the same name.
type Backend interface {
	Name() string
	Potrf(ws *Workspace, n int, a []float64, lda int) (info int)
	TrsmRight(ws *Workspace, m, n int, l []float64, ldl int, b []float64, ldb int)
	TrsmRightN(ws *Workspace, m, n int, l []float64, ldl int, b []float64, ldb int)
	Syrk(ws *Workspace, n, k int, a []float64, lda int, c []float64, ldc int)
	GemmNT(ws *Workspace, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int)
	GemmNN(ws *Workspace, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int)
	GemmTN(ws *Workspace, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int)
	Symm(ws *Workspace, m, n int, alpha float64, z []float64, ldz int, y []float64, ldy int, c []float64, ldc int)
	Potri(ws *Workspace, n int, l []float64, ldl int, z []float64, ldz int)
	FrontFactor(ws *Workspace, nr, w int, a []float64, lda int, u []float64, ldu int) (info int)
	FrontInverse(ws *Workspace, nr, w int, l []float64, ldl int, z []float64, ldz int)
}

// Native is the backend of this package's own kernels.
type Native struct{}

func (Native) Name() string { return "native" }
func (Native) Potrf(ws *Workspace, n int, a []float64, lda int) int {
	return Potrf(ws, n, a, lda)
}
func (Native) TrsmRight(ws *Workspace, m, n int, l []float64, ldl int, b []float64, ldb int) {
	TrsmRight(ws, m, n, l, ldl, b, ldb)
}
func (Native) TrsmRightN(ws *Workspace, m, n int, l []float64, ldl int, b []float64, ldb int) {
	TrsmRightN(ws, m, n, l, ldl, b, ldb)
}
func (Native) Syrk(ws *Workspace, n, k int, a []float64, lda int, c []float64, ldc int) {
	Syrk(ws, n, k, a, lda, c, ldc)
}
func (Native) GemmNT(ws *Workspace, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	GemmNT(ws, m, n, k, alpha, a, lda, b, ldb, c, ldc)
}
func (Native) GemmNN(ws *Workspace, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	GemmNN(ws, m, n, k, alpha, a, lda, b, ldb, c, ldc)
}
func (Native) GemmTN(ws *Workspace, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	GemmTN(ws, m, n, k, alpha, a, lda, b, ldb, c, ldc)
}
func (Native) Symm(ws *Workspace, m, n int, alpha float64, z []float64, ldz int, y []float64, ldy int, c []float64, ldc int) {
	Symm(ws, m, n, alpha, z, ldz, y, ldy, c, ldc)
}
func (Native) Potri(ws *Workspace, n int, l []float64, ldl int, z []float64, ldz int) {
	Potri(ws, n, l, ldl, z, ldz)
}
func (Native) FrontFactor(ws *Workspace, nr, w int, a []float64, lda int, u []float64, ldu int) int {
	return FrontFactor(ws, nr, w, a, lda, u, ldu)
}
func (Native) FrontInverse(ws *Workspace, nr, w int, l []float64, ldl int, z []float64, ldz int) {
	FrontInverse(ws, nr, w, l, ldl, z, ldz)
}

// Package fixedpoint accelerates maps x ← G(x) that converge slowly.
//
// The caller evaluates G; an [Accelerator] turns the pair (x, G(x)) into the
// next point:
//
//	acc := fixedpoint.NewAnderson(len(x), 6)
//	for {
//		evaluate(gx, x) // gx = G(x)
//		if close(gx, x) {
//			break
//		}
//		acc.Next(x, gx) // overwrites x
//	}
//
// Two methods are here. Anderson acceleration of depth m (D. G. Anderson, J. ACM
// 12 (1965) 547–560; H. F. Walker and P. Ni, SIAM J. Numer. Anal. 49 (2011)
// 1715–1735) combines the last m+1 images so that the residual G(x) − x would
// vanish if G were affine. By default only every second step is such an
// extrapolation, the others are plain (A. S. Banerjee, P. Suryanarayana and
// J. E. Pask, Chem. Phys. Lett. 647 (2016) 31–35): with a short history this needs
// far fewer evaluations when convergence is slow, see below. SQUAREM, scheme S3 (R. Varadhan and C. Roland, Scand.
// J. Statist. 35 (2008) 335–353), extrapolates along two successive residuals; it
// needs three evaluations a cycle and no history beyond that.
//
// # Memory and cost
//
// An Accelerator owns its workspace: dim (2 depth + 2) numbers for Anderson,
// 3 dim for SQUAREM. Nothing is allocated after construction unless [Reset] asks
// for a larger dim. Next costs O(dim depth). One goroutine uses an Accelerator at
// a time; different ones share nothing.
//
// # Safeguards
//
// Neither method converges for every nonlinear G, even a contraction.
//
//   - A step with a component that is not finite is replaced by the plain G(x),
//     and a G(x) that is not finite sends x back to the last plain image.
//   - Anderson solves its least-squares problem by an updated QR factorization
//     and drops the oldest differences while the triangle's diagonal spans more
//     than 10 decades, so nearly dependent differences cannot blow up a step.
//   - If the residual norm exceeds 10 times the smallest since the last restart,
//     Anderson forgets its history and takes a plain step.
//   - [Accelerator.NextMerit] is told the value at x of a merit that plain steps
//     do not lower, such as a variational bound. If an accelerated step has
//     lowered it, the step is undone: x becomes the plain image of the point
//     before, which costs one evaluation. With it the merit of the accepted
//     points never falls, so the iteration inherits the convergence of x ← G(x).
//
// Work in coordinates in which every real x is meaningful (logarithms of positive
// quantities): extrapolation does not respect constraints.
//
// # What to expect
//
// Evaluations to a residual of 1e-10, affine symmetric map of 200 variables with
// eigenvalues uniform in [0, ρ]:
//
//	ρ       plain   Anderson 5   Anderson 8   Anderson 8, period 1   SQUAREM
//	0.9       198           41           39                     47        47
//	0.99   ~2 000          107          107                    221       159
//	0.999 ~20 000          269          247                  1 444       996
package fixedpoint

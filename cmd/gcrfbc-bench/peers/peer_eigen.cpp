/* peer_eigen - Eigen SimplicialLDLT timings with AMD or METIS ordering.
 *   peer_eigen --matrix SPEC [--order amd|metis] [--rhs 32] [--maxflops 1e11] */
#include "bench.h"
#include "gen.h"
#include <cmath>
#include <iostream>
#include <vector>
#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <Eigen/MetisSupport>

typedef Eigen::SparseMatrix<double> Sp;

/* column counts of L (diagonal included) by walking each row's subtree */
static std::vector<int> column_counts(const Sp &Q, const Eigen::PermutationMatrix<-1, -1, int> &P) {
  Sp U(Q.rows(), Q.cols());
  U.selfadjointView<Eigen::Upper>() = Q.selfadjointView<Eigen::Lower>().twistedBy(P);
  int n = Q.rows();
  std::vector<int> par(n, -1), mark(n, -1), cnt(n, 1);
  for (int k = 0; k < n; k++) {
    mark[k] = k;
    for (Sp::InnerIterator it(U, k); it; ++it)
      for (int i = it.row(); i < k && mark[i] != k; i = par[i]) {
        if (par[i] < 0) par[i] = k;
        cnt[i]++;
        mark[i] = k;
      }
  }
  return cnt;
}

template <class Ordering> static int go(gen_mat &A, const char *ord, int nrhs, double maxfl) {
  Eigen::Map<Sp> M(A.n, A.n, A.nnz, A.p, A.i, A.x);
  Sp Q = M;
  Eigen::SimplicialLDLT<Sp, Eigen::Lower, Ordering> ch;
  bench_t an = {}, fa = {}, s1 = {}, s32 = {};
  while (bench_more(&an, 5, 3)) {
    bench_start(&an);
    ch.analyzePattern(Q);
    bench_stop(&an);
  }
  printf("{\"peer\":\"eigen\",\"matrix\":\"%s\",\"order\":\"%s\",\"mode\":\"ldlt\",\"n\":%d,\"nnzA\":%lld", A.name, ord, A.n,
         (long long)A.nnz);
  printf(",\"Eigen_version\":\"%d.%d.%d\"", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
  bench_put("analyze", &an);
  double fl = 0, lnz = 0;
  std::vector<int> cnt = column_counts(Q, ch.permutationP());
  for (int j = 0; j < A.n; j++) {
    double c = cnt[j];
    fl += c * c;
    lnz += c;
  }
  printf(",\"nnzL\":%.0f,\"flops\":%.6g", lnz, fl);
  if (fl > maxfl) {
    printf(",\"skipped\":\"flops above limit\"}\n");
    return 0;
  }
  ch.factorize(Q);
  while (bench_more(&fa, 9, 6)) {
    bench_start(&fa);
    ch.factorize(Q);
    bench_stop(&fa);
  }
  long double sum = 0; // which adds no error of its own
  for (Eigen::Index k = 0; k < ch.vectorD().size(); k++) sum += std::log(ch.vectorD()[k]);
  double ld = (double)sum;
  Eigen::VectorXd b(A.n), x;
  gen_rhs(b.data(), A.n);
  x = ch.solve(b);
  double res = gen_relres(&A, x.data(), b.data());
  while (bench_more(&s1, 9, 2)) {
    bench_start(&s1);
    x = ch.solve(b);
    bench_stop(&s1);
  }
  Eigen::MatrixXd B(A.n, nrhs), X;
  gen_rhs(B.data(), (int64_t)A.n * nrhs);
  while (bench_more(&s32, 5, 3)) {
    bench_start(&s32);
    X = ch.solve(B);
    bench_stop(&s32);
  }
  bench_put("refactor", &fa);
  bench_put("solve1", &s1);
  bench_put("solve_multi", &s32);
  printf(",\"nrhs\":%d,\"gflops\":%.4g,\"logdet\":%.15g,\"relres\":%.3g,\"rss_mb\":%.0f}\n", nrhs,
         fl / bench_med(fa.w, fa.k) * 1e-9, ld, res, bench_rss_mb());
  return 0;
}

int main(int argc, char **argv) {
  gen_mat A = gen_matrix(bench_arg(argc, argv, "--matrix", "grid2d:300"));
  const char *ord = bench_arg(argc, argv, "--order", "amd");
  int nrhs = atoi(bench_arg(argc, argv, "--rhs", "32"));
  double maxfl = atof(bench_arg(argc, argv, "--maxflops", "1e11"));
  if (!strcmp(ord, "metis")) return go<Eigen::MetisOrdering<int>>(A, ord, nrhs, maxfl);
  return go<Eigen::AMDOrdering<int>>(A, "amd", nrhs, maxfl);
}

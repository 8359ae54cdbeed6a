/* peer_cholmod - CHOLMOD analyze / factorize / refactorize / solve timings.
 *   peer_cholmod --matrix SPEC [--order amd|metis|natural] [--mode super|simplicial]
 *                [--write FILE.mtx] [--rhs 32] [--maxflops 1e14] [--budget 8]
 * One JSON line on stdout. */
#include "bench.h"
#include "gen.h"
#include <cholmod.h>

extern char *openblas_get_config(void);

int main(int argc, char **argv) {
  const char *spec = bench_arg(argc, argv, "--matrix", "grid2d:300");
  const char *ord = bench_arg(argc, argv, "--order", "amd");
  const char *mode = bench_arg(argc, argv, "--mode", "super");
  const char *wr = bench_arg(argc, argv, "--write", NULL);
  int nrhs = atoi(bench_arg(argc, argv, "--rhs", "32"));
  double maxfl = atof(bench_arg(argc, argv, "--maxflops", "1e14"));
  double budget = atof(bench_arg(argc, argv, "--budget", "8"));
  gen_mat A = gen_matrix(spec);
  if (wr) {
    gen_write_mtx(&A, wr);
    if (bench_flag(argc, argv, "--only-write")) return 0;
  }
  cholmod_common cm;
  cholmod_start(&cm);
  cm.nmethods = 1;
  cm.method[0].ordering = !strcmp(ord, "metis") ? CHOLMOD_METIS : !strcmp(ord, "natural") ? CHOLMOD_NATURAL : CHOLMOD_AMD;
  cm.postorder = 1;
  int super = !strcmp(mode, "super");
  cm.supernodal = super ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
  cm.final_ll = super; /* simplicial: LDL' */
  cholmod_sparse S;
  memset(&S, 0, sizeof S);
  S.nrow = S.ncol = A.n;
  S.nzmax = A.nnz;
  S.p = A.p;
  S.i = A.i;
  S.x = A.x;
  S.stype = -1;
  S.itype = CHOLMOD_INT;
  S.xtype = CHOLMOD_REAL;
  S.dtype = CHOLMOD_DOUBLE;
  S.sorted = S.packed = 1;
  bench_t an = {0}, fa1 = {0}, fa = {0}, s1 = {0}, s32 = {0};
  cholmod_factor *L = NULL;
  while (bench_more(&an, 9, 4)) {
    if (L) cholmod_free_factor(&L, &cm);
    bench_start(&an);
    L = cholmod_analyze(&S, &cm);
    bench_stop(&an);
  }
  double fl = cm.fl, lnz = cm.lnz;
  printf("{\"peer\":\"cholmod\",\"matrix\":\"%s\",\"order\":\"%s\",\"mode\":\"%s\",\"threads\":%s,\"coretype\":\"%s\",\"n\":%d,\"nnzA\":%lld,\"nnzL\":%.0f,\"flops\":%.6g",
         A.name, ord, mode, bench_env("OPENBLAS_NUM_THREADS", "0"), bench_env("OPENBLAS_CORETYPE", "auto"), A.n,
         (long long)A.nnz, lnz, fl);
  int ver[3];
  cholmod_version(ver);
  printf(",\"CHOLMOD_version\":\"%d.%d.%d\",\"OpenBLAS_version\":\"%s\"", ver[0], ver[1], ver[2], openblas_get_config() + 9);
  bench_put("analyze", &an);
  if (super) printf(",\"nsuper\":%zu,\"xsize\":%zu,\"ssize\":%zu", L->nsuper, L->xsize, L->ssize);
  if (fl > maxfl) {
    printf(",\"skipped\":\"flops above limit\"}\n");
    return 0;
  }
  bench_start(&fa1);
  cholmod_factorize(&S, L, &cm);
  bench_stop(&fa1);
  if (cm.status != CHOLMOD_OK) {
    printf(",\"error\":%d}\n", cm.status);
    return 1;
  }
  size_t held = cm.memory_inuse, peak = cm.memory_usage; /* as CHOLMOD counts: its objects and workspace */
  while (bench_more(&fa, 15, budget)) {
    bench_start(&fa);
    cholmod_factorize(&S, L, &cm);
    bench_stop(&fa);
  }
  long double ld = 0; /* the sum adds no error of its own */
  if (L->is_super) {
    int *sup = L->super, *px = L->px, *pi = L->pi;
    double *x = L->x;
    for (size_t s = 0; s < L->nsuper; s++) {
      int ns = pi[s + 1] - pi[s];
      for (int j = 0; j < sup[s + 1] - sup[s]; j++) ld += 2 * log(x[px[s] + (size_t)j * ns + j]);
    }
  } else {
    int *p = L->p;
    double *x = L->x;
    for (int j = 0; j < A.n; j++) ld += L->is_ll ? 2 * log(x[p[j]]) : log(x[p[j]]);
  }
  cholmod_dense *b1 = cholmod_allocate_dense(A.n, 1, A.n, CHOLMOD_REAL, &cm);
  cholmod_dense *bk = cholmod_allocate_dense(A.n, nrhs, A.n, CHOLMOD_REAL, &cm);
  gen_rhs((double *)b1->x, A.n);
  gen_rhs((double *)bk->x, (int64_t)A.n * nrhs);
  cholmod_dense *X = NULL, *Y = NULL, *E = NULL;
  cholmod_solve2(CHOLMOD_A, L, b1, NULL, &X, NULL, &Y, &E, &cm);
  double res = gen_relres(&A, (double *)X->x, (double *)b1->x);
  while (bench_more(&s1, 15, 2)) {
    bench_start(&s1);
    cholmod_solve2(CHOLMOD_A, L, b1, NULL, &X, NULL, &Y, &E, &cm);
    bench_stop(&s1);
  }
  cholmod_free_dense(&X, &cm);
  cholmod_free_dense(&Y, &cm);
  cholmod_free_dense(&E, &cm);
  cholmod_solve2(CHOLMOD_A, L, bk, NULL, &X, NULL, &Y, &E, &cm);
  while (bench_more(&s32, 9, 3)) {
    bench_start(&s32);
    cholmod_solve2(CHOLMOD_A, L, bk, NULL, &X, NULL, &Y, &E, &cm);
    bench_stop(&s32);
  }
  bench_put("factor_first", &fa1);
  bench_put("refactor", &fa);
  bench_put("solve1", &s1);
  bench_put("solve_multi", &s32);
  double t = bench_med(fa.w, fa.k);
  printf(",\"held_bytes\":%zu,\"peak_bytes\":%zu", held, peak);
  printf(",\"nrhs\":%d,\"gflops\":%.4g,\"logdet\":%.15g,\"relres\":%.3g,\"rss_mb\":%.0f}\n", nrhs, fl / t * 1e-9, (double)ld, res,
         bench_rss_mb());
  return 0;
}

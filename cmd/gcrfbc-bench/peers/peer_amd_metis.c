/* peer_amd_metis - ordering time and quality.
 *   peer_amd_metis --matrix SPEC
 * AMD directly (amd_order), METIS directly (METIS_NodeND), and both through
 * cholmod_analyze; nnz(L) and flops of each by CHOLMOD's symbolic analysis. */
#include "bench.h"
#include "gen.h"
#include <amd.h>
#include <cholmod.h>
#include <metis.h>

static void sym(const gen_mat *A, cholmod_common *cm, cholmod_sparse *S, int *perm, double *lnz, double *fl, double *t) {
  cm->nmethods = 1;
  cm->method[0].ordering = CHOLMOD_GIVEN;
  cm->postorder = 1;
  cm->supernodal = CHOLMOD_SIMPLICIAL;
  double w = bench_wall();
  cholmod_factor *L = cholmod_analyze_p(S, perm, NULL, 0, cm);
  *t = bench_wall() - w;
  *lnz = cm->lnz;
  *fl = cm->fl;
  cholmod_free_factor(&L, cm);
}
static void out(const gen_mat *A, const char *how, bench_t *b, double lnz, double fl, double tsym) {
  printf("{\"peer\":\"ordering\",\"matrix\":\"%s\",\"how\":\"%s\",\"n\":%d,\"nnzA\":%lld,\"nnzL\":%.0f,\"flops\":%.6g", A->name, how,
         A->n, (long long)A->nnz, lnz, fl);
  printf(",\"METIS_version\":\"%d.%d.%d\",\"AMD_version\":\"%d.%d.%d\"", METIS_VER_MAJOR, METIS_VER_MINOR, METIS_VER_SUBMINOR,
         AMD_MAIN_VERSION, AMD_SUB_VERSION, AMD_SUBSUB_VERSION);
  bench_put("order", b);
  printf(",\"symbolic_s\":%.4g}\n", tsym);
  fflush(stdout);
}
int main(int argc, char **argv) {
  gen_mat A = gen_matrix(bench_arg(argc, argv, "--matrix", "grid2d:300"));
  int n = A.n;
  /* full pattern without the diagonal */
  int *fp = calloc(n + 1, sizeof(int)), *fi = malloc((2 * A.nnz + 1) * sizeof(int)), *pos = malloc((n + 1) * sizeof(int));
  for (int j = 0; j < n; j++)
    for (int q = A.p[j]; q < A.p[j + 1]; q++)
      if (A.i[q] != j) {
        fp[j + 1]++;
        fp[A.i[q] + 1]++;
      }
  for (int j = 0; j < n; j++) fp[j + 1] += fp[j];
  memcpy(pos, fp, (n + 1) * sizeof(int));
  for (int j = 0; j < n; j++)
    for (int q = A.p[j]; q < A.p[j + 1]; q++)
      if (A.i[q] != j) {
        fi[pos[A.i[q]]++] = j;
        fi[pos[j]++] = A.i[q];
      }
  cholmod_common cm;
  cholmod_start(&cm);
  cholmod_sparse S;
  memset(&S, 0, sizeof S);
  S.nrow = S.ncol = n;
  S.nzmax = A.nnz;
  S.p = A.p; S.i = A.i; S.x = A.x;
  S.stype = -1;
  S.itype = CHOLMOD_INT;
  S.xtype = CHOLMOD_REAL;
  S.sorted = S.packed = 1;
  int *perm = malloc(n * sizeof(int)), *ip = malloc(n * sizeof(int));
  double lnz, fl, ts, info[AMD_INFO];
  bench_t b = {0};
  while (bench_more(&b, 7, 3)) {
    bench_start(&b);
    amd_order(n, fp, fi, perm, NULL, info);
    bench_stop(&b);
  }
  sym(&A, &cm, &S, perm, &lnz, &fl, &ts);
  out(&A, "amd", &b, lnz, fl, ts);
  bench_t m = {0};
  while (bench_more(&m, 5, 5)) {
    idx_t nv = n;
    idx_t *xp = malloc((n + 1) * sizeof(idx_t)), *ai = malloc((fp[n] + 1) * sizeof(idx_t));
    for (int j = 0; j <= n; j++) xp[j] = fp[j];
    for (int q = 0; q < fp[n]; q++) ai[q] = fi[q];
    bench_start(&m);
    METIS_NodeND(&nv, xp, ai, NULL, NULL, (idx_t *)perm, (idx_t *)ip);
    bench_stop(&m);
    free(xp); free(ai);
  }
  sym(&A, &cm, &S, perm, &lnz, &fl, &ts);
  out(&A, "metis_nodend", &m, lnz, fl, ts);
  const char *nm[] = {"cholmod_amd", "cholmod_metis", "cholmod_nesdis"};
  int od[] = {CHOLMOD_AMD, CHOLMOD_METIS, CHOLMOD_NESDIS};
  for (int k = 0; k < 3; k++) {
    cm.nmethods = 1;
    cm.method[0].ordering = od[k];
    cm.supernodal = CHOLMOD_SIMPLICIAL;
    bench_t a = {0};
    cholmod_factor *L = NULL;
    while (bench_more(&a, 5, 5)) {
      if (L) cholmod_free_factor(&L, &cm);
      bench_start(&a);
      L = cholmod_analyze(&S, &cm);
      bench_stop(&a);
    }
    out(&A, nm[k], &a, cm.lnz, cm.fl, 0);
    cholmod_free_factor(&L, &cm);
  }
  return 0;
}

// Speed of every function on every instruction set of this machine.

#define _GNU_SOURCE
#include <time.h>

#include "sweep.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double best_time(int binary, int isa, int function, const float *x, const float *y) {
  float results[64];
  double best = 1e9;
  for (int repeat = 0; repeat < 200; repeat++) {
    double start = now();
    for (int i = 0; i < 500; i++) {
      if (binary) etalon_probe_binary(isa, function, x, y, results, 64);
      else etalon_probe_unary(isa, function, x, results, 64);
      __asm__ volatile("" : : "r"(results) : "memory");
    }
    double each = (now() - start) / 500;
    if (each < best) best = each;
  }
  return best;
}

void print_times(void) {
  float x[64], y[64], unit[64], positive[64], large[64];
  for (int i = 0; i < 64; i++) {
    x[i] = random_unit() * 20 - 10, y[i] = random_unit() * 4, unit[i] = random_unit() * 2 - 1;
    positive[i] = random_unit() * 4 + 0.01f, large[i] = 20000 + random_unit() * 1e5f;
  }
  printf("%-18s %8s %8s %8s   ns per 64 lanes\n", "", "baseline", "avx2", "avx512");
  for (int binary = 0; binary < 2; binary++) {
    int count = binary ? etalon_probe_binary_count() : etalon_probe_unary_count();
    for (int f = 0; f < count; f++) {
      const char *name = binary ? etalon_probe_binary_name(f) : etalon_probe_unary_name(f);
      int unit_domain = !strcmp(name, "asin") || !strcmp(name, "acos") || !strcmp(name, "atanh");
      int positive_domain = !strncmp(name, "log", 3) || !strcmp(name, "pow") || strstr(name, "sqrt") || !strcmp(name, "acosh");
      const float *operands = unit_domain ? unit : positive_domain ? positive : x;
      printf("%-18s", name);
      for (int isa = 0; isa < ETALON_PROBE_ISA_COUNT; isa++)
        if (etalon_probe_has_isa(isa)) printf(" %8.1f", best_time(binary, isa, f, operands, y));
      printf("\n");
      if (binary || (strcmp(name, "sin") && strcmp(name, "cos"))) continue;
      printf("%s above 20000   ", name);
      for (int isa = 0; isa < ETALON_PROBE_ISA_COUNT; isa++)
        if (etalon_probe_has_isa(isa)) printf(" %8.1f", best_time(0, isa, f, large, y));
      printf("\n");
    }
  }
}

// Names and dispatch of the probe functions.

#include "lane_probe.h"

#include <stddef.h>
#include <string.h>

#include "lane_probe_table.h"

#define LANE_PROBE_NAME(name, expression) #name,

static const char *const unary_names[] = {LANE_PROBE_UNARY(LANE_PROBE_NAME) LANE_PROBE_UNARY_BITS(LANE_PROBE_NAME)};
static const char *const binary_names[] = {LANE_PROBE_BINARY(LANE_PROBE_NAME) LANE_PROBE_BINARY_BITS(LANE_PROBE_NAME)};

/// The table of an instruction set, or NULL where the machine lacks it.
static const lane_probe_table *table_of(int isa) {
  if (isa == ETALON_PROBE_BASELINE) return &lane_probe_baseline;
#if defined(__x86_64__)
  int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  int has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (isa == ETALON_PROBE_AVX2 && has_avx2) return &lane_probe_avx2;
  if (isa == ETALON_PROBE_AVX512 && has_avx512) return &lane_probe_avx512;
#endif
  return NULL;
}

static int find(const char *const *names, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

int etalon_probe_has_isa(int isa) { return table_of(isa) != NULL; }
int etalon_probe_unary_count(void) { return LANE_PROBE_UNARY_COUNT; }
int etalon_probe_binary_count(void) { return LANE_PROBE_BINARY_COUNT; }

const char *etalon_probe_unary_name(int function) {
  return function >= 0 && function < LANE_PROBE_UNARY_COUNT ? unary_names[function] : NULL;
}
const char *etalon_probe_binary_name(int function) {
  return function >= 0 && function < LANE_PROBE_BINARY_COUNT ? binary_names[function] : NULL;
}
int etalon_probe_find_unary(const char *name) { return find(unary_names, LANE_PROBE_UNARY_COUNT, name); }
int etalon_probe_find_binary(const char *name) { return find(binary_names, LANE_PROBE_BINARY_COUNT, name); }

int etalon_probe_unary(int isa, int function, const float *x, float *results, int count) {
  const lane_probe_table *table = table_of(isa);
  if (!table || function < 0 || function >= LANE_PROBE_UNARY_COUNT) return 0;
  table->unary[function](x, NULL, results, count);
  return 1;
}

int etalon_probe_binary(int isa, int function, const float *x, const float *y, float *results, int count) {
  const lane_probe_table *table = table_of(isa);
  if (!table || function < 0 || function >= LANE_PROBE_BINARY_COUNT) return 0;
  table->binary[function](x, y, results, count);
  return 1;
}

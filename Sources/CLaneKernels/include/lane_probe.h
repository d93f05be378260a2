/// Lets tests call every function of lane_math.inc on every instruction set of this machine.
///
/// Operands and results are 32-bit words behind float pointers: integer operands and results are passed as their bits, and
/// NaN results of plain arithmetic are made canonical.

#ifndef ETALON_LANE_PROBE_H
#define ETALON_LANE_PROBE_H

#include <stdint.h>

/// Instruction sets, as `isa` arguments.
enum {
  ETALON_PROBE_BASELINE = 0,  // SSE2 or NEON, 4 lanes
  ETALON_PROBE_AVX2 = 1,      // 8 lanes
  ETALON_PROBE_AVX512 = 2,    // 16 lanes
  ETALON_PROBE_ISA_COUNT = 3
};

/// 1 if this machine can run the instruction set.
int etalon_probe_has_isa(int isa);

int etalon_probe_unary_count(void);
int etalon_probe_binary_count(void);
/// The name of a function (`sin`), or NULL past the last one.
const char *etalon_probe_unary_name(int function);
const char *etalon_probe_binary_name(int function);
/// The number of the function with this name, or -1.
int etalon_probe_find_unary(const char *name);
int etalon_probe_find_binary(const char *name);

/// Computes results[i] = function(x[i]). Returns 0, and computes nothing, if the machine lacks the instruction set or there
/// is no such function.
int etalon_probe_unary(int isa, int function, const float *x, float *results, int count);
int etalon_probe_binary(int isa, int function, const float *x, const float *y, float *results, int count);

#endif

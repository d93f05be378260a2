// What the parts of the sweep share: words and floats, operands, failures.

#ifndef SWEEP_H
#define SWEEP_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lane_probe.h"

enum { BLOCK = 4096 };

static inline uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return bits;
}
static inline float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, 4);
  return x;
}
static inline uint32_t canonical(float x) { return isnan(x) ? 0x7fc00000 : bits_of(x); }

/// Restarts the pseudo-random sequence.
void restart_random(void);
uint32_t random_word(void);
/// 0 to 1.
float random_unit(void);
/// Words where something happens: limits of ranges and reductions, specials, multiples of pi/2, powers of two. At most 2048.
int landmarks(uint32_t *words);
/// Words of all magnitudes, small integers and landmarks.
uint32_t varied_word(int index);

extern int failures;
/// Fails unless the results are the same words on every instruction set, and in an order that gives each lane other neighbours.
void check_identity(int binary, int function, const float *x, const float *y, const float *expected, int count);

/// Errors of the elementary functions over the whole range, against the C library in double precision.
void sweep_accuracy(void);
/// 1 if sweep_accuracy measures this function.
int is_measured(const char *name);
/// Every float with bits from `low` to `high`.
void sweep_range(const char *name, uint64_t low, uint64_t high);

/// Functions with exact results, against a scalar definition of each.
void sweep_exact(void);

/// Prints nanoseconds per 64 lanes of everything.
void print_times(void);

#endif

// Powers and roots without libm, so that loops become vectors. Errors of some units in the last place.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float comparison_from_bits(int32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

static inline int32_t comparison_to_bits(float value) {
  int32_t bits;
  memcpy(&bits, &value, 4);
  return bits;
}

static inline float comparison_cube_root(float value) {
  const float magnitude = fabsf(value);
  // A third of the exponent, then two of Halley's steps, each of which triples the digits.
  float root = comparison_from_bits((int32_t)((float)comparison_to_bits(magnitude) * (1.0f / 3.0f)) + 709958130);
  for (int step = 0; step < 2; step++) {
    const float cube = root * root * root;
    root = root * (cube + 2 * magnitude) / (2 * cube + magnitude);
  }
  root = magnitude < 1e-30f ? 0 : root;
  return value < 0 ? -root : root;
}

static inline float comparison_log2(float value) {
  const int32_t bits = comparison_to_bits(value);
  // The mantissa around 1: from the root of a half to the root of two.
  const int32_t exponent = (bits - 0x3f3504f3) >> 23;
  const float mantissa = comparison_from_bits(bits - exponent * (1 << 23));
  const float s = (mantissa - 1) / (mantissa + 1), q = s * s;
  const float series = s * (1 + q * (0.333333333f + q * (0.2f + q * (0.142857143f + q * 0.111111111f))));
  return (float)exponent + 2.885390082f * series;
}

static inline float comparison_exp2(float value) {
  const float clamped = value < -126 ? -126 : value;
  const int32_t whole = (int32_t)(clamped + (clamped < 0 ? -0.5f : 0.5f));
  const float r = (clamped - (float)whole) * 0.693147181f;
  const float series = 1 + r * (1 + r * (0.5f + r * (0.166666667f + r * (0.0416666667f + r * (0.00833333333f + r * 0.00138888889f)))));
  return series * comparison_from_bits((whole + 127) * (1 << 23));
}

// A power of a number from 0 to about 2^100.
static inline float comparison_power(float base, float exponent) {
  const float power = comparison_exp2(exponent * comparison_log2(base));
  return base < 1e-30f ? (exponent == 0 ? 1.0f : 0.0f) : power;
}

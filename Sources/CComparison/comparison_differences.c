// What each pixel differs by, with the sums for the plain metrics. Any format.

#include "comparison_rows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void comparison_differences_rgba8(const comparison_pair *pair, float *color, float *alpha, comparison_sums *sums);

static int64_t float_order(float value) {
  int32_t bits;
  memcpy(&bits, &value, 4);
  return bits < 0 ? (int64_t)INT32_MIN - bits : bits;
}

// The place of a half among all halves; the value is one exactly.
static int64_t half_order(float value) {
  uint32_t bits;
  const float magnitude = fabsf(value);
  memcpy(&bits, &magnitude, 4);
  const int64_t order = magnitude < 0x1p-14f ? (int64_t)(magnitude * 0x1p24f) : (int64_t)((bits - (112u << 23)) >> 13);
  return value < 0 ? -order : order;
}

static double steps_between(const comparison_pair *pair, float a, float b) {
  if (pair->white != 1) return fabsf(a - b);
  const bool halves = pair->actual.kind == COMPARISON_HALF && pair->reference.kind == COMPARISON_HALF;
  return halves ? (double)llabs(half_order(a) - half_order(b)) : (double)llabs(float_order(a) - float_order(b));
}

static bool is_denormal(const comparison_picture *picture, float value) {
  const float smallest = picture->kind == COMPARISON_HALF ? 0x1p-14f : 0x1p-126f;
  return value != 0 && fabsf(value) < smallest && (picture->kind == COMPARISON_HALF || picture->kind == COMPARISON_FLOAT);
}

// A device may have flushed one of the two.
static bool is_flushed(const comparison_pair *pair, float a, float b) {
  return (a == 0 && is_denormal(&pair->reference, b)) || (b == 0 && is_denormal(&pair->actual, a));
}

static void count_nonfinite(comparison_sums *sums, int picture, float value) {
  if (isnan(value)) sums->nan[picture]++;
  if (isinf(value)) sums->infinite[picture]++;
}

enum meeting { FINITE, LEFT_OUT, DIFFERENT };

static enum meeting meet(const comparison_pair *pair, float a, float b) {
  const bool odd_a = !isfinite(a), odd_b = !isfinite(b);
  if (!odd_a && !odd_b) return FINITE;
  if (pair->nonfinite == COMPARISON_IGNORE) return LEFT_OUT;
  if (odd_a != odd_b) return DIFFERENT;
  if (pair->nonfinite == COMPARISON_EQUAL) return LEFT_OUT;
  return (isnan(a) && isnan(b)) || a == b ? LEFT_OUT : DIFFERENT;
}

static void measure_channel(const comparison_pair *pair, comparison_sums *sums, size_t channel, float a, float b, float *largest) {
  if (a == b) return;
  if (pair->denormals == COMPARISON_ANY && is_flushed(pair, a, b)) return;
  const float raw = fabsf(a - b);
  // Two floats may lie further apart than a float says, but not than a double does.
  const double difference = raw <= FLT_MAX ? raw / pair->unit : fabs((double)a - b) / pair->unit;
  sums->absolute[channel] += difference;
  sums->squared[channel] += difference * difference;
  // In maps only what is not finite is infinite.
  const float mapped = difference <= FLT_MAX ? (float)difference : FLT_MAX;
  if (mapped > sums->largest[channel]) sums->largest[channel] = mapped;
  if (mapped > *largest) *largest = mapped;
  if (!pair->measures_steps) return;
  const float scale = fmaxf(fmaxf(fabsf(a), fabsf(b)), pair->white / 1024.0f);
  const float relative = raw <= FLT_MAX ? raw / scale : (float)(fabs((double)a - b) / scale);
  if (relative > sums->relative[channel]) sums->relative[channel] = relative;
  const double steps = steps_between(pair, a, b);
  if (steps > sums->steps[channel]) sums->steps[channel] = steps;
}

static void measure_pixel(
    const comparison_pair *pair, const float *a, const float *b, size_t x, size_t index, float *color, float *alpha, comparison_sums *sums) {
  const size_t width = pair->width;
  const bool is_hidden = pair->ignores_hidden_color && a[3 * width + x] == 0 && b[3 * width + x] == 0;
  enum meeting worst = FINITE;
  float largest[2] = {0, 0};
  for (size_t channel = is_hidden ? 3 : 0; channel < 4; channel++) {
    const float left = a[channel * width + x], right = b[channel * width + x];
    count_nonfinite(sums, 0, left);
    count_nonfinite(sums, 1, right);
    const enum meeting meeting = meet(pair, left, right);
    if (meeting > worst) worst = meeting;
    if (meeting == FINITE) measure_channel(pair, sums, channel, left, right, &largest[channel == 3]);
    if (meeting == DIFFERENT) largest[channel == 3] = INFINITY;
  }
  color[index] = largest[0];
  alpha[index] = largest[1];
  if (largest[0] > 0) sums->color_differs = true;
  if (largest[1] > 0) sums->alpha_differs = true;
  if (worst == FINITE) sums->finite_pixels++;
  if (worst == DIFFERENT && sums->nonfinite_pixels++ == 0) sums->first_nonfinite = index;
}

void comparison_differences(const comparison_pair *pair, float *color, float *alpha, comparison_sums *sums) {
  memset(sums, 0, sizeof *sums);
  if (comparison_is_rgba8(pair)) {
    comparison_differences_rgba8(pair, color, alpha, sums);
    return;
  }
  const size_t width = pair->width;
  float *rows = comparison_memory(8 * width, sizeof(float));
  for (size_t y = 0; y < pair->height; y++) {
    comparison_read_row(pair, &pair->actual, y, rows);
    comparison_read_row(pair, &pair->reference, y, rows + 4 * width);
    for (size_t x = 0; x < width; x++) measure_pixel(pair, rows, rows + 4 * width, x, y * width + x, color, alpha, sums);
  }
  free(rows);
}

// What each pixel differs by, for two pictures of RGBA8: sixteen bytes at a time.

#include "comparison_rows.h"

#include <stdlib.h>
#include <string.h>

// The absolute differences of the bytes of a row; alpha of opaque pictures counts as 255.
COMPARISON_WIDE static void subtract_row(const uint8_t *a, const uint8_t *b, size_t count, uint8_t *difference) {
  for (size_t i = 0; i < count; i++) difference[i] = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
}

COMPARISON_WIDE static void drop_alpha(uint32_t *difference, size_t width) {
  for (size_t x = 0; x < width; x++) difference[x] &= 0xffffff;
}

static void make_opaque(const comparison_pair *pair, const uint8_t *a, const uint8_t *b, uint8_t *difference) {
  for (size_t x = 0; x < pair->width; x++) {
    const uint8_t left = pair->actual.is_opaque ? 255 : a[4 * x + 3], right = pair->reference.is_opaque ? 255 : b[4 * x + 3];
    difference[4 * x + 3] = left > right ? left - right : right - left;
  }
}

// Color of pixels that are not covered does not count.
static void hide(const comparison_pair *pair, const uint8_t *a, const uint8_t *b, uint8_t *difference) {
  if (pair->actual.is_opaque || pair->reference.is_opaque) return;
  for (size_t x = 0; x < pair->width; x++) {
    if (a[4 * x + 3] == 0 && b[4 * x + 3] == 0) memset(difference + 4 * x, 0, 3);
  }
}

// Adds the bytes of a row and their squares, by channel; returns whether any byte is not zero.
COMPARISON_WIDE static bool add_row(const uint8_t *difference, size_t bytes, uint64_t sum[4], uint64_t squares[4], uint8_t largest[4]) {
  longs16 sums = {0}, squared = {0};
  bytes16 most = {0};
  size_t i = 0;
  // 65,025 fits 66,051 times into 32 bits; a row of 32,768 pixels adds 8,192 numbers to a lane.
  for (; i + 16 <= bytes; i += 16) {
    bytes16 part;
    memcpy(&part, difference + i, 16);
    most = __builtin_elementwise_max(part, most);
    const words16 wide = __builtin_convertvector(part, words16);
    sums += __builtin_convertvector(wide, longs16);
    squared += __builtin_convertvector(wide * wide, longs16);
  }
  for (size_t lane = 0; lane < 16; lane++) {
    sum[lane % 4] += sums[lane];
    squares[lane % 4] += squared[lane];
    if (most[lane] > largest[lane % 4]) largest[lane % 4] = most[lane];
  }
  for (; i < bytes; i++) {
    const uint32_t value = difference[i];
    sum[i % 4] += value;
    squares[i % 4] += value * value;
    if (value > largest[i % 4]) largest[i % 4] = (uint8_t)value;
  }
  return (largest[0] | largest[1] | largest[2] | largest[3]) != 0;
}

// The largest difference over color of each pixel of a row.
COMPARISON_WIDE static void split_color(const uint32_t *difference, size_t width, float *color) {
  for (size_t x = 0; x < width; x++) {
    const int32_t red = difference[x] & 0xff, green = difference[x] >> 8 & 0xff, blue = difference[x] >> 16 & 0xff;
    const int32_t most = red > green ? red : green;
    color[x] = (float)(most > blue ? most : blue);
  }
}

COMPARISON_WIDE static void split_alpha(const uint32_t *difference, size_t width, float *alpha) {
  for (size_t x = 0; x < width; x++) alpha[x] = (float)(int32_t)(difference[x] >> 24);
}

// The largest difference by the larger value; equal bytes count as 0.
COMPARISON_WIDE static void measure_relative(const uint8_t *a, const uint8_t *b, const uint8_t *difference, size_t bytes, float relative[4]) {
  float most[16] = {0};
  size_t i = 0;
  for (; i + 16 <= bytes; i += 16) {
    for (size_t lane = 0; lane < 16; lane++) {
      const int32_t left = a[i + lane], right = b[i + lane], larger = left > right ? left : right;
      const float ratio = (float)(int32_t)difference[i + lane] / (float)(larger > 1 ? larger : 1);
      most[lane] = ratio > most[lane] ? ratio : most[lane];
    }
  }
  for (size_t lane = 0; lane < 16; lane++) relative[lane % 4] = most[lane] > relative[lane % 4] ? most[lane] : relative[lane % 4];
  for (; i < bytes; i++) {
    const float ratio = difference[i] == 0 ? 0 : (float)difference[i] / (float)(a[i] > b[i] ? a[i] : b[i]);
    if (ratio > relative[i % 4]) relative[i % 4] = ratio;
  }
}

void comparison_differences_rgba8(const comparison_pair *pair, float *color, float *alpha, comparison_sums *sums) {
  const size_t width = pair->width, bytes = 4 * width;
  uint32_t *difference = comparison_memory(width, 4);
  uint64_t sum[4] = {0}, squares[4] = {0};
  uint8_t largest[4] = {0};
  bool alpha_differs = false;
  for (size_t y = 0; y < pair->height; y++) {
    const uint8_t *a = (const uint8_t *)pair->actual.pixels + y * bytes, *b = (const uint8_t *)pair->reference.pixels + y * bytes;
    uint8_t *row = (uint8_t *)difference;
    subtract_row(a, b, bytes, row);
    if (pair->actual.is_opaque && pair->reference.is_opaque) {
      drop_alpha(difference, width);
    } else if (pair->actual.is_opaque || pair->reference.is_opaque) {
      make_opaque(pair, a, b, row);
    }
    if (pair->ignores_hidden_color) hide(pair, a, b, row);
    add_row(row, bytes, sum, squares, largest);
    split_color(difference, width, color + y * width);
    // Most pictures agree in alpha; its map begins with the first row that does not.
    if (!alpha_differs && largest[3] != 0) memset(alpha, 0, y * width * sizeof(float));
    alpha_differs = largest[3] != 0;
    if (alpha_differs) split_alpha(difference, width, alpha + y * width);
    if (pair->measures_steps) measure_relative(a, b, row, bytes, sums->relative);
  }
  for (size_t channel = 0; channel < 4; channel++) {
    sums->absolute[channel] = (double)sum[channel];
    sums->squared[channel] = (double)squares[channel];
    sums->largest[channel] = sums->steps[channel] = largest[channel];
  }
  sums->finite_pixels = width * pair->height;
  sums->color_differs = largest[0] || largest[1] || largest[2];
  sums->alpha_differs = alpha_differs;
  free(difference);
}

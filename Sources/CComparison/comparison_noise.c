// Whether two pictures may be draws of the same noise: the means of blocks, against how much the pixels of each block scatter.

#include "comparison_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8, CHANNELS = 3 };

typedef struct {
  double sums[CHANNELS][4]; // of a, b, aa, bb
  double pixels;
} block;

static size_t block_count(size_t side) { return side < 2 * BLOCK ? 1 : side / BLOCK; }

// The last block takes what is left over.
static size_t block_of(size_t place, size_t blocks) { return place / BLOCK < blocks ? place / BLOCK : blocks - 1; }

// Levels and their squares are summed exactly: eight squares of 255 stay below 2^24.
COMPARISON_WIDE static void add_pixels(const float *a, const float *b, size_t count, float scale, double sums[4]) {
  float first = 0, second = 0, first_squares = 0, second_squares = 0;
  for (size_t i = 0; i < count; i++) {
    const float left = a[i] * scale, right = b[i] * scale;
    first += left;
    second += right;
    first_squares += left * left;
    second_squares += right * right;
  }
  sums[0] += first;
  sums[1] += second;
  sums[2] += first_squares;
  sums[3] += second_squares;
}

static void add_row(const float *a, const float *b, size_t width, float scale, block *row, size_t blocks) {
  for (size_t column = 0; column < blocks; column++) {
    const size_t start = column * BLOCK, count = column + 1 < blocks ? BLOCK : width - start;
    row[column].pixels += (double)count;
    for (size_t channel = 0; channel < CHANNELS; channel++) {
      add_pixels(a + channel * width + start, b + channel * width + start, count, scale, row[column].sums[channel]);
    }
  }
}

// By how many standard errors the means of a block differ.
static double distance(const double sums[4], double pixels, double rounding) {
  const double a = sums[0] / pixels, b = sums[1] / pixels;
  const double scatter = fmax(sums[2] / pixels - a * a, 0) + fmax(sums[3] / pixels - b * b, 0);
  const double squared_error = (scatter * pixels / fmax(pixels - 1, 1) + rounding) / pixels;
  return squared_error > 0 ? fabs(a - b) / sqrt(squared_error) : a == b ? 0 : INFINITY;
}

comparison_noise_distance comparison_noise(const comparison_pair *pair) {
  const size_t width = pair->width, height = pair->height, columns = block_count(width), rows = block_count(height);
  float *a = comparison_memory(8 * width, sizeof(float)), *b = a + 4 * width;
  block *row = comparison_memory(columns, sizeof(block));
  memset(row, 0, columns * sizeof(block));
  comparison_noise_distance result = {.blocks = columns * rows};
  // Both pictures are rounded to levels, each by up to half a one.
  const double rounding = pair->white > 1 ? 2.0 / 12 : 0;
  for (size_t y = 0; y < height; y++) {
    comparison_read_visible_rows(pair, y, a, b);
    add_row(a, b, width, 1 / pair->unit, row, columns);
    if (y + 1 < height && block_of(y + 1, rows) == block_of(y, rows)) continue;
    for (size_t column = 0; column < columns; column++) {
      for (size_t channel = 0; channel < CHANNELS; channel++) {
        const double found = distance(row[column].sums[channel], row[column].pixels, rounding);
        if (found > result.largest) result = (comparison_noise_distance){result.blocks, found, column * BLOCK, block_of(y, rows) * BLOCK};
      }
    }
    memset(row, 0, columns * sizeof(block));
  }
  free(row);
  free(a);
  return result;
}

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

static void add_row(const float *a, const float *b, size_t width, double unit, block *row, size_t blocks) {
  for (size_t x = 0; x < width; x++) {
    block *into = &row[block_of(x, blocks)];
    into->pixels += 1;
    for (size_t channel = 0; channel < CHANNELS; channel++) {
      const double left = a[channel * width + x] / unit, right = b[channel * width + x] / unit;
      double *sums = into->sums[channel];
      sums[0] += left;
      sums[1] += right;
      sums[2] += left * left;
      sums[3] += right * right;
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
    add_row(a, b, width, pair->unit, row, columns);
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

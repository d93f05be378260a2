// Structural similarity of the brightness (Wang et al. 2004): square windows of 8 pixels at every fourth, each pixel with the same weight.

#include "comparison_rows.h"

#include <stdlib.h>
#include <string.h>

enum { SUMS = 5 }; // of a, b, aa, bb, ab
enum { BLOCK = 4 };

typedef struct {
  float values[SUMS];
  float pixels;
} block;

// Brightness around 0, which keeps the squares small, so that little is lost where they cancel.
COMPARISON_WIDE static void add_row(const float *a, const float *b, size_t width, float scale, float *sums) {
  for (size_t x = 0; x < width; x++) {
    const float left = a[x] * scale - 0.5f, right = b[x] * scale - 0.5f;
    sums[x] += left;
    sums[width + x] += right;
    sums[2 * width + x] += left * left;
    sums[3 * width + x] += right * right;
    sums[4 * width + x] += left * right;
  }
}

static void gather_blocks(const float *sums, size_t width, size_t rows, block *blocks) {
  for (size_t x = 0; x < width; x += BLOCK) {
    const size_t columns = width - x < BLOCK ? width - x : BLOCK;
    block *into = &blocks[x / BLOCK];
    *into = (block){.pixels = (float)(columns * rows)};
    for (size_t i = 0; i < SUMS; i++) {
      for (size_t k = 0; k < columns; k++) into->values[i] += sums[i * width + x + k];
    }
  }
}

static double similarity(const block *parts[], size_t count) {
  double sums[SUMS] = {0}, pixels = 0;
  for (size_t part = 0; part < count; part++) {
    for (size_t i = 0; i < SUMS; i++) sums[i] += parts[part]->values[i];
    pixels += parts[part]->pixels;
  }
  const double a = sums[0] / pixels, b = sums[1] / pixels;
  const double variance_a = sums[2] / pixels - a * a, variance_b = sums[3] / pixels - b * b, covariance = sums[4] / pixels - a * b;
  const double mean_a = a + 0.5, mean_b = b + 0.5, c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;
  return (2 * mean_a * mean_b + c1) * (2 * covariance + c2) / ((mean_a * mean_a + mean_b * mean_b + c1) * (variance_a + variance_b + c2));
}

typedef struct {
  double sum;
  size_t windows;
} total;

// Windows over two rows of blocks; `above` is NULL when the picture has only one.
static void add_windows(const block *above, const block *row, size_t blocks, total *total) {
  const size_t windows = blocks > 1 ? blocks - 1 : 1;
  for (size_t i = 0; i < windows; i++) {
    const block *parts[4];
    size_t count = 0;
    for (size_t k = i; k < i + 2 && k < blocks; k++) {
      parts[count++] = &row[k];
      if (above) parts[count++] = &above[k];
    }
    total->sum += similarity(parts, count);
  }
  total->windows += windows;
}

double comparison_structural_similarity(const comparison_pair *pair) {
  const size_t width = pair->width, height = pair->height, blocks = (width + BLOCK - 1) / BLOCK;
  float *memory = comparison_memory((10 + SUMS) * width, sizeof(float)), *a = memory + 8 * width, *b = a + width, *sums = b + width;
  block *rows[2] = {comparison_memory(blocks, sizeof(block)), comparison_memory(blocks, sizeof(block))};
  total total = {0, 0};
  for (size_t y = 0; y < height; y += BLOCK) {
    const size_t count = height - y < BLOCK ? height - y : BLOCK;
    memset(sums, 0, SUMS * width * sizeof(float));
    for (size_t k = 0; k < count; k++) {
      comparison_read_visible_luma(pair, y + k, memory, a, b);
      add_row(a, b, width, 1 / pair->white, sums);
    }
    block *row = rows[y / BLOCK % 2];
    gather_blocks(sums, width, count, row);
    if (y > 0 || height <= BLOCK) add_windows(y > 0 ? rows[(y / BLOCK + 1) % 2] : NULL, row, blocks, &total);
  }
  free(rows[0]);
  free(rows[1]);
  free(memory);
  return total.sum / (double)total.windows;
}

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

// The last block takes what is left over.
static size_t block_count(size_t side) { return side < 2 * BLOCK ? 1 : side / BLOCK; }

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

// The same for a block of RGBA8. Lanes are four pixels of four channels; a block of at most 15x15 adds 60 numbers to a lane.
COMPARISON_WIDE static void add_bytes(const uint8_t *bytes, size_t stride, size_t count, size_t height, double sums[CHANNELS][4], size_t sum) {
  longs16 total = {0}, squares = {0};
  for (size_t y = 0; y < height; y++) {
    for (size_t i = 0; i < count; i += 16) {
      bytes16 part = {0};
      if (i + 16 <= count) {
        memcpy(&part, bytes + y * stride + i, 16);
      } else {
        memcpy(&part, bytes + y * stride + i, count - i);
      }
      const words16 wide = __builtin_convertvector(part, words16);
      total += __builtin_convertvector(wide, longs16);
      squares += __builtin_convertvector(wide * wide, longs16);
    }
  }
  for (size_t channel = 0; channel < CHANNELS; channel++) {
    for (size_t lane = channel; lane < 16; lane += 4) {
      sums[channel][sum] += total[lane];
      sums[channel][sum + 2] += squares[lane];
    }
  }
}

static void add_blocks_rgba8(const comparison_pair *pair, size_t top, size_t height, block *row, size_t blocks) {
  const uint8_t *a = pair->actual.pixels, *b = pair->reference.pixels;
  for (size_t column = 0; column < blocks; column++) {
    const size_t left = column * BLOCK, width = column + 1 < blocks ? BLOCK : pair->width - left;
    const size_t start = 4 * (top * pair->width + left), stride = 4 * pair->width;
    row[column].pixels = (double)(width * height);
    add_bytes(a + start, stride, 4 * width, height, row[column].sums, 0);
    add_bytes(b + start, stride, 4 * width, height, row[column].sums, 1);
  }
}

static void add_blocks(const comparison_pair *pair, size_t top, size_t height, float *rows, block *row, size_t blocks) {
  float *a = rows, *b = rows + 4 * pair->width;
  for (size_t y = top; y < top + height; y++) {
    comparison_read_visible_rows(pair, y, a, b);
    add_row(a, b, pair->width, 1 / pair->unit, row, blocks);
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
  const size_t columns = block_count(pair->width), rows = block_count(pair->height);
  const bool is_rgba8 = comparison_is_rgba8(pair) && !pair->ignores_hidden_color;
  float *scratch = comparison_memory(8 * pair->width, sizeof(float));
  block *row = comparison_memory(columns, sizeof(block));
  comparison_noise_distance result = {.blocks = columns * rows};
  // Both pictures are rounded to levels, each by up to half a one.
  const double rounding = pair->white > 1 ? 2.0 / 12 : 0;
  for (size_t y = 0; y < rows; y++) {
    const size_t top = y * BLOCK, height = y + 1 < rows ? BLOCK : pair->height - top;
    memset(row, 0, columns * sizeof(block));
    if (is_rgba8) {
      add_blocks_rgba8(pair, top, height, row, columns);
    } else {
      add_blocks(pair, top, height, scratch, row, columns);
    }
    for (size_t column = 0; column < columns; column++) {
      for (size_t channel = 0; channel < CHANNELS; channel++) {
        const double found = distance(row[column].sums[channel], row[column].pixels, rounding);
        if (found > result.largest) result = (comparison_noise_distance){result.blocks, found, column * BLOCK, top};
      }
    }
  }
  free(row);
  free(scratch);
  return result;
}

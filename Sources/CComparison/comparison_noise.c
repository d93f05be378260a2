// Whether two pictures may be draws of the same noise: the means of windows of all sizes, against how much the pixels of each window scatter.

#include "comparison_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8, CHANNELS = 3, MOST_SIZES = 64 };

// The sums over a window; the smallest windows are blocks.
typedef struct {
  double sums[CHANNELS][4]; // of a, b, aa, bb
  double pixels;
} window;

// The windows of one size. One row of them is summed at a time; the last ones of a row and of a column take what is left over.
typedef struct {
  size_t side, columns, rows;
  size_t finished_rows;
  window *row;
} window_size;

static size_t block_count(size_t side) { return side < 2 * BLOCK ? 1 : side / BLOCK; }

// Of two windows one becomes; an odd last one joins its neighbor.
static size_t half_of(size_t windows) { return windows < 2 ? 1 : windows / 2; }

static size_t smaller_of(size_t a, size_t b) { return a < b ? a : b; }

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

static void add_row(const float *a, const float *b, size_t width, float scale, window *row, size_t blocks) {
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

static void add_blocks_rgba8(const comparison_pair *pair, size_t top, size_t height, window *row, size_t blocks) {
  const uint8_t *a = pair->actual.pixels, *b = pair->reference.pixels;
  for (size_t column = 0; column < blocks; column++) {
    const size_t left = column * BLOCK, width = column + 1 < blocks ? BLOCK : pair->width - left;
    const size_t start = 4 * (top * pair->width + left), stride = 4 * pair->width;
    row[column].pixels = (double)(width * height);
    add_bytes(a + start, stride, 4 * width, height, row[column].sums, 0);
    add_bytes(b + start, stride, 4 * width, height, row[column].sums, 1);
  }
}

static void add_blocks(const comparison_pair *pair, size_t top, size_t height, float *rows, window *row, size_t blocks) {
  float *a = rows, *b = rows + 4 * pair->width;
  for (size_t y = top; y < top + height; y++) {
    comparison_read_visible_rows(pair, y, a, b);
    add_row(a, b, pair->width, 1 / pair->unit, row, blocks);
  }
}

// The difference of two means by its standard error, and how many numbers the error is known from (Welch and Satterthwaite).
typedef struct {
  double errors, freedom;
} mean_difference;

static mean_difference compare_means(const double sums[4], double pixels, double rounding) {
  const double a = sums[0] / pixels, b = sums[1] / pixels, others = fmax(pixels - 1, 1);
  const double first = fmax(sums[2] / pixels - a * a, 0) * pixels / others, second = fmax(sums[3] / pixels - b * b, 0) * pixels / others;
  const double scatter = first + second + rounding;
  // Of numbers whose squares are too large for a float nothing is known but whether the means are the same.
  if (scatter == 0 || !isfinite(scatter)) return (mean_difference){a == b && isfinite(a) ? 0 : INFINITY, INFINITY};
  return (mean_difference){fabs(a - b) / sqrt(scatter / pixels), scatter * scatter * others / (first * first + second * second)};
}

// As many errors of a normal distribution as are that improbable: Student's t in the approximation of Wallace (1959). Never more.
static double normal_errors(mean_difference found) {
  const double freedom = found.freedom;
  if (found.errors == INFINITY || freedom > 1e9) return found.errors;
  return (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(found.errors * found.errors / freedom));
}

static void judge_row(const window_size *size, const comparison_pair *pair, comparison_noise_distance *result) {
  // Both pictures are rounded to levels, each by up to half a one.
  const double rounding = pair->white > 1 ? 2.0 / 12 : 0;
  for (size_t column = 0; column < size->columns; column++) {
    for (size_t channel = 0; channel < CHANNELS; channel++) {
      const mean_difference means = compare_means(size->row[column].sums[channel], size->row[column].pixels, rounding);
      if (means.errors <= result->largest) continue;
      const double found = normal_errors(means);
      if (found <= result->largest) continue;
      const size_t x = column * size->side, y = size->finished_rows * size->side;
      *result = (comparison_noise_distance){
          .windows = result->windows, .largest = found, .x = x, .y = y,
          .width = column + 1 < size->columns ? size->side : pair->width - x,
          .height = size->finished_rows + 1 < size->rows ? size->side : pair->height - y};
    }
  }
}

static void add_window(window *sum, const window *part) {
  sum->pixels += part->pixels;
  for (size_t channel = 0; channel < CHANNELS; channel++) {
    for (size_t i = 0; i < 4; i++) sum->sums[channel][i] += part->sums[channel][i];
  }
}

// Judges a row of windows of which all pixels are summed, and hands its sums to the next size, whose row may be complete, too.
static void finish_row(window_size *size, const comparison_pair *pair, comparison_noise_distance *result) {
  judge_row(size, pair, result);
  size->finished_rows++;
  if (size->columns * size->rows == 1) return;
  window_size *next = size + 1;
  for (size_t column = 0; column < size->columns; column++) {
    add_window(&next->row[smaller_of(column / 2, next->columns - 1)], &size->row[column]);
  }
  memset(size->row, 0, size->columns * sizeof(window));
  const bool was_last = size->finished_rows == size->rows;
  if (was_last || smaller_of(size->finished_rows / 2, next->rows - 1) > next->finished_rows) finish_row(next, pair, result);
}

// Blocks, windows of four blocks, and so on up to the whole picture; returns how many windows there are.
static size_t make_sizes(const comparison_pair *pair, window_size sizes[MOST_SIZES]) {
  sizes[0] = (window_size){.side = BLOCK, .columns = block_count(pair->width), .rows = block_count(pair->height)};
  for (size_t i = 0, windows = 0;; i++) {
    window_size *size = &sizes[i];
    size->row = comparison_memory(size->columns, sizeof(window));
    windows += size->columns * size->rows;
    if (size->columns * size->rows == 1) return windows;
    sizes[i + 1] = (window_size){.side = 2 * size->side, .columns = half_of(size->columns), .rows = half_of(size->rows)};
  }
}

comparison_noise_distance comparison_noise(const comparison_pair *pair) {
  const bool is_rgba8 = comparison_is_rgba8(pair) && !pair->ignores_hidden_color;
  float *scratch = comparison_memory(8 * pair->width, sizeof(float));
  window_size sizes[MOST_SIZES] = {0}, *blocks = &sizes[0];
  comparison_noise_distance result = {.windows = make_sizes(pair, sizes)};
  for (size_t y = 0; y < blocks->rows; y++) {
    const size_t top = y * BLOCK, height = y + 1 < blocks->rows ? BLOCK : pair->height - top;
    if (is_rgba8) {
      add_blocks_rgba8(pair, top, height, blocks->row, blocks->columns);
    } else {
      add_blocks(pair, top, height, scratch, blocks->row, blocks->columns);
    }
    finish_row(blocks, pair, &result);
  }
  for (size_t i = 0; i < MOST_SIZES; i++) free(sizes[i].row);
  free(scratch);
  return result;
}

// Structural similarity by Gaussian windows (Wang et al. 2004, as scikit-image has it): 11x11 pixels, a standard deviation of 1.5, sums over the
// population, and only windows that lie within the picture.

#include "comparison_rows.h"

#include <math.h>
#include <stdlib.h>

enum { REACH = 5, TAPS = 2 * REACH + 1 };
enum { SUMS = 4 }; // of a, b, aa + bb, ab
enum { CHANNELS = 3 };

// The weights of the pixel in the middle and of those beside it.
static void fill_weights(double weights[REACH + 1]) {
  double sum = 0;
  for (int i = 0; i <= REACH; i++) {
    weights[i] = exp(-0.5 * i * i / (1.5 * 1.5));
    sum += i ? 2 * weights[i] : weights[i];
  }
  for (int i = 0; i <= REACH; i++) weights[i] /= sum;
}

// Windows along a row: `count` sums, the first around the pixel REACH.
COMPARISON_WIDE static void filter_row(const double *values, size_t count, const double *weights, double *sums) {
  const double *middle = values + REACH;
  for (size_t x = 0; x < count; x++) {
    double sum = weights[0] * middle[x];
    for (size_t i = 1; i <= REACH; i++) sum += weights[i] * (middle[x - i] + middle[x + i]);
    sums[x] = sum;
  }
}

// The same over rows, whose first is the uppermost of the windows.
COMPARISON_WIDE static void filter_column(const double *const rows[TAPS], size_t count, const double *weights, double *sums) {
  for (size_t x = 0; x < count; x++) {
    double sum = weights[0] * rows[REACH][x];
    for (size_t i = 1; i <= REACH; i++) sum += weights[i] * (rows[REACH - i][x] + rows[REACH + i][x]);
    sums[x] = sum;
  }
}

COMPARISON_WIDE static void prepare(const float *a, const float *b, size_t width, double scale, double *planes) {
  double *left = planes, *right = planes + width, *squares = planes + 2 * width, *products = planes + 3 * width;
  for (size_t x = 0; x < width; x++) {
    const double one = a[x] * scale, other = b[x] * scale;
    left[x] = one;
    right[x] = other;
    squares[x] = one * one + other * other;
    products[x] = one * other;
  }
}

COMPARISON_WIDE static void compare(const double *sums, size_t count, size_t width, double *similarities) {
  const double c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;
  for (size_t x = 0; x < count; x++) {
    const double a = sums[x], b = sums[width + x], means = a * a + b * b, product = a * b;
    const double variances = sums[2 * width + x] - means, covariance = sums[3 * width + x] - product;
    similarities[x] = (2 * product + c1) * (2 * covariance + c2) / ((means + c1) * (variances + c2));
  }
}

double comparison_gaussian_similarity(const comparison_pair *pair) {
  const size_t width = pair->width, height = pair->height, stride = width;
  if (width < TAPS || height < TAPS) return NAN;
  const size_t count = width - 2 * REACH;
  double weights[REACH + 1];
  fill_weights(weights);
  float *pixels = comparison_memory(8 * width, sizeof(float));
  // For each channel a ring of filtered rows, for each of them all sums.
  double *ring = comparison_memory((size_t)CHANNELS * TAPS * SUMS * stride, sizeof(double));
  double *planes = comparison_memory(2 * SUMS * stride, sizeof(double)), *sums = planes + SUMS * stride;
  double total = 0;
  for (size_t y = 0; y < height; y++) {
    comparison_read_visible_rows(pair, y, pixels, pixels + 4 * width);
    for (size_t channel = 0; channel < CHANNELS; channel++) {
      double *rows = ring + channel * TAPS * SUMS * stride;
      prepare(pixels + channel * width, pixels + (4 + channel) * width, width, 1 / (double)pair->white, planes);
      for (size_t i = 0; i < SUMS; i++) filter_row(planes + i * width, count, weights, rows + (y % TAPS * SUMS + i) * stride);
      if (y + 1 < TAPS) continue;
      for (size_t i = 0; i < SUMS; i++) {
        const double *window[TAPS];
        for (size_t k = 0; k < TAPS; k++) window[k] = rows + ((y + 1 + k) % TAPS * SUMS + i) * stride;
        filter_column(window, count, weights, sums + i * stride);
      }
      compare(sums, count, stride, planes);
      for (size_t x = 0; x < count; x++) total += planes[x];
    }
  }
  free(pixels);
  free(ring);
  free(planes);
  return total / ((double)CHANNELS * (double)count * (double)(height - 2 * REACH));
}

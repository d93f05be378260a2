// The exposures at which HDR-FLIP looks at pictures (Andersson et al. 2021), and the response of the film: ACES as Narkowicz fits it, without
// the exposure that the fit begins with.

#include "comparison_flip.h"
#include "comparison_math.h"

#include <math.h>
#include <stdlib.h>

// (a x^2 + b x) / (c x^2 + d x + e)
static const float a = 0.6f * 0.6f * 2.51f, b = 0.6f * 0.03f, c = 0.6f * 0.6f * 2.43f, d = 0.6f * 0.59f, e = 0.14f;

COMPARISON_WIDE void flip_expose_row(float *numbers, size_t count, float factor) {
  for (size_t i = 0; i < count; i++) {
    // The square of what is far beyond white would be infinite; the film has reached white long before.
    const float exposed = factor * numbers[i], x = exposed < 0 ? 0 : exposed > 1e6f ? 1e6f : exposed;
    const float response = (a * x * x + b * x) / (c * x * x + d * x + e);
    numbers[i] = response > 1 ? 1 : response;
  }
}

// The light that the film shows as 0.85 of white.
static float bright_light(void) {
  const float t = 0.85f, square = a - t * c, linear = b - t * d, constant = -t * e;
  const float half = -0.5f * (linear / square);
  return half + sqrtf(half * half - constant / square);
}

enum { HALVES = 1 << 16 };

static size_t place_of(uint32_t *counts, size_t *rank) {
  size_t place = 0;
  while (counts[place] <= *rank) *rank -= counts[place++];
  return place;
}

// The number at a rank of positive ones: their bits have the same order, and are counted by halves.
static float number_at(const float *numbers, size_t count, size_t rank) {
  uint32_t *counts = comparison_memory(HALVES, sizeof(uint32_t));
  for (size_t i = 0; i < HALVES; i++) counts[i] = 0;
  for (size_t i = 0; i < count; i++) counts[(uint32_t)comparison_to_bits(numbers[i]) >> 16]++;
  const uint32_t high = (uint32_t)place_of(counts, &rank);
  for (size_t i = 0; i < HALVES; i++) counts[i] = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t bits = (uint32_t)comparison_to_bits(numbers[i]);
    if (bits >> 16 == high) counts[bits & 0xffff]++;
  }
  const uint32_t low = (uint32_t)place_of(counts, &rank);
  free(counts);
  return comparison_from_bits((int32_t)(high << 16 | low));
}

// The brightness of the pixels that have any; returns how many those are.
static size_t read_brightness(const comparison_pair *pair, float *brightness) {
  const size_t width = pair->width;
  float *row = comparison_memory(4 * width, sizeof(float));
  size_t lit = 0;
  for (size_t y = 0; y < pair->height; y++) {
    comparison_read_row(pair, &pair->reference, y, row);
    for (size_t x = 0; x < width; x++) {
      const float light = 0.2126f * row[x] + 0.7152f * row[width + x] + 0.0722f * row[2 * width + x];
      if (isfinite(light) && light > 0) brightness[lit++] = light;
    }
  }
  free(row);
  return lit;
}

comparison_exposures comparison_find_exposures(const comparison_pair *pair) {
  const size_t count = pair->width * pair->height;
  float *brightness = comparison_memory(count, sizeof(float));
  const size_t lit = read_brightness(pair, brightness);
  comparison_exposures exposures = {.count = 1};
  if (lit > 0) {
    // The median of all pixels; of those that are not black where half of them are, which have no exposure.
    const size_t black = count - lit, rank = count / 2;
    const float median = number_at(brightness, lit, rank >= black ? rank - black : lit / 2), largest = number_at(brightness, lit, lit - 1);
    exposures.start = log2f(bright_light() / largest);
    exposures.stop = log2f(bright_light() / median);
    const float stops = ceilf(exposures.stop - exposures.start);
    exposures.count = stops < 2 ? 2 : stops > FLIP_MOST_EXPOSURES ? FLIP_MOST_EXPOSURES : (uint32_t)stops;
  }
  free(brightness);
  return exposures;
}

// Distances in OKLab (Ottosson 2020): lightness by its difference, the two other axes by their distance (HyAB).

#include "comparison_light.h"
#include "comparison_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 64 };

COMPARISON_WIDE static void to_oklab(float *red, float *green, float *blue, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float l = comparison_cube_root(0.4122214708f * red[i] + 0.5363325363f * green[i] + 0.0514459929f * blue[i]);
    const float m = comparison_cube_root(0.2119034982f * red[i] + 0.6806995451f * green[i] + 0.1073969566f * blue[i]);
    const float s = comparison_cube_root(0.0883024619f * red[i] + 0.2817188376f * green[i] + 0.6299787005f * blue[i]);
    red[i] = 0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s;
    green[i] = 1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s;
    blue[i] = 0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s;
  }
}

COMPARISON_WIDE static void distances_of(float a[3][PIECE], float b[3][PIECE], size_t count, float *distances) {
  for (size_t i = 0; i < count; i++) {
    const float green = a[1][i] - b[1][i], blue = a[2][i] - b[2][i];
    distances[i] = fabsf(a[0][i] - b[0][i]) + sqrtf(green * green + blue * blue);
  }
}

static bool are_equal(const float *a, const float *b, size_t width, size_t x, size_t count) {
  for (size_t channel = 0; channel < 3; channel++) {
    if (memcmp(a + channel * width + x, b + channel * width + x, count * sizeof(float)) != 0) return false;
  }
  return true;
}

static void measure_piece(
    const comparison_light *light, const float *a, const float *b, size_t width, size_t x, size_t count, float *distances) {
  float left[3][PIECE], right[3][PIECE];
  for (size_t channel = 0; channel < 3; channel++) {
    comparison_decode_light(light, a + channel * width + x, count, left[channel]);
    comparison_decode_light(light, b + channel * width + x, count, right[channel]);
  }
  to_oklab(left[0], left[1], left[2], count);
  to_oklab(right[0], right[1], right[2], count);
  distances_of(left, right, count, distances);
}

static void collect(const float *distances, size_t count, float level, uint8_t *marks, comparison_distances *result) {
  float sum = 0, largest = result->largest;
  uint32_t marked = 0;
  for (size_t i = 0; i < count; i++) {
    sum += distances[i];
    if (distances[i] > largest) largest = distances[i];
    marks[i] = distances[i] > level;
    marked += marks[i];
  }
  result->sum += sum;
  result->largest = largest;
  result->marks += marked;
}

comparison_distances comparison_oklab(const comparison_pair *pair, float distance, uint8_t *marks) {
  const size_t width = pair->width;
  float *a = comparison_memory(8 * width, sizeof(float)), *b = a + 4 * width;
  comparison_light light = comparison_make_light(pair);
  comparison_distances result = {0};
  for (size_t y = 0; y < pair->height; y++) {
    uint8_t *row = marks + y * width;
    comparison_read_visible_rows(pair, y, a, b);
    for (size_t x = 0; x < width; x += PIECE) {
      const size_t count = width - x < PIECE ? width - x : PIECE;
      float distances[PIECE];
      if (are_equal(a, b, width, x, count)) {
        memset(row + x, 0, count);
        continue;
      }
      measure_piece(&light, a, b, width, x, count, distances);
      collect(distances, count, distance, row + x, &result);
    }
  }
  comparison_free_light(&light);
  free(a);
  return result;
}

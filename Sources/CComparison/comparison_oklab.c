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

// A row of both pictures: as bytes of RGBA8, or as planes of numbers.
typedef struct {
  const comparison_light *light;
  const uint8_t *a_bytes, *b_bytes; // NULL where there are planes
  const float *a, *b;
  size_t width;
} pair_row;

static bool are_equal(const pair_row *row, size_t x, size_t count) {
  if (row->a_bytes) return memcmp(row->a_bytes + 4 * x, row->b_bytes + 4 * x, 4 * count) == 0;
  for (size_t channel = 0; channel < 3; channel++) {
    const size_t start = channel * row->width + x;
    if (memcmp(row->a + start, row->b + start, count * sizeof(float)) != 0) return false;
  }
  return true;
}

static void decode(const pair_row *row, const uint8_t *bytes, const float *planes, size_t x, size_t count, float lights[3][PIECE]) {
  if (bytes) {
    comparison_decode_rgba8(row->light, bytes + 4 * x, count, lights[0], lights[1], lights[2]);
    return;
  }
  for (size_t channel = 0; channel < 3; channel++) {
    comparison_decode_light(row->light, planes + channel * row->width + x, count, lights[channel]);
  }
}

static void measure_piece(const pair_row *row, size_t x, size_t count, float *distances) {
  float left[3][PIECE], right[3][PIECE];
  decode(row, row->a_bytes, row->a, x, count, left);
  decode(row, row->b_bytes, row->b, x, count, right);
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
    // A distance that is too large for a float is beyond every other.
    marks[i] = !(distances[i] <= level);
    marked += marks[i];
  }
  result->sum += sum;
  result->largest = largest;
  result->marks += marked;
}

static void measure_row(const pair_row *row, float distance, uint8_t *marks, comparison_distances *result) {
  for (size_t x = 0; x < row->width; x += PIECE) {
    const size_t count = row->width - x < PIECE ? row->width - x : PIECE;
    if (are_equal(row, x, count)) {
      memset(marks + x, 0, count);
      continue;
    }
    float distances[PIECE];
    measure_piece(row, x, count, distances);
    collect(distances, count, distance, marks + x, result);
  }
}

comparison_distances comparison_oklab(const comparison_pair *pair, float distance, uint8_t *marks) {
  const size_t width = pair->width;
  const bool is_rgba8 = comparison_is_rgba8(pair) && pair->white == 255 && !pair->ignores_hidden_color;
  float *planes = comparison_memory(8 * width, sizeof(float));
  comparison_light light = comparison_make_light(pair);
  comparison_distances result = {0};
  for (size_t y = 0; y < pair->height; y++) {
    pair_row row = {.light = &light, .a = planes, .b = planes + 4 * width, .width = width};
    if (is_rgba8) {
      row.a_bytes = (const uint8_t *)pair->actual.pixels + 4 * y * width;
      row.b_bytes = (const uint8_t *)pair->reference.pixels + 4 * y * width;
    } else {
      comparison_read_visible_rows(pair, y, planes, planes + 4 * width);
    }
    measure_row(&row, distance, marks + y * width, &result);
  }
  comparison_free_light(&light);
  free(planes);
  return result;
}

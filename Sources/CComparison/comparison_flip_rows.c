// Filters rows, keeps the newest, and filters their columns: pieces of rows at a time, whose sums stay in registers.

#include "comparison_flip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 32 };

static size_t padded_width(size_t width) { return (width + PIECE - 1) / PIECE * PIECE; }

flip_ring flip_make_ring(const flip_filters *filters, size_t width) {
  flip_ring ring = {.width = width, .rows = 2 * filters->radius + 1, .stride = padded_width(width), .radius = filters->radius};
  ring.memory = comparison_memory(ring.rows * FLIP_PLANES * ring.stride, sizeof(float));
  ring.padded = comparison_memory(3 * (ring.stride + 2 * ring.radius), sizeof(float));
  return ring;
}

void flip_free_ring(flip_ring *ring) {
  free(ring->memory);
  free(ring->padded);
}

static float *plane_of(const flip_ring *ring, size_t y, enum flip_plane plane) {
  return ring->memory + (y % ring->rows * FLIP_PLANES + plane) * ring->stride;
}

// A plane with its first and last number repeated at both ends.
static float *pad(const flip_ring *ring, size_t plane, const float *numbers) {
  float *padded = ring->padded + plane * (ring->stride + 2 * ring->radius);
  const size_t room = ring->stride + ring->radius - ring->width;
  for (size_t i = 0; i < ring->radius; i++) padded[i] = numbers[0];
  memcpy(padded + ring->radius, numbers, ring->width * sizeof(float));
  for (size_t i = 0; i < room; i++) padded[ring->radius + ring->width + i] = numbers[ring->width - 1];
  return padded + ring->radius;
}

COMPARISON_WIDE static void filter_row(const flip_filter *filter, const float *numbers, size_t stride, float *filtered) {
  for (size_t x = 0; x < stride; x += PIECE) {
    float sums[PIECE];
    const float *centre = numbers + x;
    for (size_t i = 0; i < PIECE; i++) sums[i] = filter->weights[0] * centre[i];
    for (size_t k = 1; k <= filter->radius; k++) {
      const float *left = centre - k, *right = centre + k, weight = filter->weights[k];
      for (size_t i = 0; i < PIECE; i++) sums[i] += weight * (left[i] + right[i]);
    }
    memcpy(filtered + x, sums, sizeof sums);
  }
}

COMPARISON_WIDE static void filter_slope(const flip_filter *filter, const float *numbers, size_t stride, float *filtered) {
  for (size_t x = 0; x < stride; x += PIECE) {
    float sums[PIECE] = {0};
    const float *centre = numbers + x;
    for (size_t k = 1; k <= filter->radius; k++) {
      const float *left = centre - k, *right = centre + k, weight = filter->weights[k];
      for (size_t i = 0; i < PIECE; i++) sums[i] += weight * (right[i] - left[i]);
    }
    memcpy(filtered + x, sums, sizeof sums);
  }
}

void flip_push_row(const flip_filters *filters, flip_ring *ring, size_t y, float *light) {
  const size_t width = ring->width, stride = ring->stride;
  flip_light_to_contrast(light, width);
  const float *achromatic = pad(ring, 0, light), *red_green = pad(ring, 1, light + width), *blue_yellow = pad(ring, 2, light + 2 * width);
  filter_row(&filters->achromatic, achromatic, stride, plane_of(ring, y, FLIP_ACHROMATIC));
  filter_row(&filters->red_green, red_green, stride, plane_of(ring, y, FLIP_RED_GREEN));
  filter_row(&filters->blue_yellow[0], blue_yellow, stride, plane_of(ring, y, FLIP_BLUE_YELLOW_1));
  filter_row(&filters->blue_yellow[1], blue_yellow, stride, plane_of(ring, y, FLIP_BLUE_YELLOW_2));
  filter_row(&filters->smooth, achromatic, stride, plane_of(ring, y, FLIP_SMOOTH));
  filter_slope(&filters->slope, achromatic, stride, plane_of(ring, y, FLIP_SLOPE));
  filter_row(&filters->bend, achromatic, stride, plane_of(ring, y, FLIP_BEND));
}

// The rows above and below one, the first and last repeated at the ends.
typedef struct {
  const float *above[FLIP_LARGEST_RADIUS + 1], *below[FLIP_LARGEST_RADIUS + 1];
} column;

static column rows_around(const flip_ring *ring, enum flip_plane plane, size_t y, size_t height, size_t radius) {
  column rows;
  for (size_t k = 0; k <= radius; k++) {
    rows.above[k] = plane_of(ring, y >= k ? y - k : 0, plane);
    rows.below[k] = plane_of(ring, y + k < height ? y + k : height - 1, plane);
  }
  return rows;
}

COMPARISON_WIDE static void filter_columns(const flip_filter *filter, const column *rows, size_t width, float *filtered) {
  for (size_t x = 0; x < width; x += PIECE) {
    float sums[PIECE];
    for (size_t i = 0; i < PIECE; i++) sums[i] = filter->weights[0] * rows->above[0][x + i];
    for (size_t k = 1; k <= filter->radius; k++) {
      const float *above = rows->above[k] + x, *below = rows->below[k] + x, weight = filter->weights[k];
      for (size_t i = 0; i < PIECE; i++) sums[i] += weight * (above[i] + below[i]);
    }
    memcpy(filtered + x, sums, (width - x < PIECE ? width - x : PIECE) * sizeof(float));
  }
}

COMPARISON_WIDE static void filter_columns_slope(const flip_filter *filter, const column *rows, size_t width, float *filtered) {
  for (size_t x = 0; x < width; x += PIECE) {
    float sums[PIECE] = {0};
    for (size_t k = 1; k <= filter->radius; k++) {
      const float *above = rows->above[k] + x, *below = rows->below[k] + x, weight = filter->weights[k];
      for (size_t i = 0; i < PIECE; i++) sums[i] += weight * (below[i] - above[i]);
    }
    memcpy(filtered + x, sums, (width - x < PIECE ? width - x : PIECE) * sizeof(float));
  }
}

static void filter_plane(
    const flip_filter *filter, const flip_ring *ring, enum flip_plane plane, size_t y, size_t height, float *filtered) {
  const column rows = rows_around(ring, plane, y, height, filter->radius);
  filter_columns(filter, &rows, ring->width, filtered);
}

COMPARISON_WIDE static void mix(float *into, const float *other, const float shares[2], size_t width) {
  for (size_t x = 0; x < width; x++) into[x] = shares[0] * into[x] + shares[1] * other[x];
}

// The length of two directions, in fractions of white: the brightness channel counts to 116.
COMPARISON_WIDE static void lengths(float *into, const float *other, size_t width) {
  for (size_t x = 0; x < width; x++) into[x] = sqrtf(into[x] * into[x] + other[x] * other[x]) / 116.0f;
}

void flip_see_row(const flip_filters *filters, const flip_ring *ring, size_t y, size_t height, float *sights) {
  const size_t width = ring->width;
  float *scratch = sights + FLIP_SIGHTS * width;
  filter_plane(&filters->achromatic, ring, FLIP_ACHROMATIC, y, height, sights);
  filter_plane(&filters->red_green, ring, FLIP_RED_GREEN, y, height, sights + width);
  filter_plane(&filters->blue_yellow[0], ring, FLIP_BLUE_YELLOW_1, y, height, sights + 2 * width);
  filter_plane(&filters->blue_yellow[1], ring, FLIP_BLUE_YELLOW_2, y, height, scratch);
  mix(sights + 2 * width, scratch, filters->blue_yellow_shares, width);
  flip_contrast_to_lab(sights, width);
  filter_plane(&filters->smooth, ring, FLIP_SLOPE, y, height, sights + FLIP_EDGE * width);
  const column smooth = rows_around(ring, FLIP_SMOOTH, y, height, filters->slope.radius);
  filter_columns_slope(&filters->slope, &smooth, width, scratch);
  lengths(sights + FLIP_EDGE * width, scratch, width);
  filter_plane(&filters->smooth, ring, FLIP_BEND, y, height, sights + FLIP_POINT * width);
  filter_columns(&filters->bend, &smooth, width, scratch);
  lengths(sights + FLIP_POINT * width, scratch, width);
}

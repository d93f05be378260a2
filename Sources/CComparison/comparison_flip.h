// The parts of FLIP.
#pragma once

#include "comparison_rows.h"

// Filters of one dimension; a two-dimensional one is a row filter and then a column filter.
enum { FLIP_LARGEST_RADIUS = 160, FLIP_MOST_EXPOSURES = 64 };
typedef struct {
  size_t radius;
  float weights[FLIP_LARGEST_RADIUS + 1]; // of the centre and one side; the other side mirrors it
} flip_filter;

// What the eye still sees at a distance, in the three channels of contrast (the third is a sum of two filters), and what it takes for
// edges and points.
typedef struct {
  flip_filter achromatic, red_green, blue_yellow[2];
  float blue_yellow_shares[2];
  flip_filter smooth, slope, bend; // `slope` is odd: the mirrored side is negative
  size_t radius;                   // the largest
} flip_filters;
flip_filters flip_make_filters(float pixels_per_degree);

// The rows that a filter over columns needs: planes of filtered rows, the newest `2 * radius + 1`.
enum flip_plane { FLIP_ACHROMATIC, FLIP_RED_GREEN, FLIP_BLUE_YELLOW_1, FLIP_BLUE_YELLOW_2, FLIP_SMOOTH, FLIP_SLOPE, FLIP_BEND, FLIP_PLANES };
typedef struct {
  size_t width, rows, stride;
  float *memory;  // [row][plane][stride]
  float *padded;  // three planes of a row before filtering, with `radius` more at each end
  size_t radius;
} flip_ring;
flip_ring flip_make_ring(const flip_filters *filters, size_t width);
void flip_free_ring(flip_ring *ring);

// Filters a row of light (three planes of `width`) and puts it into the ring.
void flip_push_row(const flip_filters *filters, flip_ring *ring, size_t y, float *light);

// What the eye sees of a row: lightness, two axes of color, strength of edges, strength of points.
enum flip_sight { FLIP_L, FLIP_A, FLIP_B, FLIP_EDGE, FLIP_POINT, FLIP_SIGHTS };
void flip_see_row(const flip_filters *filters, const flip_ring *ring, size_t y, size_t height, float *sights);

// Light to contrast channels and back to a uniform color space, in place, three planes of `width`.
void flip_light_to_contrast(float *planes, size_t width);
void flip_contrast_to_lab(float *planes, size_t width);

// The error of each pixel of a row from what the eye sees of both pictures.
void flip_judge_row(const float *actual, const float *reference, size_t width, float *errors);

// Makes light of any strength into light from 0 to 1: `factor` times as much, through the response of a film.
void flip_expose_row(float *numbers, size_t count, float factor);

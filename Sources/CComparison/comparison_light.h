// Light of sRGB-encoded numbers.
#pragma once

#include "comparison_rows.h"

// Reads encoded numbers as light: a table for integer formats, the formula for floats.
typedef struct {
  float *table; // NULL for floats
} comparison_light;

comparison_light comparison_make_light(const comparison_pair *pair);
void comparison_free_light(comparison_light *light);

// Turns `count` raw numbers into light; numbers beyond 0 and 1 follow the curve, negative ones mirrored. Both may
// be the same place.
void comparison_decode_light(const comparison_light *light, const float *numbers, size_t count, float *decoded_numbers);

// The same for `count` pixels of RGBA8 in pictures whose white is 255.
void comparison_decode_rgba8(const comparison_light *light, const uint8_t *pixels, size_t count, float *red, float *green, float *blue);

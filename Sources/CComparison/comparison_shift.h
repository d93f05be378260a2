// Shifts of color of RGBA8 pictures, by bytes.
#pragma once

#include "comparison_rows.h"

// Three rows of each picture as planes of bytes, with one column more at each end.
typedef struct {
  uint8_t *memory; // NULL for pictures of other formats
  uint8_t *planes[2][3], *there, *back;
  size_t held[2][3];
} comparison_byte_rows;

comparison_byte_rows comparison_make_byte_rows(size_t width);

// What is left of the differences of color in the middle one of three rows.
void comparison_shift_bytes(const comparison_pair *pair, comparison_byte_rows *bytes, const size_t rows[3], float *shifted);

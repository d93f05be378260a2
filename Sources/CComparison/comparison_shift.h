// Shifts by a pixel: of the picture as a whole, and of color of RGBA8 pictures by bytes.
#pragma once

#include "comparison_rows.h"

// By how many pixels all of the actual picture has moved against the reference, to the right and down.
typedef struct {
  int x, y;
} comparison_move;

// By 0 pixels where no move, or no single one, explains more than half of what differs in the inner pixels (of at most 64 rows).
comparison_move comparison_find_move(const comparison_pair *pair);

// Sets differences of a row to 0 for pixels that have come in (`there`, from the actual picture) and for those that have left (`back`, from the
// reference). Numbers have `number_size` bytes.
void comparison_leave_out(const comparison_pair *pair, comparison_move move, size_t y, void *there, void *back, size_t number_size);

// Three rows of each picture as planes of bytes, with one column more at each end.
typedef struct {
  uint8_t *memory; // NULL for pictures of other formats
  uint8_t *planes[2][3], *there, *back;
  size_t held[2][3];
} comparison_byte_rows;

comparison_byte_rows comparison_make_byte_rows(size_t width);

// What is left of the differences of color in the middle one of three rows of pictures of which one moved.
void comparison_shift_bytes(
    const comparison_pair *pair, comparison_byte_rows *bytes, const size_t rows[3], comparison_move move, float *shifted);

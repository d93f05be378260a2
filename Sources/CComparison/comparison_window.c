// The square with the most marks: sums of columns that slide down, and a sum of those that slides right. What a summed-area table gives
// with one row of memory.

#include "comparison_rows.h"

#include <stdlib.h>

COMPARISON_WIDE static void slide_down(uint32_t *columns, const uint8_t *entering, const uint8_t *leaving, size_t width) {
  for (size_t x = 0; x < width; x++) columns[x] += entering[x];
  if (!leaving) return;
  for (size_t x = 0; x < width; x++) columns[x] -= leaving[x];
}

static void slide_right(const uint32_t *columns, size_t width, size_t side, size_t top, comparison_window *fullest) {
  uint32_t sum = 0, most = 0;
  size_t left = 0;
  for (size_t x = 0; x < side; x++) sum += columns[x];
  most = sum;
  for (size_t x = side; x < width; x++) {
    sum += columns[x] - columns[x - side];
    if (sum > most) most = sum, left = x + 1 - side;
  }
  if (most > fullest->marks) *fullest = (comparison_window){most, left, top};
}

comparison_window comparison_fullest_window(const uint8_t *marks, size_t width, size_t height, size_t size) {
  const size_t across = size < width ? size : width, down = size < height ? size : height;
  comparison_window fullest = {0, 0, 0};
  uint32_t *columns = comparison_memory(width, sizeof(uint32_t));
  for (size_t y = 0; y < height; y++) {
    slide_down(columns, marks + y * width, y >= down ? marks + (y - down) * width : NULL, width);
    if (y + 1 >= down) slide_right(columns, width, across, y + 1 - down, &fullest);
  }
  free(columns);
  return fullest;
}

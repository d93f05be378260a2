// Marks that lie where the reference has an edge.

#include "comparison_rows.h"

#include <stdlib.h>
#include <string.h>

// At the ends of a row a column has one neighbour, or none.
static bool is_edge(const float *low, const float *high, size_t x, size_t width, float step) {
  const size_t left = x > 0 ? x - 1 : x, right = x + 1 < width ? x + 1 : x;
  const float least = low[left] < low[right] ? low[left] : low[right], most = high[left] > high[right] ? high[left] : high[right];
  return (most > high[x] ? most : high[x]) - (least < low[x] ? least : low[x]) > step;
}

// The smallest and the largest of three rows, then of three columns, and how many marks lie where these are far apart.
COMPARISON_WIDE static size_t count_row(
    const float *above, const float *row, const float *below, const uint8_t *marks, size_t width, float step, float *low, float *high) {
  for (size_t x = 0; x < width; x++) {
    const float least = above[x] < row[x] ? above[x] : row[x], most = above[x] > row[x] ? above[x] : row[x];
    low[x] = below[x] < least ? below[x] : least;
    high[x] = below[x] > most ? below[x] : most;
  }
  uint32_t count = is_edge(low, high, 0, width, step) & marks[0];
  if (width > 1) count += is_edge(low, high, width - 1, width, step) & marks[width - 1];
  for (size_t x = 1; x + 1 < width; x++) {
    const float least = low[x - 1] < low[x] ? low[x - 1] : low[x], most = high[x - 1] > high[x] ? high[x - 1] : high[x];
    const float lowest = low[x + 1] < least ? low[x + 1] : least, highest = high[x + 1] > most ? high[x + 1] : most;
    count += (highest - lowest > step) & marks[x];
  }
  return count;
}

size_t comparison_marks_on_edges(const comparison_pair *pair, const uint8_t *marks, float step) {
  const size_t width = pair->width, height = pair->height;
  float *memory = comparison_memory(9 * width, sizeof(float));
  float *planes = memory, *low = memory + 7 * width, *high = memory + 8 * width, *rows[3];
  size_t held[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX}, count = 0;
  for (size_t i = 0; i < 3; i++) rows[i] = memory + (4 + i) * width;
  for (size_t y = 0; y < height; y++) {
    if (!memchr(marks + y * width, 1, width)) continue;
    const size_t wanted[3] = {y > 0 ? y - 1 : y, y, y + 1 < height ? y + 1 : y};
    for (size_t i = 0; i < 3; i++) {
      const size_t slot = wanted[i] % 3;
      if (held[slot] != wanted[i]) comparison_read_luma(pair, &pair->reference, wanted[i], planes, rows[slot]);
      held[slot] = wanted[i];
    }
    count += count_row(rows[wanted[0] % 3], rows[y % 3], rows[wanted[2] % 3], marks + y * width, width, step * pair->white, low, high);
  }
  free(memory);
  return count;
}

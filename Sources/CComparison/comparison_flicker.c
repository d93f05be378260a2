// The difference of differences from frame to frame.

#include "comparison_rows.h"

#include <math.h>
#include <stdlib.h>

COMPARISON_WIDE static float change_row(const float *a, const float *b, size_t count, float unit, float *held, float *largest) {
  float sum = 0, most = *largest;
  for (size_t i = 0; i < count; i++) {
    const float difference = (a[i] - b[i]) / unit, change = fabsf(difference - held[i]);
    sum += change;
    most = change > most ? change : most;
    held[i] = difference;
  }
  *largest = most;
  return sum;
}

comparison_flicker_sums comparison_flicker(const comparison_pair *pair, float *held, bool is_first) {
  const size_t width = pair->width;
  float *a = comparison_memory(8 * width, sizeof(float)), *b = a + 4 * width;
  comparison_flicker_sums sums = {0};
  for (size_t y = 0; y < pair->height; y++) {
    comparison_read_visible_rows(pair, y, a, b);
    sums.sum += change_row(a, b, 3 * width, pair->unit, held + 3 * y * width, &sums.largest);
  }
  free(a);
  return is_first ? (comparison_flicker_sums){0} : sums;
}

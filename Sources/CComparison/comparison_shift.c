// Differences after something may have moved by a pixel: each pixel against the nearest value among nine in the other picture.

#include "comparison_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A row with one column more at each end, so that neighbours need no test.
typedef struct {
  float *planes; // four of width + 2
  size_t y;
} padded_row;

static void read_padded(const comparison_pair *pair, const comparison_picture *picture, size_t y, float *scratch, padded_row *row) {
  const size_t width = pair->width;
  if (row->y == y) return;
  row->y = y;
  comparison_read_row(pair, picture, y, scratch);
  for (size_t channel = 0; channel < 4; channel++) {
    float *plane = row->planes + channel * (width + 2);
    memcpy(plane + 1, scratch + channel * width, width * sizeof(float));
    plane[0] = plane[1];
    plane[width + 1] = plane[width];
  }
}

// Keeps the smaller of what was found and the difference to a neighbour at `offset` (0 to 2); what is not finite matches nothing.
COMPARISON_WIDE static void match_color(const float *row, const float *other, size_t stride, size_t offset, size_t width, float *nearest) {
  const float *ar = row + 1, *ag = ar + stride, *ab = ag + stride;
  const float *br = other + offset, *bg = br + stride, *bb = bg + stride;
  for (size_t x = 0; x < width; x++) {
    const float red = fabsf(ar[x] - br[x]), green = fabsf(ag[x] - bg[x]), blue = fabsf(ab[x] - bb[x]);
    const float most = red > green ? red : green, largest = most > blue ? most : blue, sum = red + green + blue;
    const float found = sum < INFINITY ? largest : INFINITY;
    nearest[x] = found < nearest[x] ? found : nearest[x];
  }
}

COMPARISON_WIDE static void match_alpha(const float *row, const float *other, size_t stride, size_t offset, size_t width, float *nearest) {
  const float *a = row + 3 * stride + 1, *b = other + 3 * stride + offset;
  for (size_t x = 0; x < width; x++) {
    const float found = fabsf(a[x] - b[x]);
    nearest[x] = found < nearest[x] ? found : nearest[x];
  }
}

typedef void matcher(const float *, const float *, size_t, size_t, size_t, float *);

static void match_row(matcher *match, padded_row *row, padded_row *others[3], size_t width, float *nearest) {
  for (size_t x = 0; x < width; x++) nearest[x] = INFINITY;
  for (size_t i = 0; i < 3; i++) {
    for (size_t offset = 0; offset < 3; offset++) match(row->planes, others[i]->planes, width + 2, offset, width, nearest);
  }
}

static void replace(const comparison_pair *pair, const float *there, const float *back, float level, float *map) {
  for (size_t x = 0; x < pair->width; x++) {
    if (!(map[x] > level) || map[x] == INFINITY) continue;
    const float farther = there[x] > back[x] ? there[x] : back[x];
    const float difference = farther / pair->unit;
    if (difference < map[x]) map[x] = difference;
  }
}

static bool reaches(const float *map, size_t width, float level) {
  for (size_t x = 0; x < width; x++) {
    if (map[x] > level) return true;
  }
  return false;
}

void comparison_shifted(const comparison_pair *pair, float level, float *color, float *alpha) {
  const size_t width = pair->width, height = pair->height, row_size = 4 * (width + 2);
  float *memory = comparison_memory(6 * row_size + 6 * width, sizeof(float));
  float *scratch = memory + 6 * row_size, *there = scratch + 4 * width, *back = there + width;
  padded_row rows[2][3];
  for (size_t i = 0; i < 6; i++) rows[i / 3][i % 3] = (padded_row){memory + i * row_size, SIZE_MAX};
  const comparison_picture *pictures[2] = {&pair->actual, &pair->reference};
  matcher *const matchers[2] = {match_color, match_alpha};
  for (size_t y = 0; y < height; y++) {
    float *maps[2] = {color + y * width, alpha + y * width};
    const bool wanted[2] = {reaches(maps[0], width, level), reaches(maps[1], width, level)};
    if (!wanted[0] && !wanted[1]) continue;
    const size_t near[3] = {y > 0 ? y - 1 : y, y, y + 1 < height ? y + 1 : y};
    padded_row *found[2][3];
    for (size_t i = 0; i < 6; i++) {
      found[i / 3][i % 3] = &rows[i / 3][near[i % 3] % 3];
      read_padded(pair, pictures[i / 3], near[i % 3], scratch, found[i / 3][i % 3]);
    }
    for (size_t group = 0; group < 2; group++) {
      if (!wanted[group]) continue;
      match_row(matchers[group], found[0][1], found[1], width, there);
      match_row(matchers[group], found[1][1], found[0], width, back);
      replace(pair, there, back, level, maps[group]);
    }
  }
  free(memory);
}

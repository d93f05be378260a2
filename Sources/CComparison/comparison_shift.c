// Differences after something may have moved by a pixel: each pixel against the nearest value among nine in the other picture, from both
// sides. Where all of the picture moved, what left it or came in is not asked for.

#include "comparison_shift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A row with one column more at each end, so that neighbours need no test.
typedef struct {
  float *planes; // four of width + 2
  size_t y;
} padded_row;

static void read_padded(const comparison_pair *pair, const comparison_picture *picture, size_t y, padded_row *row) {
  const size_t width = pair->width;
  if (row->y == y) return;
  row->y = y;
  comparison_read_planes(pair, picture, y, row->planes + 1, width + 2);
  for (size_t channel = 0; channel < 4; channel++) {
    float *plane = row->planes + channel * (width + 2);
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

COMPARISON_WIDE static void farther_of(const float *there, const float *back, size_t width, float unit, float *farther) {
  for (size_t x = 0; x < width; x++) farther[x] = (there[x] > back[x] ? there[x] : back[x]) / unit;
}

static void replace(const float *shifted, size_t width, float level, float *map) {
  for (size_t x = 0; x < width; x++) {
    if (map[x] > level && map[x] != INFINITY && shifted[x] < map[x]) map[x] = shifted[x];
  }
}

COMPARISON_WIDE static uint32_t count_both(const float *shifted, const float *map, size_t width, float level) {
  uint32_t count = 0;
  for (size_t x = 0; x < width; x++) count += (map[x] > level) & ((shifted[x] > level) | (map[x] == INFINITY));
  return count;
}

static bool reaches(const float *map, size_t width, float level) {
  for (size_t x = 0; x < width; x++) {
    if (map[x] > level) return true;
  }
  return false;
}

// Whether a pixel of the border lies beyond a level.
static bool border_reaches(const comparison_pair *pair, const float *map, float level) {
  const size_t width = pair->width, last = pair->height - 1;
  if (reaches(map, width, level) || reaches(map + last * width, width, level)) return true;
  for (size_t y = 0; y <= last; y++) {
    if (map[y * width] > level || map[y * width + width - 1] > level) return true;
  }
  return false;
}

// The rows around one of both pictures, and room for what was found.
typedef struct {
  comparison_move move;
  float *memory, *scratch, *there, *back;
  padded_row rows[2][3];
  comparison_byte_rows bytes;
} neighborhood;

static neighborhood make_neighborhood(const comparison_pair *pair, bool border_differs) {
  const size_t width = pair->width;
  const size_t row_size = 4 * (width + 2);
  neighborhood made = {.memory = comparison_memory(6 * row_size + 3 * width, sizeof(float))};
  made.scratch = made.memory + 6 * row_size;
  made.there = made.scratch + width;
  made.back = made.there + width;
  for (size_t i = 0; i < 6; i++) made.rows[i / 3][i % 3] = (padded_row){made.memory + i * row_size, SIZE_MAX};
  if (border_differs) made.move = comparison_find_move(pair);
  if (comparison_is_rgba8(pair)) made.bytes = comparison_make_byte_rows(width);
  return made;
}

// What is left of the differences of a row after a shift; lies in `scratch` until the next call.
static const float *shift_row(const comparison_pair *pair, neighborhood *near, size_t y, matcher *match) {
  const size_t width = pair->width, rows[3] = {y > 0 ? y - 1 : y, y, y + 1 < pair->height ? y + 1 : y};
  const comparison_picture *pictures[2] = {&pair->actual, &pair->reference};
  if (near->bytes.memory && match == match_color) {
    comparison_shift_bytes(pair, &near->bytes, rows, near->move, near->scratch);
    return near->scratch;
  }
  padded_row *found[2][3];
  for (size_t i = 0; i < 6; i++) {
    found[i / 3][i % 3] = &near->rows[i / 3][rows[i % 3] % 3];
    read_padded(pair, pictures[i / 3], rows[i % 3], found[i / 3][i % 3]);
  }
  match_row(match, found[0][1], found[1], width, near->there);
  match_row(match, found[1][1], found[0], width, near->back);
  comparison_leave_out(pair, near->move, y, near->there, near->back, sizeof(float));
  farther_of(near->there, near->back, width, pair->unit, near->scratch);
  return near->scratch;
}

static void shift_map(const comparison_pair *pair, neighborhood *near, matcher *match, float level, float *map) {
  for (size_t y = 0; y < pair->height; y++) {
    float *row = map + y * pair->width;
    if (reaches(row, pair->width, level)) replace(shift_row(pair, near, y, match), pair->width, level, row);
  }
}

void comparison_shifted(const comparison_pair *pair, float level, float *color, float *alpha) {
  const bool border_differs = (color && border_reaches(pair, color, level)) || (alpha && border_reaches(pair, alpha, level));
  neighborhood near = make_neighborhood(pair, border_differs);
  if (color) shift_map(pair, &near, match_color, level, color);
  if (alpha) shift_map(pair, &near, match_alpha, level, alpha);
  free(near.memory);
  free(near.bytes.memory);
}

size_t comparison_count_unexplained(const comparison_pair *pair, float level, const float *color) {
  neighborhood near = make_neighborhood(pair, border_reaches(pair, color, level));
  size_t count = 0;
  for (size_t y = 0; y < pair->height; y++) {
    const float *row = color + y * pair->width;
    if (reaches(row, pair->width, level)) count += count_both(shift_row(pair, &near, y, match_color), row, pair->width, level);
  }
  free(near.memory);
  free(near.bytes.memory);
  return count;
}

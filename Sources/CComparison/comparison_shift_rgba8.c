// Differences after a shift by a pixel, for color of RGBA8: what `comparison_shift.c` does, with bytes.

#include "comparison_shift.h"

#include <string.h>

comparison_byte_rows comparison_make_byte_rows(size_t width) {
  const size_t row_size = 3 * (width + 2);
  comparison_byte_rows bytes = {.memory = comparison_memory(6 * row_size + 2 * width, 1)};
  for (size_t i = 0; i < 6; i++) {
    bytes.planes[i / 3][i % 3] = bytes.memory + i * row_size;
    bytes.held[i / 3][i % 3] = SIZE_MAX;
  }
  bytes.there = bytes.memory + 6 * row_size;
  bytes.back = bytes.there + width;
  return bytes;
}

COMPARISON_WIDE static void split(const uint32_t *pixels, size_t width, uint8_t *plane, unsigned shift) {
  for (size_t x = 0; x < width; x++) plane[x] = (uint8_t)(pixels[x] >> shift);
}

static const uint8_t *row_of(const comparison_pair *pair, comparison_byte_rows *bytes, size_t picture, size_t y) {
  const size_t width = pair->width, stride = width + 2;
  uint8_t *planes = bytes->planes[picture][y % 3];
  if (bytes->held[picture][y % 3] == y) return planes;
  bytes->held[picture][y % 3] = y;
  const uint32_t *pixels = picture == 0 ? pair->actual.pixels : pair->reference.pixels;
  for (size_t channel = 0; channel < 3; channel++) {
    uint8_t *plane = planes + channel * stride;
    split(pixels + y * width, width, plane + 1, 8 * (unsigned)channel);
    plane[0] = plane[1];
    plane[width + 1] = plane[width];
  }
  return planes;
}

// Keeps the smaller of what was found and the difference to a neighbour at `offset` (0 to 2).
COMPARISON_WIDE static void match_bytes(const uint8_t *row, const uint8_t *other, size_t stride, size_t offset, size_t width, uint8_t *nearest) {
  const uint8_t *ar = row + 1, *ag = ar + stride, *ab = ag + stride;
  const uint8_t *br = other + offset, *bg = br + stride, *bb = bg + stride;
  for (size_t x = 0; x < width; x++) {
    const uint8_t red = ar[x] > br[x] ? ar[x] - br[x] : br[x] - ar[x], green = ag[x] > bg[x] ? ag[x] - bg[x] : bg[x] - ag[x];
    const uint8_t blue = ab[x] > bb[x] ? ab[x] - bb[x] : bb[x] - ab[x], most = red > green ? red : green;
    const uint8_t found = most > blue ? most : blue;
    nearest[x] = found < nearest[x] ? found : nearest[x];
  }
}

COMPARISON_WIDE static void farther_of(const uint8_t *there, const uint8_t *back, size_t width, float *farther) {
  for (size_t x = 0; x < width; x++) farther[x] = (float)(there[x] > back[x] ? there[x] : back[x]);
}

void comparison_shift_bytes(
    const comparison_pair *pair, comparison_byte_rows *bytes, const size_t rows[3], comparison_move move, float *shifted) {
  const size_t width = pair->width;
  const uint8_t *found[2][3];
  for (size_t i = 0; i < 6; i++) found[i / 3][i % 3] = row_of(pair, bytes, i / 3, rows[i % 3]);
  memset(bytes->there, 255, 2 * width);
  for (size_t i = 0; i < 3; i++) {
    for (size_t offset = 0; offset < 3; offset++) {
      match_bytes(found[0][1], found[1][i], width + 2, offset, width, bytes->there);
      match_bytes(found[1][1], found[0][i], width + 2, offset, width, bytes->back);
    }
  }
  comparison_leave_out(pair, move, rows[1], bytes->there, bytes->back, 1);
  farther_of(bytes->there, bytes->back, width, shifted);
}

// Counts over a map of differences.

#include "comparison_rows.h"

#include <math.h>

COMPARISON_WIDE static void count_row(const float *map, size_t count, const float levels[4], uint32_t above[6]) {
  uint32_t differing = 0, first = 0, second = 0, third = 0, fourth = 0, infinite = 0;
  for (size_t i = 0; i < count; i++) {
    const float value = map[i];
    differing += value > 0;
    first += value > levels[0];
    second += value > levels[1];
    third += value > levels[2];
    fourth += value > levels[3];
    infinite += value == INFINITY;
  }
  above[0] = differing, above[1] = first, above[2] = second, above[3] = third, above[4] = fourth, above[5] = infinite;
}

static void find_largest(const float *map, size_t start, size_t count, comparison_census *census) {
  for (size_t i = start; i < start + count; i++) {
    if (map[i] > census->largest && map[i] != INFINITY) {
      census->largest = map[i];
      census->index = i;
    }
  }
}

COMPARISON_WIDE static bool exceeds(const float *map, size_t count, float level) {
  uint32_t beyond = 0;
  for (size_t i = 0; i < count; i++) beyond |= (map[i] > level) & (map[i] != INFINITY);
  return beyond != 0;
}

void comparison_take_census(const float *map, size_t count, const float levels[4], comparison_census *census) {
  enum { PIECE = 4096 };
  *census = (comparison_census){0};
  for (size_t start = 0; start < count; start += PIECE) {
    const size_t length = count - start < PIECE ? count - start : PIECE;
    uint32_t above[6];
    count_row(map + start, length, levels, above);
    census->counts[0] += length - above[0];
    for (size_t i = 0; i < 4; i++) census->counts[i + 1] += above[i] - above[i + 1];
    census->counts[5] += above[4] - above[5];
    census->counts[6] += above[5];
    if (above[0] > above[5] && exceeds(map + start, length, census->largest)) find_largest(map, start, length, census);
  }
}

COMPARISON_WIDE static uint32_t mark_row(const float *map, size_t count, float level, uint8_t *marks) {
  uint32_t marked = 0;
  for (size_t i = 0; i < count; i++) {
    const uint8_t mark = map[i] > level;
    marks[i] = mark;
    marked += mark;
  }
  return marked;
}

size_t comparison_mark(const float *map, size_t count, float level, uint8_t *marks) {
  size_t marked = 0;
  for (size_t start = 0; start < count; start += 4096) {
    const size_t length = count - start < 4096 ? count - start : 4096;
    marked += mark_row(map + start, length, level, marks + start);
  }
  return marked;
}

COMPARISON_WIDE static uint32_t count_beyond(const float *map, size_t count, float level) {
  uint32_t beyond = 0;
  for (size_t i = 0; i < count; i++) beyond += map[i] > level;
  return beyond;
}

size_t comparison_count(const float *map, size_t count, float level) {
  size_t beyond = 0;
  for (size_t start = 0; start < count; start += 4096) {
    beyond += count_beyond(map + start, count - start < 4096 ? count - start : 4096, level);
  }
  return beyond;
}

// Whether all of a picture moved by a pixel: then what left it, and what came in, has nothing in the other picture to be compared with.

#include "comparison_shift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES = 9, MOST_ROWS = 64 };

// Straight ones come before diagonal ones, and each beside its opposite.
static const comparison_move moves[MOVES] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

// The differences of a row; what is not finite is left out.
COMPARISON_WIDE static double sum_of_differences(const float *a, const float *b, size_t count) {
  double lanes[4] = {0}, sum = 0;
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (size_t lane = 0; lane < 4; lane++) {
      const float difference = fabsf(a[i + lane] - b[i + lane]);
      lanes[lane] += difference < INFINITY ? difference : 0;
    }
  }
  for (; i < count; i++) {
    const float difference = fabsf(a[i] - b[i]);
    sum += difference < INFINITY ? difference : 0;
  }
  return sum + lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

// The inner pixels of a row against those of another picture from where they would have moved by `x`.
static double moved_difference(const float *row, const float *other, size_t width, int x) {
  double sum = 0;
  for (size_t channel = 0; channel < 4; channel++) {
    const float *here = row + channel * width + 1;
    sum += sum_of_differences(here, other + channel * width + 1 - x, width - 2);
  }
  return sum;
}

// The differences that are left after each move, from inner pixels of the actual picture and from those of the reference.
typedef struct {
  double there[MOVES], back[MOVES];
} move_sums;

static void add_row(const comparison_pair *pair, size_t y, float *memory, move_sums *sums) {
  const size_t width = pair->width;
  float *actual[3], *reference[3];
  for (size_t i = 0; i < 3; i++) {
    actual[i] = memory + 8 * i * width;
    reference[i] = actual[i] + 4 * width;
    comparison_read_row(pair, &pair->actual, y + i - 1, actual[i]);
    comparison_read_row(pair, &pair->reference, y + i - 1, reference[i]);
  }
  for (size_t i = 0; i < MOVES; i++) {
    sums->there[i] += moved_difference(actual[1], reference[1 - moves[i].y], width, moves[i].x);
    sums->back[i] += moved_difference(reference[1], actual[1 + moves[i].y], width, -moves[i].x);
  }
}

static double left_after(const move_sums *sums, size_t move) { return fmax(sums->there[move], sums->back[move]); }

// A move must explain more than half of what differs, and more than the opposite one does.
static comparison_move best_move(const move_sums *sums) {
  size_t best = 0;
  for (size_t i = 1; i < MOVES; i++) {
    if (left_after(sums, i) < left_after(sums, best)) best = i;
  }
  const size_t opposite = best % 2 == 1 ? best + 1 : best - 1;
  if (best == 0 || left_after(sums, best) >= left_after(sums, 0) / 2) return moves[0];
  return left_after(sums, opposite) == left_after(sums, best) ? moves[0] : moves[best];
}

comparison_move comparison_find_move(const comparison_pair *pair) {
  move_sums sums = {0};
  if (pair->width < 3 || pair->height < 3) return moves[0];
  const size_t rows = pair->height - 2, looked_at = rows < MOST_ROWS ? rows : MOST_ROWS;
  float *memory = comparison_memory(24 * pair->width, sizeof(float));
  for (size_t i = 0; i < looked_at; i++) add_row(pair, 1 + i * rows / looked_at, memory, &sums);
  free(memory);
  return best_move(&sums);
}

void comparison_leave_out(const comparison_pair *pair, comparison_move move, size_t y, void *there, void *back, size_t number_size) {
  const size_t last_row = pair->height - 1, last = (pair->width - 1) * number_size;
  if (move.y != 0) {
    if (y == (move.y > 0 ? 0 : last_row)) memset(there, 0, last + number_size);
    if (y == (move.y > 0 ? last_row : 0)) memset(back, 0, last + number_size);
  }
  if (move.x != 0) {
    memset((char *)there + (move.x > 0 ? 0 : last), 0, number_size);
    memset((char *)back + (move.x > 0 ? last : 0), 0, number_size);
  }
}

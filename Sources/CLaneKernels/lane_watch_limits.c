// How far watched programs read, and how long their loops run.

#include "lane_watch.h"

#include <math.h>

static float as_float(uint32_t word) {
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

static uint32_t as_word(float value) {
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  return word;
}

/// How many pixels of a side of the target a read lies beside the middle of a pixel, along one axis.
static float distance(uint32_t position, float side, int32_t pixel) { return as_float(position) * side - ((float)pixel + 0.5f); }

/// Whether that is farther than a reach: anything in the last pixel, or in the texel that lies there, is not.
static int is_beyond(float distance, float reach, float side, int32_t texels) {
  static const float rounding = 1.0f / 64;
  const float texel = side / (float)texels;
  return fabsf(distance) > reach + 0.5f * (texel > 1 ? texel : 1) + rounding;
}

void lane_note_reach(const lane_instruction *ip, const char *registers, lane_context *context) {
  const lane_watch *const watch = context->watch;
  const lane_reach *const reach = watch->reach;
  const uint32_t site = ip->e & 0xffffff;
  lane_note *const note = &watch->notes[site];
  const int64_t first = lane_first_invocation(context);
  for (int lane = 0; lane < LANE_BATCH; lane++) {
    if (!lane_is_active(ip, registers, lane) || (watch->inside && !watch->inside[first + lane])) continue;
    const uint32_t texture = lane_operand(ip + 1, registers, 1, lane);
    if (!reach->is_meant[texture]) return;
    const lane_level *const level = &context->textures[texture].levels[0];
    const int32_t *const pixel = &reach->pixels[2 * (first + lane)];
    const float x = distance(lane_word(registers, ip->a, ip->e >> 24, lane), reach->width, pixel[0]);
    const float y = distance(lane_operand(ip + 1, registers, 0, lane), reach->height, pixel[1]);
    if (!is_beyond(x, reach->x, reach->width, level->width) && !is_beyond(y, reach->y, reach->height, level->height)) continue;
    lane_count_hit(note, first, lane);
    if (note->count == 1) {
      note->invocation = first + lane;
      const uint32_t operands[4] = {as_word(x), as_word(y), as_word(reach->x), as_word(reach->y)};
      memcpy(note->operands, operands, sizeof operands);
    }
    if (watch->marks) watch->marks[first + lane] |= watch->site_marks[site];
  }
}

/// A loop with fewer rounds is not what uses up the back edges of a workgroup.
static const uint32_t rounds_of_short_loops = 1 << 12;
/// The rounds of a loop that is known not to end.
static const uint32_t rounds_of_known_loops = 1 << 14;

uint32_t lane_rounds_left(const lane_context *context, uint32_t site) {
  if (!context->watch || !context->watch->notes) return UINT32_MAX;
  if (context->watch->notes[site].count > 0) return rounds_of_known_loops;
  return context->steps_left < context->watch->steps_in_reserve ? rounds_of_short_loops : UINT32_MAX;
}

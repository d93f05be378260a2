// How the registers of a watched instruction are read, lane by lane.

#ifndef LANE_WATCH_H
#define LANE_WATCH_H

#include "lane_kernels.h"

#include <string.h>

/// The word of a lane in the register at a byte offset; bit 0 of `forms` says that it is a scalar.
static inline uint32_t lane_word(const char *registers, uint32_t offset, uint32_t forms, int lane) {
  uint32_t word;
  memcpy(&word, registers + offset + ((forms & 1) ? 0 : 4 * (size_t)lane), 4);
  return word;
}

/// Operand k of an extension.
static inline uint32_t lane_operand(const lane_instruction *extension, const char *registers, int k, int lane) {
  const uint32_t places[4] = {extension->a, extension->b, extension->c, extension->d};
  return lane_word(registers, places[k], (extension->e >> 24) >> k, lane);
}

/// Whether the mask c of an instruction holds a lane.
static inline int lane_is_active(const lane_instruction *instruction, const char *registers, int lane) {
  return lane_word(registers, instruction->c, (instruction->e >> 24) >> 2, lane) != 0;
}

/// The first invocation of the batch that runs, counted through all workgroups of the dispatch.
static inline int64_t lane_first_invocation(const lane_context *context) {
  return context->workgroup * context->watch->invocations + context->first_lane;
}

/// Counts a lane at a site, and its invocation unless it was counted.
static inline void lane_count_hit(lane_note *note, int64_t first, int lane) {
  note->count++;
  if (note->batch != first + 1) {
    note->batch = first + 1;
    memset(note->lanes, 0, sizeof note->lanes);
  }
  const uint64_t bit = (uint64_t)1 << (lane & 63);
  if (note->lanes[lane / 64] & bit) return;
  note->lanes[lane / 64] |= bit;
  note->invocations++;
}

#endif

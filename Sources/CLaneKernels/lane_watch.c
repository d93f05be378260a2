// What is done with lanes that a watched program takes note of; the same for every instruction set.

#include "lane_watch.h"

static int all_are_finite(const lane_instruction *extension, const char *registers, int lane) {
  for (uint32_t k = 0; k < extension->f; k++) {
    if ((lane_operand(extension, registers, (int)k, lane) & 0x7f800000) == 0x7f800000) return 0;
  }
  return 1;
}

void lane_take_note(const lane_instruction *ip, const char *registers, lane_context *context, const int32_t *hits, int needs_finite) {
  const lane_watch *const watch = context->watch;
  if (!watch) return;
  const uint32_t site = ip->e & 0xffffff;
  lane_note *const note = &watch->notes[site];
  const int64_t first = lane_first_invocation(context);
  for (int lane = 0; lane < LANE_BATCH; lane++) {
    if (!hits[lane] || (watch->inside && !watch->inside[first + lane])) continue;
    if (needs_finite && !all_are_finite(ip + 1, registers, lane)) continue;
    lane_count_hit(note, first, lane);
    if (note->count == 1) {
      note->invocation = first + lane;
      for (uint32_t k = 0; k < ip[1].f; k++) note->operands[k] = lane_operand(ip + 1, registers, (int)k, lane);
      memcpy(&note->result, registers + ip->a + (((ip->e >> 24) & 1) ? 0 : 4 * (size_t)lane), 4);
    }
    if (watch->marks) watch->marks[first + lane] |= watch->site_marks[site];
    if (needs_finite && watch->origins && watch->origins[first + lane] == 0) watch->origins[first + lane] = site + 1;
  }
}

int lane_find_probed(const lane_context *context) {
  const lane_watch *const watch = context->watch;
  if (!watch || !watch->probed) return -1;
  const int64_t lane = watch->probed->invocation - (context->workgroup * watch->invocations + context->first_lane);
  return lane >= 0 && lane < LANE_BATCH ? (int)lane : -1;
}

void lane_take_record(const lane_instruction *ip, const char *registers, const lane_context *context, int lane) {
  lane_probed *const probed = context->watch->probed;
  if (probed->count++ >= probed->capacity) return;
  lane_record *const record = &probed->records[probed->count - 1];
  record->site = ip->e & 0xffffff;
  memcpy(&record->place, registers + ip->a + (((ip->e >> 24) & 1) ? 0 : 4 * (size_t)lane), 4);
  for (uint32_t k = 0; k < ip[1].f; k++) record->operands[k] = lane_operand(ip + 1, registers, (int)k, lane);
}

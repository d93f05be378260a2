// What is kept of every invocation: how many operations it took, and what it assigned to a variable.

#include "lane_watch.h"

void lane_count_operations(const lane_context *context, const int32_t *active, uint32_t mask, uint32_t count) {
  const lane_watch *const watch = context->watch;
  if (!watch || !watch->counts) return;
  uint32_t *const counts = watch->counts + lane_first_invocation(context);
  for (uint32_t lane = 0; lane < LANE_BATCH; lane++) {
    if (!active[lane & mask]) continue;
    const uint32_t sum = counts[lane] + count;
    counts[lane] = sum < count ? UINT32_MAX : sum;
  }
}

void lane_take_values(const lane_instruction *ip, const char *registers, const lane_context *context) {
  const lane_watch *const watch = context->watch;
  const lane_pictured *const pictured = watch->pictured;
  const uint32_t site = ip->e & 0xffffff, start = pictured->starts[site], places = pictured->starts[site + 1] - start;
  if (places == 0) return;
  const int64_t first = lane_first_invocation(context);
  for (int lane = 0; lane < LANE_BATCH; lane++) {
    if (!lane_is_active(ip, registers, lane) || (watch->inside && !watch->inside[first + lane])) continue;
    const uint32_t place = lane_word(registers, ip->a, ip->e >> 24, lane);
    const int component = pictured->components[start + (place < places ? place : places - 1)];
    if (component < 0) continue;
    for (uint32_t k = 0; k < ip[1].f && component + k < 4; k++) {
      pictured->values[4 * (first + lane) + component + k] = lane_operand(ip + 1, registers, (int)k, lane);
    }
    pictured->is_assigned[first + lane] = 1;
  }
}

// Who touches the same word of shared memory, the same texel, or a barrier that others do not get to.

#include "lane_watch.h"

enum { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC };

/// Counts a lane at the site of an instruction; the first one is kept with its operands.
static void take(const lane_context *context, uint32_t site, int64_t invocation, const uint32_t operands[4]) {
  lane_note *const note = &context->watch->notes[site];
  if (note->count++ == 0) {
    note->invocation = invocation;
    memcpy(note->operands, operands, sizeof note->operands);
  }
}

// MARK: Shared memory

/// The access of another invocation since the last barrier that does not go together with this one; null for none.
static const lane_access *find_conflict(const lane_shared_word *word, const lane_access *access, uint32_t kind) {
  const lane_access *const writes[] = {&word->write, kind == ACCESS_ATOMIC ? 0 : &word->atomic};
  const lane_access *const reads[] = {kind == ACCESS_READ ? 0 : &word->read, kind == ACCESS_READ ? 0 : &word->other_read};
  for (int k = 0; k < 2; k++) {
    const lane_access *const other = writes[k];
    if (!other || other->era != access->era || other->invocation == access->invocation) continue;
    // Both stores write the same word.
    if (kind == ACCESS_WRITE && other == &word->write && other->value == access->value) continue;
    return other;
  }
  for (int k = 0; k < 2; k++) {
    if (reads[k] && reads[k]->era == access->era && reads[k]->invocation != access->invocation) return reads[k];
  }
  return 0;
}

static void keep(lane_shared_word *word, const lane_access *access, uint32_t kind) {
  if (kind == ACCESS_WRITE) word->write = *access;
  else if (kind == ACCESS_ATOMIC) word->atomic = *access;
  else {
    if (word->read.era == access->era && word->read.invocation != access->invocation) word->other_read = word->read;
    word->read = *access;
  }
}

/// Keeps the first read of a word that nothing was written to. One that another invocation writes to with no barrier between is a race instead.
static void keep_unwritten(lane_shared_word *word, const lane_access *access, uint32_t kind) {
  lane_access *const first = &word->unwritten;
  if (first->era == access->era && first->invocation != access->invocation &&
      (kind == ACCESS_WRITE || (kind == ACCESS_ATOMIC && word->unwritten_kind == ACCESS_READ))) {
    first->era = 0;
  } else if (kind != ACCESS_WRITE && !first->era && !word->write.era && !word->atomic.era) {
    *first = *access;
    word->unwritten_kind = kind;
  }
}

/// Counts the words that were read before anything was written there.
static void note_unwritten(lane_context *context) {
  const lane_races *const races = context->watch->races;
  for (uint32_t place = 0; place < races->word_count; place++) {
    const lane_access *const first = &races->words[place].unwritten;
    if (!first->era) continue;
    const uint32_t operands[4] = {place, 0, 0, 0};
    take(context, first->value, context->workgroup * context->watch->invocations + first->invocation, operands);
  }
}

void lane_note_shared(const lane_instruction *ip, const char *registers, lane_context *context) {
  lane_races *const races = context->watch ? context->watch->races : 0;
  if (!races) return;
  const uint32_t site = ip->e & 0xffffff, batch = (uint32_t)context->first_lane / LANE_BATCH;
  const int64_t first = lane_first_invocation(context);
  for (int lane = 0; lane < LANE_BATCH; lane++) {
    if (!lane_is_active(ip, registers, lane)) continue;
    const uint32_t place = lane_word(registers, ip->a, ip->e >> 24, lane), kind = lane_operand(ip + 1, registers, 1, lane);
    if (place >= races->word_count) continue;
    const lane_access access = {
        races->barriers[batch] + 1, (uint32_t)(context->first_lane + lane), site, lane_operand(ip + 1, registers, 0, lane)};
    lane_shared_word *const word = &races->words[place];
    const lane_access *const other = find_conflict(word, &access, kind);
    if (other) {
      const uint32_t other_kind = other == &word->write ? ACCESS_WRITE : other == &word->atomic ? ACCESS_ATOMIC : ACCESS_READ;
      const uint32_t operands[4] = {place, other->site, other->invocation, kind | other_kind << 8};
      take(context, site, first + lane, operands);
    }
    keep_unwritten(word, &access, kind);
    keep(word, &access, kind);
  }
}

// MARK: Barriers

void lane_begin_races(lane_context *context) {
  lane_races *const races = context->watch->races;
  memset(races->words, 0, races->word_count * sizeof *races->words);
  memset(races->barriers, 0, sizeof races->barriers);
}

void lane_note_barrier(const lane_instruction *ip, const char *registers, lane_context *context) {
  const lane_watch *const watch = context->watch;
  if (!watch || !watch->races) return;
  const uint32_t site = ip->e & 0xffffff, batch = (uint32_t)context->first_lane / LANE_BATCH;
  watch->races->barriers[batch]++;
  watch->races->last_barrier[batch] = site;
  const int64_t first = lane_first_invocation(context);
  int first_active = -1, first_missing = -1;
  uint64_t count = 0;
  for (int lane = 0; lane < LANE_BATCH && (uint32_t)(context->first_lane + lane) < watch->invocations; lane++) {
    if (lane_is_active(ip, registers, lane)) {
      count++;
      if (first_active < 0) first_active = lane;
    } else if (first_missing < 0) {
      first_missing = lane;
    }
  }
  if (first_active < 0 || first_missing < 0) return;
  const uint32_t operands[4] = {(uint32_t)(context->first_lane + first_missing), 0, 0, 0};
  take(context, site, first + first_active, operands);
  watch->notes[site].count += count - 1;
}

void lane_end_races(lane_context *context, uint32_t batch_count) {
  const lane_races *const races = context->watch->races;
  note_unwritten(context);
  uint32_t most = 0, least = 0;
  for (uint32_t batch = 1; batch < batch_count; batch++) {
    if (races->barriers[batch] > races->barriers[most]) most = batch;
    if (races->barriers[batch] < races->barriers[least]) least = batch;
  }
  if (races->barriers[most] == races->barriers[least]) return;
  const uint32_t operands[4] = {least * LANE_BATCH, 0, 0, 0};
  take(context, races->last_barrier[most], context->workgroup * context->watch->invocations + most * LANE_BATCH, operands);
}

// MARK: Texels

void lane_note_stored(const lane_instruction *ip, const char *registers, lane_context *context) {
  const lane_watch *const watch = context->watch;
  if (!watch || !watch->stored) return;
  const uint32_t site = ip->e & 0xffffff;
  const int64_t first = lane_first_invocation(context);
  for (int lane = 0; lane < LANE_BATCH; lane++) {
    if (!lane_is_active(ip, registers, lane)) continue;
    const uint32_t texture = lane_operand(ip + 1, registers, 1, lane);
    uint8_t *const stored = watch->stored[texture];
    if (!stored) return;
    const lane_level *const level = &context->textures[texture].levels[0];
    const uint32_t x = lane_word(registers, ip->a, ip->e >> 24, lane), y = lane_operand(ip + 1, registers, 0, lane);
    if (x >= (uint32_t)level->width || y >= (uint32_t)level->height) continue;
    if (__atomic_exchange_n(&stored[(size_t)y * (uint32_t)level->width + x], 1, __ATOMIC_RELAXED) == 0) continue;
    const uint32_t operands[4] = {x, y, 0, 0};
    take(context, site, first + lane, operands);
  }
}

// What does not depend on the instruction set: linking, running, memory and the decoding of pixels.

#include "lane_kernels.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LANE_TABLES(set) extern const lane_kernel lane_elementwise_##set[LANE_OP_COUNT][8], lane_special_##set[LANE_OP_COUNT];
LANE_TABLES(base)
#if defined(__x86_64__)
LANE_TABLES(avx2)
extern const lane_kernel lane_elementwise_long_avx2[LANE_OP_COUNT][8];
LANE_TABLES(avx512)
#endif
#undef LANE_TABLES

static const struct {
  const char *name;
  int arity;
} operations[LANE_OP_COUNT] = {
#define UNARY(name, R, A, expression) [LANE_OP_##name] = {#name, 1},
#define BINARY(name, R, A, B, expression) [LANE_OP_##name] = {#name, 2},
#define TERNARY(name, R, A, B, C, expression) [LANE_OP_##name] = {#name, 3},
#include "lane_elementwise.def"
#undef UNARY
#undef BINARY
#undef TERNARY
#define SPECIAL(name) [LANE_OP_##name] = {#name, 0},
#include "lane_special.def"
#undef SPECIAL
};

int lane_op_arity(int op) { return op >= 0 && op < LANE_OP_COUNT ? operations[op].arity : 0; }
const char *lane_op_name(int op) { return op >= 0 && op < LANE_OP_COUNT ? operations[op].name : "?"; }

int lane_isa_is_supported(int isa) {
  if (isa == LANE_ISA_BASE) return 1;
#if defined(__x86_64__)
  if (isa == LANE_ISA_AVX2) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("f16c");
  }
  if (isa == LANE_ISA_AVX512) {
    return lane_isa_is_supported(LANE_ISA_AVX2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  }
#endif
  return 0;
}

static lane_kernel find_kernel(int isa, uint32_t op, uint32_t forms) {
  const int is_special = operations[op].arity == 0;
#if defined(__x86_64__)
  if (isa == LANE_ISA_AVX512) return is_special ? lane_special_avx512[op] : lane_elementwise_avx512[op][forms];
  if (isa == LANE_ISA_AVX2 && is_special) return lane_special_avx2[op];
  if (isa == LANE_ISA_AVX2) return lane_elementwise_avx2[op][0] ? lane_elementwise_avx2[op][forms] : lane_elementwise_long_avx2[op][forms];
#endif
  (void)isa;
  return is_special ? lane_special_base[op] : lane_elementwise_base[op][forms];
}

size_t lane_link(int isa, const lane_code *code, size_t count, lane_instruction *instructions) {
  for (size_t i = 0; i < count; i++) {
    const lane_code from = code[i];
    if (from.op >= LANE_OP_COUNT) return i + 1;
    const int is_special = operations[from.op].arity == 0;
    const lane_kernel run = find_kernel(isa, from.op, from.forms & 7);
    if (!run) return i + 1;
    const uint32_t e = is_special ? (from.e & 0xffffff) | (from.forms << 24) : from.e;
    instructions[i] = (lane_instruction){run, from.d, from.a, from.b, from.c, e, from.f};
  }
  return 0;
}

int lane_run(const lane_instruction *program, char *registers, lane_context *context) {
  program->run(program, registers, context);
  return context->stop;
}

/// Sets one of the six scalars about the workgroup, for all its batches.
static void set_workgroup_scalar(const lane_dispatch *dispatch, char *registers, uint32_t index, uint32_t value) {
  for (uint32_t batch = 0; batch < dispatch->batch_count; batch++) {
    lane_set_scalar(registers + batch * dispatch->register_bytes, dispatch->workgroup + index * LANE_SCALAR_BYTES, value);
  }
}

/// Runs one workgroup; returns the context's `stop`.
static int run_workgroup(const lane_dispatch *dispatch, char *registers, lane_context *context) {
  const lane_instruction *at[LANE_MAXIMUM_BATCHES];
  for (uint32_t batch = 0; batch < dispatch->batch_count; batch++) at[batch] = dispatch->program;
  if (dispatch->shared_bytes != 0) memset(context->shared, 0, dispatch->shared_bytes);
  if (context->watch && context->watch->races) lane_begin_races(context);
  int waits;
  do {
    waits = 0;
    for (uint32_t turn = 0; turn < dispatch->batch_count; turn++) {
      const uint32_t batch = dispatch->is_reversed ? dispatch->batch_count - 1 - turn : turn;
      if (!at[batch]) continue;
      context->first_lane = (int32_t)(batch * LANE_BATCH);
      context->resume = 0;
      if (lane_run(at[batch], registers + batch * dispatch->register_bytes, context)) return context->stop;
      at[batch] = context->resume;
      waits |= at[batch] != 0;
    }
  } while (waits);
  if (context->watch && context->watch->races) lane_end_races(context, dispatch->batch_count);
  return LANE_STOP_NONE;
}

int64_t lane_run_dispatch(const lane_dispatch *dispatch, char *registers, lane_context *context) {
  const int64_t in_layer = (int64_t)dispatch->count_x * dispatch->count_y;
  const int64_t total = dispatch->chosen ? dispatch->chosen_count : in_layer * dispatch->count_z;
  set_workgroup_scalar(dispatch, registers, 3, dispatch->count_x);
  set_workgroup_scalar(dispatch, registers, 4, dispatch->count_y);
  set_workgroup_scalar(dispatch, registers, 5, dispatch->count_z);
  for (;;) {
    const int64_t turn = __atomic_fetch_add(dispatch->next, 1, __ATOMIC_RELAXED);
    if (turn >= total) return -1;
    const int64_t place = dispatch->is_reversed ? total - 1 - turn : turn;
    const int64_t number = dispatch->chosen ? dispatch->chosen[place] : place;
    set_workgroup_scalar(dispatch, registers, 0, (uint32_t)(number % dispatch->count_x));
    set_workgroup_scalar(dispatch, registers, 1, (uint32_t)(number % in_layer / dispatch->count_x));
    set_workgroup_scalar(dispatch, registers, 2, (uint32_t)(number / in_layer));
    context->fuel = 0;
    context->workgroup = number;
    context->steps_left = dispatch->step_limit;
    if (lane_is_cancelled(context)) context->stop = LANE_STOP_CANCELLED;
    else if (context->deadline != 0 && lane_clock() > context->deadline) context->stop = LANE_STOP_DEADLINE;
    if (context->stop || run_workgroup(dispatch, registers, context)) {
      __atomic_store_n(dispatch->next, total, __ATOMIC_RELAXED);
      return number;
    }
  }
}

int64_t lane_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void lane_set_scalar(char *registers, uint32_t offset, uint32_t value) {
  for (int i = 0; i < LANE_SCALAR_BYTES / 4; i++) memcpy(registers + offset + 4 * i, &value, 4);
}

// No picture and no kernel needs as much; damaged modules ask for it.
static const size_t largest_allocation = (size_t)1 << 36;

void *lane_allocate(size_t byte_count) {
  void *memory = 0;
  if (byte_count > largest_allocation) return 0;
  if (posix_memalign(&memory, 64, byte_count ? byte_count : 64) != 0) return 0;
  return memset(memory, 0, byte_count ? byte_count : 64);
}

void lane_free(void *memory) { free(memory); }

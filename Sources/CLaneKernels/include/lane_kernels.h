// The operations of the reference executor, for a batch of LANE_BATCH invocations at a time.
//
// A program is an array of instructions, each of which holds the address of its kernel and the byte offsets of its operands in one block of
// registers. A vector register holds one 32-bit value for each invocation of the batch; a scalar register holds one value sixteen times, a
// whole 64-byte line, so that every instruction set reads it like a vector.

#ifndef LANE_KERNELS_H
#define LANE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/// Invocations in a batch.
#define LANE_BATCH 256
/// Invocations in a subgroup.
#define LANE_SUBGROUP 32
/// The most batches that one workgroup takes.
#define LANE_MAXIMUM_BATCHES 4
/// The bytes of a vector register, and of a scalar register.
#define LANE_VECTOR_BYTES (LANE_BATCH * 4)
#define LANE_SCALAR_BYTES 64
/// The most levels of a texture: 2^15 pixels and the levels below.
#define LANE_MAXIMUM_LEVELS 16

typedef struct lane_instruction lane_instruction;
typedef struct lane_context lane_context;
typedef void (*lane_kernel)(const lane_instruction *instruction, char *registers, lane_context *context);

/// Operands are byte offsets of registers unless the kernel says otherwise; further ones lie in the following entry.
struct lane_instruction {
  lane_kernel run;
  uint32_t d, a, b, c, e, f;
};

typedef enum {
#define UNARY(name, R, A, expression) LANE_OP_##name,
#define BINARY(name, R, A, B, expression) LANE_OP_##name,
#define TERNARY(name, R, A, B, C, expression) LANE_OP_##name,
#include "../lane_elementwise.def"
#undef UNARY
#undef BINARY
#undef TERNARY
#define SPECIAL(name) LANE_OP_##name,
#include "../lane_special.def"
#undef SPECIAL
  LANE_OP_COUNT
} lane_op;

/// The number of operands of an element-wise operation, 0 for the special ones.
int lane_op_arity(int op);
/// The name of an operation, as in the lists.
const char *lane_op_name(int op);

typedef enum { LANE_ISA_BASE, LANE_ISA_AVX2, LANE_ISA_AVX512, LANE_ISA_COUNT } lane_isa;

/// Whether this machine can run an instruction set.
int lane_isa_is_supported(int isa);

/// One program word group before linking: an operation, which operands are scalar (bit k: operand k), and the six operands.
typedef struct {
  uint32_t op, forms, d, a, b, c, e, f;
} lane_code;

/// Turns code into instructions; returns 0, or 1 + the position of an operation without a kernel for its forms.
size_t lane_link(int isa, const lane_code *code, size_t count, lane_instruction *instructions);

/// One mipmap level of a texture.
typedef struct {
  int32_t width, height, depth;
  /// The texel at which the level begins, counted from the start of the texture.
  int32_t base;
} lane_level;

/// In a sum of texels: how many there are at most, which is the bits of their number, too; and whether they are added to another sum.
enum { LANE_SUM_TAPS = 15, LANE_SUM_IS_CONTINUED = 16 };
/// In the entry of one of them: whether it has a weight.
enum { LANE_TAP_IS_WEIGHTED = 1 };

enum { LANE_FILTER_NEAREST, LANE_FILTER_LINEAR, LANE_FILTER_MIPMAP };
enum { LANE_ADDRESS_CLAMP, LANE_ADDRESS_REPEAT, LANE_ADDRESS_MIRROR, LANE_ADDRESS_TRANSPARENT };

/// What a texture holds for each texel: four floats, or where there is one channel, which makes texels of (x, 0, 0, 1), a float or a byte of `r8`.
typedef enum { LANE_TEXEL_FLOATS, LANE_TEXEL_FLOAT, LANE_TEXEL_BYTE } lane_texel;

/// A texture with its sampler, or a storage image.
typedef struct {
  float *texels;
  /// A `lane_texel`.
  int32_t texel;
  lane_level levels[LANE_MAXIMUM_LEVELS];
  int32_t level_count;
  /// The number of a texel behind all others that holds zeros.
  int32_t zero;
  int32_t filter, address;
  /// What stores round to: a `lane_format`.
  int32_t format;
} lane_texture;

typedef enum {
  LANE_FORMAT_R8, LANE_FORMAT_RG8, LANE_FORMAT_RGBA8, LANE_FORMAT_R16, LANE_FORMAT_RG16, LANE_FORMAT_RGBA16, LANE_FORMAT_R16F,
  LANE_FORMAT_RG16F, LANE_FORMAT_RGBA16F, LANE_FORMAT_R32F, LANE_FORMAT_RG32F, LANE_FORMAT_RGBA32F
} lane_format;

/// Decodes packed pixels to texels from a number on; missing channels are 0, 0, 1.
void lane_decode_pixels(int format, const void *pixels, size_t count, float *texels, int32_t texel, size_t first);
/// Makes the next mipmap level of a face or a flat texture, each side half as long, as `MipmapChain` defines it.
void lane_halve_texels(int format, const float *texels, int32_t width, int32_t height, float *halved);
/// Packs texels from a number on.
void lane_encode_pixels(int format, const float *texels, int32_t texel, size_t first, size_t count, void *pixels);

/// A block of words that a kernel reads or writes by byte offset.
typedef struct {
  uint8_t *bytes;
  uint64_t byte_count;
} lane_buffer;

/// A constant array: what a dynamic index selects from.
typedef struct {
  const uint32_t *words;
  uint32_t word_count;
} lane_constants;

/// What one thread has noted at one site of a watched program.
typedef struct {
  /// How often it happened.
  uint64_t count;
  /// The first invocation, counted through all workgroups of the dispatch, what the site's operands were there, and what it watches.
  int64_t invocation;
  uint32_t operands[4];
  uint32_t result;
  /// In how many invocations it happened, where those of a batch run without a break.
  uint64_t invocations;
  /// 1 + the first invocation of the batch that was noted last, and the lanes of that batch in which it happened.
  int64_t batch;
  uint64_t lanes[LANE_BATCH / 64];
} lane_note;

/// What the probed invocation assigned to a variable at one site.
typedef struct {
  uint32_t site;
  /// The number that says which part of its variable was meant.
  uint32_t place;
  uint32_t operands[4];
} lane_record;

/// The assignments of one invocation, in order.
typedef struct {
  /// The invocation, counted through all workgroups of the dispatch.
  int64_t invocation;
  lane_record *records;
  uint64_t capacity;
  /// How many assignments there were; those beyond the capacity are not kept.
  uint64_t count;
} lane_probed;

/// A variable of every invocation, for a picture of it.
typedef struct {
  /// For each site and each of its places the number of the first component that is assigned there, -1 where it is not of the variable.
  const int8_t *components;
  /// Where the places of each site begin in `components`, and one more entry for the end.
  const uint32_t *starts;
  /// Four numbers for each invocation of the dispatch.
  uint32_t *values;
  /// For each invocation whether the variable was assigned.
  uint8_t *is_assigned;
} lane_pictured;

/// One access to a word of shared memory.
typedef struct {
  /// 1 + the number of barriers that the invocation had passed; 0 for no access.
  uint32_t era;
  uint32_t invocation, site;
  /// What was written.
  uint32_t value;
} lane_access;

/// The last accesses of each kind to a word of shared memory, and one by another invocation than the last reader.
typedef struct {
  lane_access write, read, other_read, atomic;
  /// The first read, or atomic access, that came before anything was written; its value is the number of the site that tells it.
  lane_access unwritten;
  uint32_t unwritten_kind;
} lane_shared_word;

/// Who touched the shared memory of a workgroup.
typedef struct {
  lane_shared_word *words;
  uint32_t word_count;
  /// The barriers that each batch has passed, and the site of the last one.
  uint32_t barriers[LANE_MAXIMUM_BATCHES], last_barrier[LANE_MAXIMUM_BATCHES];
} lane_races;

/// How far from its position a pass may read its textures, in pixels of its target.
typedef struct {
  /// For each invocation the column and the row of its pixel.
  const int32_t *pixels;
  float width, height;
  float x, y;
  /// For each texture whether it is meant.
  const uint8_t *is_meant;
} lane_reach;

/// What a watched program takes notes with.
typedef struct {
  /// One for each site.
  lane_note *notes;
  /// For each invocation of the dispatch whether it counts; null where all do.
  const uint8_t *inside;
  /// For each site the bits that it leaves in `marks`; null where it is not watched.
  const uint64_t *site_marks;
  /// For each invocation of the dispatch the bits of the sites where something happened; null where it is not watched.
  uint64_t *marks;
  /// For each invocation of the dispatch how many operations it took; null where it is not watched.
  uint32_t *counts;
  /// For each invocation 1 + the site where a number first was not finite though its operands were; null where it is not watched.
  uint32_t *origins;
  /// For each texture whether each texel of its first level was stored; null where it is not watched, and for textures that are not.
  uint8_t *const *stored;
  /// The invocation whose assignments are kept; null where it is not watched.
  lane_probed *probed;
  /// The variable of which a picture is made; null where it is not watched.
  const lane_pictured *pictured;
  /// How far may be read; null where there is no limit.
  const lane_reach *reach;
  /// How many of a workgroup's back edges are left when its long loops have to end.
  int64_t steps_in_reserve;
  /// The accesses to shared memory, of the thread alone; null where there is none.
  lane_races *races;
  /// The invocations of one workgroup.
  uint32_t invocations;
} lane_watch;

/// What a thread runs with.
struct lane_context {
  const lane_texture *textures;
  const lane_buffer *buffers;
  const lane_constants *constants;
  /// The shared memory of the workgroup.
  char *shared;
  /// Where a batch that waits at a barrier goes on; null for one that has ended.
  const lane_instruction *resume;
  /// Back edges of loops that may still be taken before the clock is asked; 0 at the start.
  int64_t fuel;
  /// Back edges that one workgroup may take beyond those.
  int64_t steps_left;
  /// Nanoseconds of the monotonic clock after which the thread gives up; 0 for never.
  int64_t deadline;
  /// A number that another thread makes something else than 0 when the work is to end; null where none does.
  const int32_t *cancelled;
  /// 0, or a `lane_stop`.
  int32_t stop;
  /// The number in the workgroup of the first invocation of the batch that runs.
  int32_t first_lane;
  /// The number of the workgroup that runs.
  int64_t workgroup;
  /// Null for programs that are not watched.
  const lane_watch *watch;
};

/// Whether the work is to end.
static inline int lane_is_cancelled(const lane_context *context) {
  return context->cancelled && __atomic_load_n(context->cancelled, __ATOMIC_RELAXED) != 0;
}

/// Takes note of the lanes in which `hits` is not 0, at the site of an instruction of a watched program.
void lane_take_note(const lane_instruction *instruction, const char *registers, lane_context *context, const int32_t *hits, int needs_finite);
/// Adds a number of operations to what each lane took where the mask `active` holds.
void lane_count_operations(const lane_context *context, const int32_t *active, uint32_t mask, uint32_t count);
/// Takes note of lanes that touch a shared word which another lane touched since the last barrier, one of them to write it.
void lane_note_shared(const lane_instruction *instruction, const char *registers, lane_context *context);
/// Takes note of lanes that store a texel which was stored before.
void lane_note_stored(const lane_instruction *instruction, const char *registers, lane_context *context);
/// Takes note of lanes that read a texture farther from their pixels than they may.
void lane_note_reach(const lane_instruction *instruction, const char *registers, lane_context *context);
/// How many rounds a loop may be given at once: any number at first, few once its workgroup has taken so many that long loops have to end.
uint32_t lane_rounds_left(const lane_context *context, uint32_t site);
/// Takes note of lanes that get to a barrier which others of the workgroup do not get to.
void lane_note_barrier(const lane_instruction *instruction, const char *registers, lane_context *context);
/// Forgets the shared memory of a workgroup that begins, and compares the barriers of the batches of one that has ended.
void lane_begin_races(lane_context *context);
void lane_end_races(lane_context *context, uint32_t batch_count);
/// Keeps what all lanes assign to the variable that is pictured.
void lane_take_values(const lane_instruction *instruction, const char *registers, const lane_context *context);
/// The lane of the batch that is probed; -1 for none.
int lane_find_probed(const lane_context *context);
/// Keeps what the probed lane assigns, at the site of an instruction of a probed program.
void lane_take_record(const lane_instruction *instruction, const char *registers, const lane_context *context, int lane);

typedef enum { LANE_STOP_NONE, LANE_STOP_STEPS, LANE_STOP_DEADLINE, LANE_STOP_CANCELLED } lane_stop;

/// The fuel between two looks at the clock.
#define LANE_FUEL 1024

/// Runs a program until its `halt`; returns the context's `stop`.
int lane_run(const lane_instruction *program, char *registers, lane_context *context);

/// The workgroups of one dispatch, which threads take one after the other.
typedef struct {
  const lane_instruction *program;
  /// The first of six scalar registers: the coordinates of the workgroup and the number of workgroups.
  uint32_t workgroup;
  uint32_t count_x, count_y, count_z;
  /// The batches of a workgroup, and the bytes of the registers of each.
  uint32_t batch_count;
  size_t register_bytes;
  /// Shared memory is zero when a workgroup starts.
  size_t shared_bytes;
  /// Back edges that one workgroup may take in all.
  int64_t step_limit;
  /// The numbers of the workgroups that run; null where all do.
  const uint32_t *chosen;
  int64_t chosen_count;
  /// Whether the last workgroup comes first, and in each the last batch.
  int is_reversed;
  /// How many workgroups were taken; shared by all threads.
  int64_t *next;
} lane_dispatch;

/// Runs workgroups until none is left or one is stopped; returns -1, or the number of the workgroup that was stopped.
///
/// The batches of a workgroup run one after the other from barrier to barrier.
int64_t lane_run_dispatch(const lane_dispatch *dispatch, char *registers, lane_context *context);

/// Nanoseconds of a clock that only runs forward.
int64_t lane_clock(void);

/// Writes a value to a scalar register.
void lane_set_scalar(char *registers, uint32_t offset, uint32_t value);

/// Memory that starts at a cache line and is zero; null when there is none.
void *lane_allocate(size_t byte_count);
void lane_free(void *memory);

#endif

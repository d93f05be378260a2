// Rows of pictures as planes of floats.
#pragma once

#include "comparison.h"

// Runs on what the processor has: the functions are compiled twice, and give the same bits both ways (no fused operations).
#if defined(__x86_64__) && defined(__linux__)
#define COMPARISON_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define COMPARISON_WIDE
#endif

// Four pixels of RGBA8, and sums of theirs.
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint16_t words16 __attribute__((vector_size(32)));
typedef uint32_t longs16 __attribute__((vector_size(64)));

// Memory for planes of a row each; the process ends when there is none.
void *comparison_memory(size_t count, size_t size);

// The row `y` as four planes of `width` floats, one behind the other, in raw numbers (`white` is 1).
void comparison_read_row(const comparison_pair *pair, const comparison_picture *picture, size_t y, float *planes);

// The same with planes that lie `stride` floats apart.
void comparison_read_planes(const comparison_pair *pair, const comparison_picture *picture, size_t y, float *planes, size_t stride);

// The brightness of a row (Rec. 709 weights of encoded values) in raw numbers; `planes` is scratch for one row.
void comparison_read_luma(const comparison_pair *pair, const comparison_picture *picture, size_t y, float *planes, float *luma);

bool comparison_is_rgba8(const comparison_pair *pair);

// A row of both pictures (four planes each) as an eye sees it: color is 0 in both where the pair hides it, and every number is 0 in both
// where one is not finite.
void comparison_read_visible_rows(const comparison_pair *pair, size_t y, float *actual, float *reference);

// The brightness of such a row of both pictures; `planes` is scratch for eight planes.
void comparison_read_visible_luma(const comparison_pair *pair, size_t y, float *planes, float *actual, float *reference);

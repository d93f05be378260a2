// The short kernels for AVX2 that work on each lane alone: 16 lanes at a time, in two vectors, so that one half is computed while the other waits
// for its results.

#include "lane_kernels.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,f16c"))), apply_to = function)
#define LANES 16
#define LANE_HAS_HALF 1
#define LANE_ONLY_SHORT
#define LANE_ELEMENTWISE lane_elementwise_avx2
#include "lane_table.inc"
#pragma clang attribute pop
#endif

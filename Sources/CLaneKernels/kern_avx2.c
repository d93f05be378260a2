// The kernels for AVX2: 8 lanes to a vector.

#include "lane_kernels.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,f16c"))), apply_to = function)
#define LANES 8
#define LANE_HAS_HALF 1
#define LANE_TABLE lane_table_avx2
#include "lane_table.inc"
#pragma clang attribute pop
#endif

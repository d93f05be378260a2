// The kernels for AVX2 that look at memory, at other lanes or at the flow of control, and the long computations: 8 lanes to a vector.

#include "lane_kernels.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,f16c"))), apply_to = function)
#define LANES 8
#define LANE_HAS_HALF 1
#define LANE_ONLY_LONG
#define LANE_ELEMENTWISE lane_elementwise_long_avx2
#define LANE_SPECIAL lane_special_avx2
#include "lane_table.inc"
#pragma clang attribute pop
#endif

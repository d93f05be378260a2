// The kernels for AVX-512: 16 lanes to a vector.

#include "lane_kernels.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2,lzcnt,popcnt,f16c"))), apply_to = function)
#define LANES 16
#define LANE_HAS_HALF 1
#define LANE_ELEMENTWISE lane_elementwise_avx512
#define LANE_SPECIAL lane_special_avx512
#include "lane_table.inc"
#pragma clang attribute pop
#endif

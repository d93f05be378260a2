// The probe table for AVX-512.

#if defined(__x86_64__)

#include <stdint.h>

#include "lane_probe_table.h"

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,f16c"))), apply_to = function)
#define LANES 16
#define LANE_HAS_HALF 1
#define LANE_PROBE_TABLE lane_probe_avx512
#include "lane_math.inc"
#include "lane_probe.inc"
#pragma clang attribute pop

#endif

// The probe functions of one instruction set.

#ifndef LANE_PROBE_TABLE_H
#define LANE_PROBE_TABLE_H

#include "lane_probe_list.h"

#define LANE_PROBE_COUNT(name, expression) +1

enum {
  LANE_PROBE_UNARY_COUNT = 0 LANE_PROBE_UNARY(LANE_PROBE_COUNT) LANE_PROBE_UNARY_BITS(LANE_PROBE_COUNT),
  LANE_PROBE_BINARY_COUNT = 0 LANE_PROBE_BINARY(LANE_PROBE_COUNT) LANE_PROBE_BINARY_BITS(LANE_PROBE_COUNT),
};

typedef void lane_probe_function(const float *first, const float *second, float *results, int count);

typedef struct {
  lane_probe_function *unary[LANE_PROBE_UNARY_COUNT];
  lane_probe_function *binary[LANE_PROBE_BINARY_COUNT];
} lane_probe_table;

extern const lane_probe_table lane_probe_baseline, lane_probe_avx2, lane_probe_avx512;

#endif

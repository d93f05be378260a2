// The kernels for every machine: four lanes to a vector.

#include "lane_kernels.h"

#define LANES 4
#define LANE_ELEMENTWISE lane_elementwise_base
#define LANE_SPECIAL lane_special_base
#include "lane_table.inc"

// The kernels for every machine: four lanes to a vector.

#include "lane_kernels.h"

#define LANES 4
#define LANE_TABLE lane_table_base
#include "lane_table.inc"

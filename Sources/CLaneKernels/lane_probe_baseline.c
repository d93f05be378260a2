// The probe table of the instruction set that every machine of this architecture has.

#define LANES 4
#define LANE_PROBE_TABLE lane_probe_baseline
#include "lane_math.inc"
#include "lane_probe.inc"

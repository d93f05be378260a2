// The table behind LANE_K and LANE_KD. It must not be visible where it is used, or the compiler turns it into literals again.

#include "lane_constants.h"

#define EIGHT_TIMES(name, value) {value, value, value, value, value, value, value, value},

const float lane_float_constants[][8] = {LANE_FLOAT_CONSTANTS(EIGHT_TIMES)};
const double lane_double_constants[][8] = {LANE_DOUBLE_CONSTANTS(EIGHT_TIMES)};

// The tables behind LANE_K, LANE_KD and bytes. The first two must not be visible where they are used, or the compiler turns them into literals again.

#include "lane_constants.h"

#define EIGHT_TIMES(name, value) {value, value, value, value, value, value, value, value},

const float lane_float_constants[][8] = {LANE_FLOAT_CONSTANTS(EIGHT_TIMES)};
const double lane_double_constants[][8] = {LANE_DOUBLE_CONSTANTS(EIGHT_TIMES)};

#define FOUR(first) (first) / 255.0f, ((first) + 1) / 255.0f, ((first) + 2) / 255.0f, ((first) + 3) / 255.0f
#define SIXTEEN(first) FOUR(first), FOUR((first) + 4), FOUR((first) + 8), FOUR((first) + 12)
#define SIXTY_FOUR(first) SIXTEEN(first), SIXTEEN((first) + 16), SIXTEEN((first) + 32), SIXTEEN((first) + 48)

const float lane_unorm8[256] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)};

// What a pixel kernel that writes the output starts with.

#include "pixels.glsl"

layout(std430, set = 0, binding = 1) writeonly buffer Output { uvec4 results[]; };

void finish(ivec2 pixel, uvec4 result) { if (isInside(pixel)) results[indexOf(pixel)] = result; }
void finish(ivec2 pixel, vec4 result) { finish(pixel, floatBitsToUint(result)); }

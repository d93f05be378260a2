// Reads the second channel of four pixels, each with an offset from the one at the lower left of a position.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform sampler2D picture;
const ivec2 offsets[4] = ivec2[4](ivec2(0, 1), ivec2(2, 3), ivec2(-4, 1), ivec2(5, -6));
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(textureGatherOffsets(picture, v.xy, offsets, 1));
}

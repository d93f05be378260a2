// Reads a level with an offset beside a position that is divided first, given in three and in four numbers.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform sampler2D picture;
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  vec4 a = textureProjLodOffset(picture, vec3(2.0 * v.xy, 2.0), v.z, ivec2(3, -5));
  vec4 b = textureProjLodOffset(picture, vec4(0.5 * v.xy, 7.0, 0.5), v.z, ivec2(3, -5));
  return bits(0.5 * (a + b));
}

// Reads a cube in a direction, at a level.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform samplerCube picture;
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(textureLod(picture, v.xyz, v.w));
}

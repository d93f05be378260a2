// Reads a level of a texture of three dimensions, beside its position by pixels of that level.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform sampler3D picture;
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(textureLodOffset(picture, v.xyz, v.w, ivec3(3, -5, 2)));
}

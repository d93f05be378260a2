// Reads a texture of three dimensions with the level that two steps ask for.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform sampler3D picture;
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(textureGrad(picture, v.xyz, vec3(0.0, 0.0, v.w), vec3(0.5 * v.w, 0.25 * v.w, 0.0)));
}

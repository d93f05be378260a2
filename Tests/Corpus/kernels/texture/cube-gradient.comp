// Reads a cube with the level that steps along the edges of the cube ask for.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform samplerCube picture;
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(textureGrad(picture, v.xyz, vec3(v.w, 0.0, 0.25 * v.w), vec3(0.0, v.w, -0.5 * v.w)));
}

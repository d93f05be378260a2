// Indices beyond shared arrays: the last element.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

shared uint values[16];

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  values[gl_LocalInvocationIndex & 15u] = gl_LocalInvocationIndex & 15u;
  barrier();
  return uvec4(values[words.x], values[words.y | 16u], values[15], values[words.z & 15u]);
}

// Textures as parameters of functions.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(set = 0, binding = 2) uniform sampler2D first;
layout(set = 0, binding = 3) uniform sampler2D second;
vec4 at(sampler2D picture, vec2 position) { return texelFetch(picture, ivec2(abs(position) * 4.0), 0); }
vec4 mixed(sampler2D a, sampler2D b, vec2 position) { return at(a, position) * 2.0 + at(b, position.yx); }
uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(mixed(first, second, v.xy) - mixed(second, first, v.yx));
}

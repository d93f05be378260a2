// Conversions of integers and booleans to floats.
// operands: integers
// expect: from-signed x, from-unsigned x, from-boolean x, from-signed y
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(float(int(words.x)), float(words.x), float(words.x != 0u), float(int(words.y))));
}

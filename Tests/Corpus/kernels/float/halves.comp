// 16-bit floats: each operation rounds to a half.
// operands: halves
// expect: half-arithmetic
// devices: cpu
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  float16_t a = float16_t(v.x), b = float16_t(v.y), c = float16_t(v.z);
  float16_t low = a * b + c;
  f16vec2 pair = f16vec2(a, b) / f16vec2(c, a);
  return bits(vec4(float(a + b), float(low), float(pair.x), float(sqrt(abs(a)))));
}

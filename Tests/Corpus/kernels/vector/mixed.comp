// Vectors with scalars, componentwise functions, select by boolean vectors.
// operands: numbers
// expect: vector-mix
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  vec4 a = 2.0 * v + vec4(1, 2, 3, 4);
  vec4 b = max(a, 0.5) - v.x;
  bvec4 c = lessThan(v, v.yzwx);
  return bits(mix(a, b, c));
}

// Functions outside their domains: equal edges, zero vectors, powers of negative numbers.
// operands: numbers
// expect: undefined-floats
// devices: cpu
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(smoothstep(v.x, v.x, v.x), normalize(vec3(v.x) - v.x).y, pow(-abs(v.x) - 1.0, 2.0), clamp(v.y, 3.0, -3.0)));
}

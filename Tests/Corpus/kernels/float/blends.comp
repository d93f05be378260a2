// Linear and smooth interpolation.
// operands: numbers
// expect: mix x y z, smoothstep-of x y z, mix x y x, smoothstep-of z x y
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(mix(v.x, v.y, v.z), smoothstep(v.x, v.y, v.z), mix(v.x, v.y, v.x), smoothstep(v.z, v.x, v.y)));
}

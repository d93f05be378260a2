// ldexp, degrees and radians.
// operands: scaled
// expect: ldexp x y, radians x, degrees x, ldexp z w
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return bits(vec4(ldexp(v.x, int(words.y)), radians(v.x), degrees(v.x), ldexp(v.z, int(words.w))));
}

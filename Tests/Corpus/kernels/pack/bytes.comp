// Packing to bytes.
// operands: fractions
// expect: pack-unorm8 x y z w, pack-snorm8 x y z w, pack-unorm8 w z y x, pack-snorm8 y x w z
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return uvec4(packUnorm4x8(v), packSnorm4x8(v), packUnorm4x8(v.wzyx), packSnorm4x8(v.yxwz));
}

// Packing to 16 bits.
// operands: fractions
// expect: pack-unorm16 x y, pack-snorm16 z w, pack-half x z, pack-half y w
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  return uvec4(packUnorm2x16(v.xy), packSnorm2x16(v.zw), packHalf2x16(v.xz), packHalf2x16(v.yw));
}

// Structures in structures, copied, compared, passed and returned.
// operands: small
// expect: nested-structure
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

struct Inner { uint a; vec2 b; };
struct Outer { Inner first; uint values[3]; Inner second; };
Outer make(uint x) { return Outer(Inner(x, vec2(x, 1.0)), uint[](x, x + 1u, x + 2u), Inner(2u * x, vec2(3.0))); }
Inner flip(Inner inner) { return Inner(inner.a + 1u, inner.b.yx); }
uvec4 evaluate(uvec4 words) {
  Outer outer = make(words.x);
  Outer copy = outer;
  copy.values[words.y % 3u] = words.z;
  copy.second = flip(outer.first);
  bool same = copy.first == outer.first, equalValues = copy.values == outer.values;
  return uvec4(copy.values[words.w % 3u], copy.second.a, floatBitsToUint(copy.second.b.y), uint(same) | uint(equalValues) << 1);
}

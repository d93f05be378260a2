// Variables that were never written are zero.
// operands: small
// expect: uninitialized
// devices: cpu
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

struct Pair { uint a; vec2 b; };
uvec4 evaluate(uvec4 words) {
  uint a;
  uint many[16];
  Pair pair;
  if (words.x > 100u) { a = 1u; many[3] = 2u; pair.b.y = 1.0; }
  return uvec4(a, many[words.y & 15u], floatBitsToUint(pair.b.y), pair.a);
}

// Parameters that are written: out, inout, arrays and structures.
// operands: small
// expect: function-references
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

struct Pair { uint a; uint b; };
void swap(inout uint a, inout uint b) { uint c = a; a = b; b = c; }
void both(uint x, out uint twice, out uint square) { twice = 2u * x; square = x * x; }
void fill(inout uint values[4], uint from) { for (uint n = 0u; n < 4u; n++) values[n] += from + n; }
void bump(inout Pair pair) { pair.a++; swap(pair.a, pair.b); }
uvec4 evaluate(uvec4 words) {
  uint twice, square, values[4] = uint[](1u, 2u, 3u, 4u);
  swap(words.x, words.y);
  both(words.z, twice, square);
  fill(values, words.w);
  swap(values[words.x & 3u], values[words.y & 3u]);
  Pair pair = Pair(words.x, words.y);
  bump(pair);
  return uvec4(pair.a * 100u + pair.b, twice + square, values[words.x & 3u], values[words.z & 3u]);
}

// A constant table.
// operands: small
// expect: constant-table
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

const uint primes[16] = uint[](2u, 3u, 5u, 7u, 11u, 13u, 17u, 19u, 23u, 29u, 31u, 37u, 41u, 43u, 47u, 53u);
uvec4 evaluate(uvec4 words) {
  return uvec4(primes[words.x & 15u], primes[words.y & 15u] + primes[words.z & 15u], primes[15], primes[words.w & 7u]);
}

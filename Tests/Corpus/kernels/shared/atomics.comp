// Every atomic operation on shared memory.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

shared int low, high;
shared uint ulow, uhigh, all, any, parity, count, winner, last;

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  if (gl_LocalInvocationIndex == 0u) { low = 1000; high = -1000; ulow = 1000u; uhigh = 0u; all = 0xffffffffu; any = parity = count = winner = 0u; last = 77u; }
  barrier();
  int x = int(words.x) - 8;
  atomicMin(low, x);
  atomicMax(high, x);
  atomicMin(ulow, words.y);
  atomicMax(uhigh, words.y);
  atomicAnd(all, words.z | 2u);
  atomicOr(any, 1u << words.z);
  atomicXor(parity, words.w);
  atomicAdd(count, words.w);
  uint before = atomicCompSwap(winner, 0u, 5u);
  atomicExchange(last, 78u);
  barrier();
  return uvec4(uint(low + 100) | uint(high + 100) << 8 | ulow << 16 | uhigh << 24, all ^ any, parity | count << 8, winner + last + uint(before == 0u || before == 5u));
}

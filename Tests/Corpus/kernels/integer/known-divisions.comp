// Divisions by zero and overflowing ones whose operands a driver's compiler knows, so that it divides itself.
// operands: divisors
// expect: known-divisions
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

layout(constant_id = 0) const int LEAST = -2147483647 - 1;
layout(constant_id = 1) const int MINUS_ONE = -1;

uvec4 evaluate(uvec4 words) {
  int least = -2147483647 - 1, minusOne = -1, zero = 0;
  uint unsignedZero = 0u;
  ivec2 dividends = ivec2(least, 7), divisors = ivec2(minusOne, zero);
  ivec2 quotients = dividends / divisors, remainders = dividends % divisors;
  uint zeros = uint(least % minusOne) | uint(7 / zero) | uint(7 % zero) | 7u / unsignedZero | 7u % unsignedZero;
  return uvec4(
    uint(least / minusOne), zeros, uint(quotients.x) + uint(quotients.y | remainders.x | remainders.y),
    uint(LEAST / MINUS_ONE) + uint(LEAST % MINUS_ONE));
}

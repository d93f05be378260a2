// The six comparisons, signed and unsigned: one bit each.
// operands: integers
// expect: signed-comparisons x y, unsigned-comparisons x y, signed-comparisons z w, unsigned-comparisons z w
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  uvec4 result = uvec4(0u);
  for (int pair = 0; pair < 2; pair++) {
    uint x = words[2 * pair], y = words[2 * pair + 1];
    int a = int(x), b = int(y);
    result[2 * pair] = uint(a < b) | uint(a <= b) << 1 | uint(a > b) << 2 | uint(a >= b) << 3 | uint(a == b) << 4 | uint(a != b) << 5;
    result[2 * pair + 1] = uint(x < y) | uint(x <= y) << 1 | uint(x > y) << 2 | uint(x >= y) << 3 | uint(x == y) << 4 | uint(x != y) << 5;
  }
  return result;
}

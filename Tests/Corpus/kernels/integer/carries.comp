// Sums with carries and differences with borrows.
// operands: integers
// expect: iadd x y, carry x y, isub x y, borrow x y
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  uint carry, borrow;
  uint sum = uaddCarry(words.x, words.y, carry);
  uint difference = usubBorrow(words.x, words.y, borrow);
  return uvec4(sum, carry, difference, borrow);
}

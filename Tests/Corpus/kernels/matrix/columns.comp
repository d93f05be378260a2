// Columns and entries that are chosen while the shader runs, outer products.
// operands: small
// expect: matrix-columns
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  mat4x3 m;
  for (int column = 0; column < 4; column++)
    for (int row = 0; row < 3; row++) m[column][row] = float(10 * column + row);
  m[words.x & 3u] *= 2.0;
  m[words.y & 3u][words.z % 3u] += 100.0;
  mat3x2 o = outerProduct(vec2(2, 3), vec3(5, 7, 11));
  return bits(vec4(m[words.z & 3u][words.w % 3u], m[words.w & 3u].x, o[words.x % 3u][words.y & 1u], m[words.y & 3u][words.z % 3u]));
}

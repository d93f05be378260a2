// Arrays of arrays and of vectors, copied as a whole.
// operands: small
// expect: nested-array
#version 460
#extension GL_GOOGLE_include_directive : require
#include "../operands.glsl"

uvec4 evaluate(uvec4 words) {
  vec4 v = floats(words);
  vec2 a[3][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) a[i][j] = vec2(i, j);
  vec2 b[3][4] = a;
  b[words.x % 3u][words.y & 3u].y = 50.0;
  b[words.z % 3u] = a[words.w % 3u];
  vec2 c = b[words.y % 3u][words.z & 3u];
  return bits(vec4(c, a[words.x % 3u][words.y & 3u].y, b[words.x % 3u][words.y & 3u].y));
}

#version 450
// Every arithmetic operator on scalars, vectors and matrices.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std140, binding = 0) uniform Values {
  float f; int i; uint u; bool b;
  vec4 v; ivec4 iv; uvec4 uv;
  mat2 m2; mat3 m3; mat4 m4; mat2x3 m23;
};
layout(std430, binding = 1) buffer Results { vec4 results[]; };

vec4 floats() {
  vec4 a = v + f, s = v - f, p = v * a, q = v / p;
  float d = dot(a, s) - -f;
  vec4 r = mod(a, q) + vec4(d);
  r = mix(r, a, lessThan(r, s));
  r.xz = r.zx; r[i & 3] = f;
  return any(greaterThanEqual(r, a)) ? r : -r * vec4(isnan(f), isinf(f), f == d, f != d);
}

ivec4 integers() {
  ivec4 a = iv + i, s = iv - i, p = iv * a, q = iv / (p | 1), m = iv % (q | 1);
  a += -s ^ ~m; a <<= (i & 31); a >>= 2;
  uvec4 w = uv / (u | 1u) + uv % 7u; w >>= u & 31u; w &= uv | 3u;
  bvec4 c = greaterThan(a, s);
  return a + ivec4(w) + ivec4(all(c), any(not(c)), i >= int(u), u < 4u);
}

vec4 matrices() {
  mat4 p = m4 * m4, t = transpose(p) + matrixCompMult(m4, p) * f;
  vec4 a = t * v + v * m4 + vec4(m3 * v.xyz, m23[1].y) + vec4(m2 * v.xy, v.zw * m2);
  mat3 o = outerProduct(v.xyz, a.xyz) - m3 / 2.0;
  return a + inverse(p)[i & 3] * determinant(o) + vec4(inverse(o)[0], determinant(m2)) + vec4(o[1], m23 * v.xy == v.xyz);
}

void main() {
  uint at = gl_GlobalInvocationID.y * 64u + gl_GlobalInvocationID.x;
  results[at] = floats() + vec4(integers()) + matrices() + (b ^^ (f > 0.0) ? 1.0 : 0.0);
}

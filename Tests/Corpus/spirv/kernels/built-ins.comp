#version 450
// Every built-in function on floats, integers and bits.
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { vec4 a; vec4 b; ivec4 i; uvec4 u; mat3 m; } push;
layout(std430, binding = 0) writeonly buffer Results { vec4 results[]; };

vec4 angles(vec4 x) {
  return radians(x) + degrees(x) + sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + atan(x, push.b) + sinh(x) + cosh(x) + tanh(x)
    + asinh(x) + acosh(x) + atanh(x);
}

vec4 powers(vec4 x) { return pow(x, push.b) + exp(x) + log(x) + exp2(x) + log2(x) + sqrt(x) + inversesqrt(x); }

vec4 steps(vec4 x) {
  vec4 whole, y = modf(x, whole);
  ivec4 exponent; vec4 z = frexp(x, exponent);
  return abs(x) + sign(x) + floor(x) + trunc(x) + round(x) + roundEven(x) + ceil(x) + fract(x) + mod(x, 2.0) + min(x, y) + max(x, whole)
    + clamp(x, 0.0, 1.0) + mix(x, y, 0.5) + step(0.5, x) + smoothstep(0.0, 1.0, x) + fma(x, y, z) + ldexp(z, exponent);
}

vec4 geometry(vec3 x, vec3 y) {
  return vec4(normalize(x) + cross(x, y) + reflect(x, y) + refract(x, y, 0.9) + faceforward(x, y, x), length(x) + distance(x, y));
}

uvec4 bits(ivec4 i, uvec4 u) {
  uvec4 carry, high, low; uvec4 sum = uaddCarry(u, u, carry); uvec4 difference = usubBorrow(u, sum, high);
  umulExtended(u, u, high, low);
  ivec4 signedHigh, signedLow; imulExtended(i, i, signedHigh, signedLow);
  return bitfieldExtract(u, 3, 5) + uvec4(bitfieldExtract(i, 3, 5)) + bitfieldInsert(u, sum, 1, 4) + bitfieldReverse(difference)
    + uvec4(bitCount(u)) + uvec4(findLSB(i)) + uvec4(findMSB(u)) + uvec4(findMSB(i)) + carry + high + low + uvec4(signedHigh + signedLow)
    + uvec4(abs(i)) + uvec4(sign(i)) + min(u, carry) + clamp(u, 1u, 9u) + uvec4(max(i, ivec4(1)));
}

vec4 packs(vec4 x) {
  uint p = packUnorm4x8(x) + packSnorm4x8(x) + packHalf2x16(x.xy) + packUnorm2x16(x.xy) + packSnorm2x16(x.xy);
  return unpackUnorm4x8(p) + unpackSnorm4x8(p) + vec4(unpackHalf2x16(p), unpackUnorm2x16(p)) + vec4(unpackSnorm2x16(p), intBitsToFloat(floatBitsToInt(x.x)), uintBitsToFloat(floatBitsToUint(x.y)));
}

void main() {
  vec4 x = push.a;
  results[gl_GlobalInvocationID.x] = angles(x) + powers(x) + steps(x) + geometry(push.m * x.xyz, push.b.xyz) + vec4(bits(push.i, push.u)) + packs(x);
}

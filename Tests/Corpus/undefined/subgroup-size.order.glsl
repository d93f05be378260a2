/*{ "ETALON": 1, "DESCRIPTION": "The number of an invocation whose pixel follows from its subgroup." }*/
// pixel: 9, 3
vec4 imageKernel(vec2 position) {
  return vec4(float(gl_LocalInvocationIndex & 63u) / 63.0, abs(dFdx(position.x)) * 0.5, 0.25, 1.0);
}

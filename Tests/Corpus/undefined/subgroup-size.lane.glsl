/*{ "ETALON": 1, "DESCRIPTION": "Which invocation of its subgroup a pixel is, in a kernel that takes derivatives." }*/
// pixel: 9, 3
vec4 imageKernel(vec2 position) {
  return vec4(float(gl_SubgroupInvocationID) / 8.0, abs(dFdx(position.x)) * 0.5, 0.25, 1.0);
}

/*{
  "ETALON": 1
}*/
vec4 colorKernel() { return vec4(vec3(PROGRESS), 1.0); }

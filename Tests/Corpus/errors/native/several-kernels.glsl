/*{ "ETALON": 1 }*/
vec4 imageKernel(vec2 position) { return vec4(1.0); }
vec4 colorKernel() { return vec4(1.0); }

/*{ "ETALON": 1 }*/
vec4 imageKernl(vec2 position) { return vec4(1.0); }

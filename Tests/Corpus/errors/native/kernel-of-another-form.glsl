/*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }, { "NAME": "maskImage", "TYPE": "image" }],
  "PASSES": [{ "KERNEL": "colorKernel", "TARGET": "a" }, { "KERNEL": "blur", "TARGET": "b" }, { "KERNEL": "missing" }] }*/
vec4 colorKernel(vec4 color) { return color; }
vec3 blur(vec2 position) { return vec3(position, 0.0); }

/*{ "ETALON": 1, "DESCRIPTON": "x", "INPUTS": [
  { "NAME": "a", "TYPE": "float", "DEFAULT": 1, "MINIMUM": 0 },
  { "NAME": "b", "TYPE": "image", "STEP": 1, "INTERPOLATE": "linear" } ],
  "PASSES": [{ "KERNEL": "imageKernel", "SCALES": 2 }], "BUFFERS": [{ "NAME": "c", "TYPE": "uint", "COUNT": 1, "KIND": 1 }] }*/
vec4 imageKernel(vec2 position) { return vec4(1.0); }

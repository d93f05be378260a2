/*{ "ETALON": 1, "ALPHA": "premultiplyed", "EXTENT": "inputs", "INPUTS": [
  { "NAME": "a", "TYPE": "flaot", "DEFAULT": 1 },
  { "NAME": "b", "TYPE": "image", "INTERPOLATION": "bilinear", "ADDRESS": "clmp", "SPACE": "srgb", "ALPHA": "none" },
  { "NAME": "c", "TYPE": "float", "DEFAULT": 1, "UNIT": "pixels" },
  { "NAME": "d", "TYPE": "audio", "MAX": 0 } ],
  "BUFFERS": [{ "NAME": "e", "TYPE": "vec3", "COUNT": 0 }],
  "PASSES": [{ "FORMAT": "rgba16h", "SCALE": -1 }] }*/
vec4 imageKernel(vec2 position) { return vec4(1.0); }

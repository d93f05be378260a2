/*{ "ETALON": 1, "INPUTS": [
  { "NAME": "a b", "TYPE": "float", "DEFAULT": 1 },
  { "NAME": "1st", "TYPE": "float", "DEFAULT": 1 },
  { "NAME": "TIME", "TYPE": "float", "DEFAULT": 1 },
  { "NAME": "gl_x", "TYPE": "float", "DEFAULT": 1 },
  { "NAME": "vec4", "TYPE": "float", "DEFAULT": 1 },
  { "NAME": "same", "TYPE": "float", "DEFAULT": 1 },
  { "NAME": "same", "TYPE": "image" } ],
  "BUFFERS": [{ "NAME": "same", "TYPE": "uint", "COUNT": 4 }], "OUTPUTS": ["picture", "same"],
  "PASSES": [{ "TARGET": "same" }, {}] }*/
vec4 imageKernel(vec2 position) { return vec4(1.0); }

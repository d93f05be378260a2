/*{ "ETALON": 1, "INPUTS": [
  { "NAME": "a", "TYPE": "float", "DEFAULT": 1, "MIN": 0 },
  { "NAME": "b", "TYPE": "vec2", "DEFAULT": [1, 1], "MAX": [2, 2] },
  { "NAME": "c", "TYPE": "float", "DEFAULT": 1, "MIN": 2, "MAX": 0 } ] }*/
vec4 imageKernel(vec2 position) { return vec4(1.0); }

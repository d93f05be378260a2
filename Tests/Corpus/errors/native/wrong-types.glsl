/*{ "ETALON": "1", "DESCRIPTION": 3, "INPUTS": [
  { "NAME": 1, "TYPE": "float", "DEFAULT": "1" },
  { "NAME": "b", "TYPE": "vec3", "DEFAULT": [1, 2] },
  { "NAME": "c", "TYPE": "bool", "DEFAULT": 0 },
  { "NAME": "d", "TYPE": "int", "DEFAULT": 1.5 },
  { "NAME": "e", "TYPE": "color", "DEFAULT": "red" },
  7 ], "PASSES": {}, "CONSTRAINTS": [1], "CATEGORIES": "blur", "EXTENT": 3, "REACH": [1, 2, 3] }*/
vec4 imageKernel(vec2 position) { return vec4(1.0); }

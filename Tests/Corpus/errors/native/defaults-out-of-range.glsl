/*{ "ETALON": 1, "INPUTS": [
  { "NAME": "a", "TYPE": "float", "DEFAULT": 3, "MIN": 0, "MAX": 2 },
  { "NAME": "b", "TYPE": "vec2", "DEFAULT": [0, -1], "MIN": 0, "MAX": 2 },
  { "NAME": "c", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0, "MAX": 2, "STEP": 0.25 },
  { "NAME": "d", "TYPE": "long", "DEFAULT": 3, "VALUES": [0, 1], "LABELS": ["no", "yes"] },
  { "NAME": "e", "TYPE": "float" },
  { "NAME": "f", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1], "LABELS": ["no"] },
  { "NAME": "g", "TYPE": "float", "DEFAULT": 0, "STEP": 0 } ] }*/
vec4 imageKernel(vec2 position) { return vec4(1.0); }

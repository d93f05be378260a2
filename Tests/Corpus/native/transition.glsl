/*{ "ETALON": 1, "INPUTS": [
  { "NAME": "startImage", "TYPE": "image" }, { "NAME": "endImage", "TYPE": "image" },
  { "NAME": "progress", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0 } ] }*/
vec4 colorKernel(vec4 from, vec4 to) { return mix(from, to, progress); }

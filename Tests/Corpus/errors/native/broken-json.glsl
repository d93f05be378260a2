/*{ "ETALON": 1,
  "INPUTS": [ { "NAME": "a" "TYPE": 'float', DEFAULT: 1 ] }*/
vec4 imageKernel(vec2 position) { return vec4(1.0); }

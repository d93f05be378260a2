/*{ "ETALON": 1, "DESCRIPTON": "x",
  "INPUTS": [ {"NAME": "inputImage", "TYPE": "imag"}, {"NAME": "a", "TYPE": "float", "MIN": 0, "DEFAULT": 0.5}, {"NAME": "b", "TYPE": "float", "DEFAULT": 3, "MIN": 0, "MAX": 1} ],
  "CONSTRAINTS": [ "a < c" ],
  "PASSES": [ {"TARGET": "one", "KERNEL": "k1", "WIDTH": "widht"}, {"TARGET": "two", "KERNEL": "k2"}, {"KERNEL": "k4"} ] }*/
uniform float loose;
vec4 k1(vec2 position) { return IMG_PIXEL(two, position) + 0.1; }
vec4 k2(vec2 position) { return IMG_PIXEL(one, position) + undefinedName; }
vec4 k3(vec2 position) { return IMG_PIXEL(one, position); }

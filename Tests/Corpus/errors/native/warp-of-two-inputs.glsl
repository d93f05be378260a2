/*{ "ETALON": 1, "INPUTS": [{ "NAME": "a", "TYPE": "image" }, { "NAME": "b", "TYPE": "image" }] }*/
vec2 warpKernel(vec2 position) { return position; }

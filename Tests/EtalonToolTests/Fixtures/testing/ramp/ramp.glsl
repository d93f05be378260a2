/*{ "ETALON": 1, "DESCRIPTION": "A ramp.", "INPUTS": [{ "NAME": "level", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1 }] }*/
vec4 imageKernel(vec2 position) { return vec4(position / RENDERSIZE, level, 1.0); }

/*{ "ETALON": 1, "IMPORTED": { "a": { "PATH": "../a.png" }, "b": {}, "c": { "PATH": "c.png", "DEFAULT": 1 } } }*/
vec4 imageKernel(vec2 position) { return vec4(1.0); }

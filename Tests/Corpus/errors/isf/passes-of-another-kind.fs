/*{ "INPUTS": { "NAME": "a" }, "PASSES": [ "first", {} ], "CATEGORIES": ["Blur", 1], "PERSISTENT_BUFFERS": 3, "IMPORTED": "a.png" }*/
void main() { gl_FragColor = vec4(1.0); }

/*{ "ETALON": 1, "INPUTS": [{ "NAME": "inner", "TYPE": "float", "DEFAULT": 1 }],
  "CONSTRAINTS": ["inner < outr", "innr > 0"], "REACH": -1, "EXTENT": [0, 0, "widht"],
  "BUFFERS": [{ "NAME": "b", "TYPE": "uint", "COUNT": "foo(1)" }],
  "PASSES": [{ "WIDTH": "$WIDHT / 2", "SCALE": 2 }] }*/
vec4 imageKernel(vec2 position) { return vec4(1.0); }

/*{ "ETALON": 1, "INPUTS": [],
  "PASSES": [ {"TARGET": "one", "KERNEL": "a"}, {"TARGET": "two", "KERNEL": "b"}, {"KERNEL": "c"} ] }*/
vec4 a(vec2 position) { return IMG_PIXEL(two, position) + 0.1; }
vec4 b(vec2 position) { return IMG_PIXEL(one, position) * 0.5; }
vec4 c(vec2 position) { return IMG_PIXEL(one, position); }

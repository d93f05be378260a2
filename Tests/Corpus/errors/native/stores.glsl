/*{ "ETALON": 1, "PASSES": [{ "KERNEL": "first", "TARGET": "small" }, { "KERNEL": "second" }] }*/
void first(ivec2 position) { IMG_STORE(smal, position, vec4(1.0)); IMG_STORE(outputImage, position, vec4(1.0)); }
void second(ivec2 position) { IMG_STORE(position.x > 2 ? a : b, position, vec4(1.0)); }

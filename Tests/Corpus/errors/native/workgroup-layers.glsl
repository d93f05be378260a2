/*{ "ETALON": 1, "PASSES": [{ "KERNEL": "a", "LOCAL_SIZE": [1, 1, 65] }] }*/
void a(ivec2 position) { IMG_STORE(outputImage, position, vec4(1.0)); }

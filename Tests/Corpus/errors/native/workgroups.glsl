/*{ "ETALON": 1, "PASSES": [{ "KERNEL": "a", "LOCAL_SIZE": [64, 64], "DISPATCH": [1, 2, 3, 4], "ITERATIONS": 0 }] }*/
void a(ivec2 position) { IMG_STORE(outputImage, position, vec4(1.0)); }

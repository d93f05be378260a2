/*{ "ETALON": 1, "PASSES": [{ "KERNEL": "a", "LOCAL_SIZE": [8, 8], "DISPATCH": [1], "WRITES": ["b"] }] }*/
vec4 a(vec2 position) { IMG_STORE(b, ivec2(position), vec4(LOCAL_INDEX)); return vec4(1.0); }

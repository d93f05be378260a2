/*{ "ETALON": 1, "OUTPUTS": ["picture", "mask"], "PASSES": [{ "KERNEL": "a" }, { "KERNEL": "a", "TARGET": "b" }, { "KERNEL": "a", "TARGET": "c", "PERSISTENT": true }, { "KERNEL": "a", "TARGET": "b", "FORMAT": "r8" }] }*/
vec4 a(vec2 position) { return vec4(1.0); }

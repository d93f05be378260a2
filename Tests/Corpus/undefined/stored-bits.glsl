/*{
  "ETALON": 1, "DESCRIPTION": "Integers that are kept as the bits of floats.",
  "PASSES": [{ "KERNEL": "keep", "TARGET": "kept", "FORMAT": "rgba32f" }, { "KERNEL": "show" }]
}*/
// pixel: 9, 3
// other: 0.0
vec4 keep(vec2 position) { return vec4(intBitsToFloat(int(position.x)), 0.0, 0.0, 1.0); }

vec4 show(vec2 position) {
  float a = float(floatBitsToInt(IMG_LOAD(kept, ivec2(position)).r)) / 16.0;
  return vec4(a, 0.5, 0.25, 1.0);
}

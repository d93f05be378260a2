/*{
  "ETALON": 1, "DESCRIPTION": "A number between two levels.",
  "PASSES": [{ "KERNEL": "keep", "TARGET": "kept", "FORMAT": "rgba8" }, { "KERNEL": "show" }]
}*/
// pixel: 9, 3
// other: 0.0, 0.5
vec4 keep(vec2 position) { return vec4((position.x * 8.0 + 0.5) / 255.0, 0.0, 0.0, 1.0); }

vec4 show(vec2 position) {
  float a = (IMG_LOAD(kept, ivec2(position)).r * 255.0 - 76.0) / 2.0;
  return vec4(a, 0.5, 0.25, 1.0);
}

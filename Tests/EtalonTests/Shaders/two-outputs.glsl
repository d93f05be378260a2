/*{
  "ETALON": 1,
  "OUTPUTS": ["beauty", { "NAME": "matte", "SCALE": 0.5, "FORMAT": "r8" }],
  "PASSES": [{ "KERNEL": "draw", "WRITES": ["beauty", "matte"] }]
}*/

void draw(ivec2 position) {
  vec2 place = vec2(position) / 255.0;
  IMG_STORE(beauty, position, vec4(place, float(FRAMEINDEX) / 255.0, 1.0));
  if (position % 2 == ivec2(0)) IMG_STORE(matte, position / 2, vec4(place.x, 0.0, 0.0, 0.0));
}

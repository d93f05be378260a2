/*{
  "ETALON": 1,
  "DESCRIPTION": "Draws a ramp and a matte of its right half.",
  "OUTPUTS": ["color", { "NAME": "matte", "FORMAT": "r8" }],
  "PASSES": [{ "KERNEL": "draw", "WRITES": ["color", "matte"] }]
}*/

void draw(ivec2 position) {
  float place = (float(position.x) + 0.5) / RENDERSIZE.x;
  IMG_STORE(color, position, vec4(place, 0.0, 0.0, 1.0));
  IMG_STORE(matte, position, vec4(step(0.5, place)));
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "The color bars of television: SMPTE's with the patches below them, or those of the EBU.",
  "CREDIT": "SMPTE EG 1-1990; EBU Tech. 3325 (75 % and 100 % bars of ITU-R BT.471).",
  "CATEGORIES": ["generate"], "ALIASES": ["smpte-bars"],
  "INPUTS": [
    { "NAME": "form", "TYPE": "long", "LABEL": "Form", "VALUES": [0, 1, 2], "LABELS": ["smpte", "75", "100"], "DEFAULT": 0,
      "HELP": "SMPTE's bars with reverse bars and patches, or eight bars of 75 % or 100 % over the whole height." }
  ]
}*/

/// White, yellow, cyan, green, magenta, red, blue, black: they count down from 7, where green is worth 4, red 2 and blue 1.
vec3 bar(int number) {
  int bits = 7 - number;
  return vec3((bits >> 1) & 1, (bits >> 2) & 1, bits & 1);
}

/// The patches at the bottom: -I, white, +Q, black, then black a little too dark, as it should be, and a little too light.
vec3 patchAt(float place) {
  float wide = 5.0 / 28.0;
  if (place < wide) return vec3(0, 33, 76) / 255.0;
  if (place < 2.0 * wide) return vec3(1.0);
  if (place < 3.0 * wide) return vec3(50, 0, 106) / 255.0;
  if (place < 5.0 / 7.0) return vec3(19) / 255.0;
  if (place < 6.0 / 7.0) return vec3(9 + 10 * int((place - 5.0 / 7.0) * 21.0)) / 255.0;
  return vec3(19) / 255.0;
}

vec4 colorKernel() {
  vec2 place = POSITION / RENDERSIZE;
  if (form > 0) return vec4(bar(clamp(int(place.x * 8.0), 0, 7)) * (form == 1 && place.x >= 0.125 ? 0.75 : 1.0), 1.0);
  int number = clamp(int(place.x * 7.0), 0, 6);
  if (place.y >= 1.0 / 3.0) return vec4(0.75 * bar(number), 1.0);
  if (place.y < 0.25) return vec4(patchAt(place.x), 1.0);
  // Blue first, and black behind every color.
  vec3 reverse = number % 2 == 0 ? bar(6 - number) : vec3(19) / 191.25;
  return vec4(0.75 * reverse, 1.0);
}

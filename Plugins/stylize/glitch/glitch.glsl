/*{
  "ETALON": 1,
  "DESCRIPTION": "A signal that breaks: torn rows, blocks in wrong places, and colors apart.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "repeat" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "IDENTITY": 0, "HELP": "How much is broken, and how far it goes." },
    { "NAME": "block", "TYPE": "float", "LABEL": "Block", "MIN": 0.005, "MAX": 1, "DEFAULT": 0.08, "UNIT": "normalized", "HELP": "How large blocks are, as a fraction of the picture's height." },
    { "NAME": "shift", "TYPE": "float", "LABEL": "Shift", "MIN": 0, "MAX": 1, "DEFAULT": 0.1, "UNIT": "normalized", "HELP": "How far things move, as a fraction of the picture's width." },
    { "NAME": "rate", "TYPE": "float", "LABEL": "Rate", "MIN": 0, "MAX": 60, "DEFAULT": 12, "HELP": "How often a second it breaks in another way." },
    { "NAME": "seed", "TYPE": "int", "LABEL": "Seed", "MIN": 0, "MAX": 65535, "DEFAULT": 0, "HELP": "Another number breaks other things." }
  ]
}*/

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

/// A number from 0 to 1 for something that has a kind and a place, new at each moment.
float random(uint kind, ivec2 place) {
  uint moment = uint(int(floor(TIME * rate + 0.001)));
  return float(mixed(uint(place.x) ^ mixed(uint(place.y) ^ mixed(kind ^ mixed(moment ^ mixed(uint(seed)))))) >> 8) / 16777216.0;
}

vec4 imageKernel(vec2 position) {
  float side = max(floor(block * RENDERSIZE.y), 1.0);
  float moved = 0.0;
  // Bands of rows tear to one side; some are as high as a block, some an eighth of it.
  ivec2 band = ivec2(0, int(floor(position.y / side)));
  ivec2 thin = ivec2(1, int(floor(position.y / max(floor(side / 8.0), 1.0))));
  if (random(1u, band) < 0.4 * amount) moved += random(2u, band) - 0.5;
  if (random(3u, thin) < 0.15 * amount) moved += 0.5 * (random(4u, thin) - 0.5);
  vec2 from = position + vec2(round(2.0 * moved * shift * RENDERSIZE.x), 0.0);
  // A few blocks, twice as wide as high, come from elsewhere.
  ivec2 tile = ivec2(floor(position / vec2(2.0 * side, side)));
  bool wrong = random(5u, tile) < 0.12 * amount;
  if (wrong) from += round((vec2(random(6u, tile), random(7u, tile)) - 0.5) * RENDERSIZE * shift * 4.0);
  // Red and blue run apart, more where something is torn.
  float apart = round(amount * shift * RENDERSIZE.x * (0.1 + abs(moved)) * (random(8u, ivec2(0)) - 0.3));
  vec4 red = IMG_PIXEL(inputImage, from + vec2(apart, 0.0));
  vec4 green = IMG_PIXEL(inputImage, from);
  vec4 blue = IMG_PIXEL(inputImage, from - vec2(apart, 0.0));
  return vec4(red.r, green.g, blue.b, max(green.a, max(red.a, blue.a)));
}

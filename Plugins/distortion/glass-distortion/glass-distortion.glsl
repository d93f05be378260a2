/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows a picture through patterned glass: frosted, hammered, reeded or in blocks.",
  "CATEGORIES": ["distortion"], "ALIASES": ["glass"],
  "REACH": "amount + 1.0",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "mirror" },
    { "NAME": "pattern", "TYPE": "long", "LABEL": "Pattern", "VALUES": [0, 1, 2, 3], "LABELS": ["frosted", "hammered", "reeded", "blocks"], "DEFAULT": 1,
      "HELP": "Fine grain, smooth dents, upright ribs, or square lenses." },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 500, "DEFAULT": 12, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far the glass bends the light." },
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 1, "MAX": 2048, "DEFAULT": 24, "UNIT": "px",
      "HELP": "How wide dents, ribs and blocks are; of frosted glass the grain is always as fine as pixels." },
    { "NAME": "seed", "TYPE": "int", "LABEL": "Seed", "MIN": 0, "MAX": 65535, "DEFAULT": 0, "HELP": "Another number gives other grain and dents." }
  ]
}*/

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

/// Two numbers from -1 to 1 for a point of a grid.
vec2 random(ivec2 point) {
  uint bits = mixed(uint(point.x) ^ mixed(uint(point.y) ^ mixed(uint(seed))));
  return vec2(uvec2(bits, mixed(bits ^ 1u)) >> 8) / 8388608.0 - 1.0;
}

/// Random numbers that change smoothly from point to point.
vec2 dents(vec2 place) {
  ivec2 corner = ivec2(floor(place));
  vec2 t = place - floor(place);
  t = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
  return mix(mix(random(corner), random(corner + ivec2(1, 0)), t.x), mix(random(corner + ivec2(0, 1)), random(corner + 1), t.x), t.y);
}

vec2 warpKernel(vec2 position) {
  vec2 place = position / scale;
  vec2 lens = 2.0 * (place - floor(place)) - 1.0;
  vec2 bend = pattern == 0 ? random(ivec2(floor(position))) : pattern == 1 ? dents(place) : pattern == 2 ? vec2(lens.x, 0.0) : lens;
  return position + amount * bend;
}

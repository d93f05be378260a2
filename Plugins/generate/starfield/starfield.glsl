/*{
  "ETALON": 1,
  "DESCRIPTION": "A night sky with stars of many magnitudes and colors.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "spacing", "TYPE": "float", "LABEL": "Spacing", "MIN": 4, "MAX": 1024, "DEFAULT": 16, "UNIT": "px",
      "HELP": "How far stars are apart on average." },
    { "NAME": "size", "TYPE": "float", "LABEL": "Size", "MIN": 0.4, "MAX": 8, "DEFAULT": 0.8, "UNIT": "px",
      "HELP": "The standard deviation of the spot of a star." },
    { "NAME": "brightness", "TYPE": "float", "LABEL": "Brightness", "MIN": 0, "MAX": 8, "DEFAULT": 1, "HELP": "How bright the brightest stars are." },
    { "NAME": "color", "TYPE": "float", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "HELP": "From white stars, at 0, to red and blue ones." },
    { "NAME": "twinkle", "TYPE": "float", "LABEL": "Twinkle", "MIN": 0, "MAX": 1, "DEFAULT": 0.3, "HELP": "How much the air lets stars flicker." },
    { "NAME": "drift", "TYPE": "vec2", "LABEL": "Drift", "MIN": -1000, "MAX": 1000, "DEFAULT": [0, 0], "UNIT": "px",
      "HELP": "How far stars move to the right and up in a second." },
    { "NAME": "seed", "TYPE": "int", "LABEL": "Seed", "MIN": 0, "MAX": 65535, "DEFAULT": 0, "HELP": "Another number gives another sky." }
  ],
  "CONSTRAINTS": ["spacing >= 5.0 * size"]
}*/

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

/// A number from 0 to 1, of which a star has several.
float random(uint star, uint number) { return float(mixed(star ^ number) >> 8) / 16777216.0; }

/// The light of the star of a square, as far as it falls on a place.
vec3 starlight(ivec2 cell, vec2 place) {
  uint star = mixed(uint(cell.x) ^ mixed(uint(cell.y) ^ mixed(uint(seed))));
  vec2 offset = place - (vec2(cell) + vec2(random(star, 1u), random(star, 2u))) * spacing;
  float bell = exp(-0.5 * min(dot(offset, offset) / (size * size), 100.0));
  // In space of one density stars of half the brightness are 2.8 times as many.
  float light = pow(1.0 - random(star, 3u) * 0.999, -2.0 / 3.0) / 30.0;
  float flicker = sin(6.2831853 * fract(TIME * (1.0 + 3.0 * random(star, 4u)) + random(star, 5u)));
  light *= 1.0 + 0.8 * twinkle * flicker;
  float warm = 2.0 * random(star, 6u) - 1.0;
  vec3 tint = 1.0 - color * (warm > 0.0 ? warm * vec3(0.0, 0.35, 0.7) : -warm * vec3(0.5, 0.25, 0.0));
  return tint * light * bell;
}

vec4 colorKernel() {
  vec2 place = POSITION - drift * TIME;
  ivec2 home = ivec2(floor(place / spacing));
  vec3 sum = vec3(0.0);
  for (int y = -1; y <= 1; y++) {
    for (int x = -1; x <= 1; x++) sum += starlight(home + ivec2(x, y), place);
  }
  // Light that a sensor cannot hold turns white last.
  return vec4(1.0 - exp(-3.0 * brightness * sum), 1.0);
}

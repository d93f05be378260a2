/*{
  "ETALON": 1,
  "DESCRIPTION": "A sun with rays that turn slowly.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -4, "MAX": 4, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle of the sun, as a fraction of the picture's sides." },
    { "NAME": "sunRadius", "TYPE": "float", "LABEL": "Sun radius", "MIN": 0.001, "MAX": 2, "DEFAULT": 0.1, "UNIT": "normalized",
      "HELP": "The radius of the sun, as a fraction of the picture's shorter side." },
    { "NAME": "reach", "TYPE": "float", "LABEL": "Reach", "MIN": 0.01, "MAX": 8, "DEFAULT": 0.6, "UNIT": "normalized",
      "HELP": "How far from the sun rays have a third of their light, as a fraction of the picture's shorter side." },
    { "NAME": "rays", "TYPE": "int", "LABEL": "Rays", "MIN": 3, "MAX": 256, "DEFAULT": 32, "HELP": "How many rays there are, about." },
    { "NAME": "strength", "TYPE": "float", "LABEL": "Strength", "MIN": 0, "MAX": 1, "DEFAULT": 0.7,
      "HELP": "How much rays stand out from the glow of the sun." },
    { "NAME": "evolution", "TYPE": "float", "LABEL": "Evolution", "MIN": -10000, "MAX": 10000, "DEFAULT": 0,
      "HELP": "Changes the rays slowly; at every whole number all of them are new." },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 0.75, 0.35, 1] },
    { "NAME": "seed", "TYPE": "int", "LABEL": "Seed", "MIN": 0, "MAX": 65535, "DEFAULT": 0, "HELP": "Another number gives other rays." }
  ]
}*/

const float turn = 6.28318530718;

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

/// How bright the rays are towards a place on a circle of some rays, from 0 to 1.
float raysAt(float place, int count, uint series) {
  int moment = int(floor(evolution));
  float between = smoothstep(0.0, 1.0, evolution - floor(evolution));
  int first = int(floor(place));
  float levels[2];
  for (int i = 0; i < 2; i++) {
    uint ray = uint((first + i) % count) ^ series;
    float now = float(mixed(ray ^ mixed(uint(moment) ^ mixed(uint(seed)))) >> 8) / 16777215.0;
    float next = float(mixed(ray ^ mixed(uint(moment + 1) ^ mixed(uint(seed)))) >> 8) / 16777215.0;
    levels[i] = mix(now, next, between);
  }
  return mix(levels[0], levels[1], smoothstep(0.0, 1.0, place - float(first)));
}

vec4 colorKernel() {
  float side = min(RENDERSIZE.x, RENDERSIZE.y);
  vec2 offset = POSITION - center * RENDERSIZE;
  float far = length(offset) / side;
  float direction = far > 0.0 ? fract(atan(offset.y, offset.x) / turn) : 0.0;
  float light = 0.6 * raysAt(direction * float(rays), rays, 0u) + 0.4 * raysAt(direction * float(3 * rays), 3 * rays, 0x10000u);
  // Rays begin at the rim of the sun, and the glow goes out into them.
  float outside = max(far - sunRadius, 0.0);
  float glow = exp(-outside / reach) * mix(1.0, light * light * 1.6, strength * smoothstep(0.0, sunRadius, outside));
  float disk = clamp((sunRadius - far) * side + 0.5, 0.0, 1.0);
  float alpha = clamp(max(glow, disk), 0.0, 1.0) * color.a;
  // The sun is white inside, and so is what is close to it.
  vec3 shade = mix(color.rgb, vec3(1.0), exp(-8.0 * outside / max(sunRadius, 0.02)));
  return vec4(shade * alpha, alpha);
}

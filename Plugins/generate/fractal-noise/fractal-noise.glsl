/*{
  "ETALON": 1,
  "DESCRIPTION": "Perlin's noise in several sizes added up: clouds, smoke, marble, ridges.",
  "CREDIT": "K. Perlin, An Image Synthesizer, SIGGRAPH 1985; F. K. Musgrave in Texturing and Modeling, chapter 16.",
  "CATEGORIES": ["generate"], "ALIASES": ["fbm"],
  "INPUTS": [
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 1, "MAX": 4096, "DEFAULT": 128, "UNIT": "px",
      "HELP": "How wide the largest hills are." },
    { "NAME": "octaves", "TYPE": "int", "LABEL": "Octaves", "MIN": 1, "MAX": 12, "DEFAULT": 6, "HELP": "How many sizes are added up." },
    { "NAME": "gain", "TYPE": "float", "LABEL": "Gain", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "HELP": "How high hills are beside those of the size before." },
    { "NAME": "lacunarity", "TYPE": "float", "LABEL": "Lacunarity", "MIN": 1, "MAX": 4, "DEFAULT": 2, "HELP": "How many times smaller each size is than the one before." },
    { "NAME": "form", "TYPE": "long", "LABEL": "Form", "VALUES": [0, 1, 2], "LABELS": ["smooth", "billows", "ridges"], "DEFAULT": 0,
      "HELP": "The noise as it is, its absolute value, or that upside down." },
    { "NAME": "evolution", "TYPE": "float", "LABEL": "Evolution", "MIN": -10000, "MAX": 10000, "DEFAULT": 0.4,
      "HELP": "Changes the noise slowly; small hills change as fast as large ones." },
    { "NAME": "seed", "TYPE": "int", "LABEL": "Seed", "MIN": 0, "MAX": 65535, "DEFAULT": 0, "HELP": "Another number gives another picture." }
  ]
}*/

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

/// The slope of one of the twelve edges of a cube, or one of four again, times the distance from its point.
float slope(ivec3 point, uint series, vec3 offset) {
  uint edge = mixed(uint(point.x) ^ mixed(uint(point.y) ^ mixed(uint(point.z) ^ series))) >> 28;
  float u = edge < 8u ? offset.x : offset.y;
  float v = edge < 4u ? offset.y : edge == 12u || edge == 14u ? offset.x : offset.z;
  return ((edge & 1u) == 0u ? u : -u) + ((edge & 2u) == 0u ? v : -v);
}

/// Perlin's noise, from about -1 to 1.
float noise(vec3 place, uint series) {
  ivec3 corner = ivec3(floor(place));
  vec3 offset = place - floor(place);
  vec3 t = offset * offset * offset * (offset * (offset * 6.0 - 15.0) + 10.0);
  float sum = 0.0;
  for (int i = 0; i < 8; i++) {
    ivec3 step = ivec3(i & 1, (i >> 1) & 1, i >> 2);
    vec3 share = mix(1.0 - t, t, vec3(step));
    sum += share.x * share.y * share.z * slope(corner + step, series, offset - vec3(step));
  }
  return sum;
}

vec4 colorKernel() {
  float size = scale;
  float height = 1.0;
  float sum = 0.0;
  float heights = 0.0;
  for (int octave = 0; octave < octaves; octave++) {
    // Hills of less than two pixels would be grain; they are left out slowly, so that zooming shows no steps.
    float share = height * clamp(size - 1.0, 0.0, 1.0);
    float level = noise(vec3(POSITION / max(size, 1.0), evolution), mixed(uint(octave) ^ mixed(uint(seed))));
    sum += share * (form == 0 ? level : form == 1 ? 2.0 * abs(level) - 0.5 : 0.5 - 2.0 * abs(level));
    heights += height;
    height *= gain;
    size /= lacunarity;
  }
  return vec4(vec3(clamp(0.5 + sum / heights, 0.0, 1.0)), 1.0);
}

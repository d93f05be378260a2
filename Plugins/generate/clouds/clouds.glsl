/*{
  "ETALON": 1,
  "DESCRIPTION": "A sky with clouds that drift and change.",
  "CREDIT": "The noise: K. Perlin, Improving Noise, 2002; clouds from a threshold of it: D. S. Ebert and others, Texturing and Modeling, chapter 9.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "cover", "TYPE": "float", "LABEL": "Cover", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "HELP": "How much of the sky has clouds." },
    { "NAME": "softness", "TYPE": "float", "LABEL": "Softness", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "HELP": "How slowly clouds begin at their edges." },
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 0.01, "MAX": 4, "DEFAULT": 0.5, "UNIT": "normalized",
      "HELP": "How wide the clouds are, as a fraction of the picture's height." },
    { "NAME": "wind", "TYPE": "vec2", "LABEL": "Wind", "MIN": -1, "MAX": 1, "DEFAULT": [0.02, 0], "HELP": "How far clouds drift to the right and up, in heights of the picture a second." },
    { "NAME": "change", "TYPE": "float", "LABEL": "Change", "MIN": 0, "MAX": 4, "DEFAULT": 0.1, "HELP": "How fast clouds change their form." },
    { "NAME": "cloudColor", "TYPE": "color", "LABEL": "Clouds", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1] },
    { "NAME": "skyColor", "TYPE": "color", "LABEL": "Sky", "MIN": 0, "MAX": 1, "DEFAULT": [0.25, 0.47, 0.78, 1] },
    { "NAME": "seed", "TYPE": "int", "LABEL": "Seed", "MIN": 0, "MAX": 65535, "DEFAULT": 0, "HELP": "Another number gives other clouds." }
  ]
}*/

vec4 premultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }

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

/// How dense the clouds are at a place, about from -1 to 1: six sizes of noise, of which small ones change faster.
float density(vec2 place, float moment) {
  float sum = 0.0;
  float height = 0.6;
  for (int octave = 0; octave < 6; octave++) {
    sum += height * noise(vec3(place, moment), mixed(uint(octave) ^ mixed(uint(seed))));
    place *= 2.0;
    moment *= 1.4;
    height *= 0.55;
  }
  return sum;
}

vec4 colorKernel() {
  vec2 place = (POSITION / RENDERSIZE.y - wind * TIME) / scale;
  float moment = 0.4 + change * TIME;
  float threshold = 0.7 - 1.4 * cover;
  float edge = 0.02 + 0.6 * softness;
  float thick = smoothstep(threshold - edge, threshold + edge, density(place, moment));
  // A cloud is darker where there is more of it towards the light above.
  float above = smoothstep(threshold - edge, threshold + 1.5 * edge, density(place + vec2(0.0, 0.12), moment));
  vec4 cloud = premultiplied(cloudColor) * vec4(vec3(1.0 - 0.25 * above * thick), 1.0);
  return mix(premultiplied(skyColor), cloud, thick);
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "Perlin's noise: smooth hills and valleys of about the same size.",
  "CREDIT": "K. Perlin, Improving Noise, SIGGRAPH 2002.",
  "CATEGORIES": ["generate"], "ALIASES": ["perlin-noise"],
  "INPUTS": [
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 1, "MAX": 4096, "DEFAULT": 32, "UNIT": "px",
      "HELP": "How far the points of the grid are apart; hills are about as wide." },
    { "NAME": "evolution", "TYPE": "float", "LABEL": "Evolution", "MIN": -10000, "MAX": 10000, "DEFAULT": 0.4,
      "HELP": "Changes the noise slowly: the third dimension that the picture is a slice of." },
    { "NAME": "contrast", "TYPE": "float", "LABEL": "Contrast", "MIN": 0, "MAX": 8, "DEFAULT": 1,
      "HELP": "How far the levels are from the gray in the middle; above 1 some are cut off." },
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
float slope(ivec3 point, vec3 offset) {
  uint edge = mixed(uint(point.x) ^ mixed(uint(point.y) ^ mixed(uint(point.z) ^ mixed(uint(seed))))) >> 28;
  float u = edge < 8u ? offset.x : offset.y;
  float v = edge < 4u ? offset.y : edge == 12u || edge == 14u ? offset.x : offset.z;
  return ((edge & 1u) == 0u ? u : -u) + ((edge & 2u) == 0u ? v : -v);
}

vec4 colorKernel() {
  vec3 place = vec3(POSITION / scale, evolution);
  ivec3 corner = ivec3(floor(place));
  vec3 offset = place - floor(place);
  vec3 t = offset * offset * offset * (offset * (offset * 6.0 - 15.0) + 10.0);
  float sum = 0.0;
  for (int i = 0; i < 8; i++) {
    ivec3 step = ivec3(i & 1, (i >> 1) & 1, i >> 2);
    vec3 share = mix(1.0 - t, t, vec3(step));
    sum += share.x * share.y * share.z * slope(corner + step, offset - vec3(step));
  }
  return vec4(vec3(clamp(0.5 + 0.5 * contrast * sum, 0.0, 1.0)), 1.0);
}

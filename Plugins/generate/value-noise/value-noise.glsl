/*{
  "ETALON": 1,
  "DESCRIPTION": "Smooth noise between random levels on the points of a grid.",
  "CREDIT": "D. S. Ebert and others, Texturing and Modeling: A Procedural Approach, chapter 2 (lattice noise).",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 1, "MAX": 4096, "DEFAULT": 32, "UNIT": "px",
      "HELP": "How far the points of the grid are apart." },
    { "NAME": "evolution", "TYPE": "float", "LABEL": "Evolution", "MIN": -10000, "MAX": 10000, "DEFAULT": 0,
      "HELP": "Changes the noise slowly; at every whole number all levels are new." },
    { "NAME": "colored", "TYPE": "bool", "LABEL": "Colored", "DEFAULT": false, "HELP": "Whether red, green and blue differ." },
    { "NAME": "seed", "TYPE": "int", "LABEL": "Seed", "MIN": 0, "MAX": 65535, "DEFAULT": 0, "HELP": "Another number gives another picture." }
  ]
}*/

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

/// Three levels from 0 to 1 for a point of the grid; the upper 24 bits are as many as a float keeps.
vec3 levels(ivec3 point) {
  uint bits = mixed(uint(point.x) ^ mixed(uint(point.y) ^ mixed(uint(point.z) ^ mixed(uint(seed)))));
  if (!colored) return vec3(float(bits >> 8) / 16777215.0);
  return vec3(uvec3(bits, mixed(bits ^ 1u), mixed(bits ^ 2u)) >> 8) / 16777215.0;
}

vec4 colorKernel() {
  vec3 place = vec3(POSITION / scale, evolution);
  ivec3 corner = ivec3(floor(place));
  vec3 t = place - floor(place);
  // Ken Perlin's curve, whose slope and bend are 0 at both ends, so that the grid is not seen.
  t = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
  vec3 sum = vec3(0.0);
  for (int i = 0; i < 8; i++) {
    ivec3 step = ivec3(i & 1, (i >> 1) & 1, i >> 2);
    vec3 share = mix(1.0 - t, t, vec3(step));
    sum += share.x * share.y * share.z * levels(corner + step);
  }
  return vec4(sum, 1.0);
}

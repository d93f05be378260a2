/*{
  "ETALON": 1,
  "DESCRIPTION": "Noise on a grid of tetrahedra, which has no directions that stand out.",
  "CREDIT": "K. Perlin, Noise Hardware, SIGGRAPH 2001 course notes; S. Gustavson, Simplex Noise Demystified, 2005.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 1, "MAX": 4096, "DEFAULT": 32, "UNIT": "px",
      "HELP": "How wide hills and valleys are, about." },
    { "NAME": "evolution", "TYPE": "float", "LABEL": "Evolution", "MIN": -10000, "MAX": 10000, "DEFAULT": 0,
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

/// What a point of the grid adds: a slope towards one of the twelve edges of a cube, inside of a ball that ends where other tetrahedra begin.
float hill(ivec3 point, vec3 offset) {
  float fall = max(0.5 - dot(offset, offset), 0.0);
  uint edge = mixed(uint(point.x) ^ mixed(uint(point.y) ^ mixed(uint(point.z) ^ mixed(uint(seed))))) >> 28;
  float u = edge < 8u ? offset.x : offset.y;
  float v = edge < 4u ? offset.y : edge == 12u || edge == 14u ? offset.x : offset.z;
  float slope = ((edge & 1u) == 0u ? u : -u) + ((edge & 2u) == 0u ? v : -v);
  return fall * fall * fall * fall * slope;
}

vec4 colorKernel() {
  vec3 place = vec3(POSITION / scale, evolution);
  // Slanted along the diagonal, the grid of tetrahedra is one of cubes, each with six of them.
  ivec3 corner = ivec3(floor(place + (place.x + place.y + place.z) / 3.0));
  vec3 offset = place - vec3(corner) + float(corner.x + corner.y + corner.z) / 6.0;
  // The way from the first corner to the last one goes along the longest side first.
  ivec3 greater = ivec3(step(offset.yzx, offset.xyz));
  ivec3 less = 1 - greater.zxy;
  ivec3 second = min(greater, less);
  ivec3 third = max(greater, less);
  float sum = hill(corner, offset) + hill(corner + second, offset - vec3(second) + 1.0 / 6.0) +
    hill(corner + third, offset - vec3(third) + 1.0 / 3.0) + hill(corner + 1, offset - 0.5);
  // The highest hill is about 1/76 high.
  return vec4(vec3(clamp(0.5 + 38.0 * contrast * sum, 0.0, 1.0)), 1.0);
}

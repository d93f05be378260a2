/*{
  "ETALON": 1,
  "DESCRIPTION": "Turns a picture into polygons of one color around random points: a Voronoi diagram.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 1, "MAX": 2048, "DEFAULT": 10, "UNIT": "px",
      "HELP": "How large the polygons are: half of the side of the squares that have one point each." },
    { "NAME": "seed", "TYPE": "int", "LABEL": "Seed", "MIN": 0, "MAX": 65535, "DEFAULT": 0, "HELP": "Another number gives other points." }
  ]
}*/

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

/// The point of a square.
vec2 pointOf(ivec2 cell) {
  uint bits = mixed(uint(cell.x) ^ mixed(uint(cell.y) ^ mixed(uint(seed))));
  return vec2(cell) + vec2(uvec2(bits, mixed(bits ^ 1u)) >> 8) / 16777216.0;
}

vec2 warpKernel(vec2 position) {
  vec2 place = position / (2.0 * radius);
  ivec2 home = ivec2(floor(place));
  vec2 nearest = pointOf(home);
  // The nearest point lies no more than two squares away.
  for (int i = 0; i < 25; i++) {
    vec2 point = pointOf(home + ivec2(i % 5, i / 5) - 2);
    if (distance(point, place) < distance(nearest, place)) nearest = point;
  }
  return clamp(floor(nearest * 2.0 * radius) + 0.5, vec2(0.5), RENDERSIZE - 0.5);
}

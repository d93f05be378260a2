/*{
  "ETALON": 1,
  "DESCRIPTION": "How far the nearest of many random points is: cells, stones, scales and water.",
  "CREDIT": "S. Worley, A Cellular Texture Basis Function, SIGGRAPH 1996.",
  "CATEGORIES": ["generate"], "ALIASES": ["cellular-noise", "voronoi"],
  "INPUTS": [
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 1, "MAX": 4096, "DEFAULT": 40, "UNIT": "px",
      "HELP": "The side of the squares that have one point each." },
    { "NAME": "randomness", "TYPE": "float", "LABEL": "Randomness", "MIN": 0, "MAX": 1, "DEFAULT": 1,
      "HELP": "How far the points are from the middle of their squares; at 0 they are a grid." },
    { "NAME": "measure", "TYPE": "long", "LABEL": "Measure", "VALUES": [0, 1, 2, 3], "LABELS": ["nearest", "second", "edges", "cells"], "DEFAULT": 0,
      "HELP": "The distance of the nearest point, of the second one, the difference of both, or a level of its own for each cell." },
    { "NAME": "metric", "TYPE": "long", "LABEL": "Metric", "VALUES": [0, 1, 2], "LABELS": ["straight", "steps", "square"], "DEFAULT": 0,
      "HELP": "How distances count: straight, as the sum along both axes, or as the longer of the two." },
    { "NAME": "evolution", "TYPE": "float", "LABEL": "Evolution", "MIN": -10000, "MAX": 10000, "DEFAULT": 0,
      "HELP": "Moves the points; at every whole number all of them are in new places." },
    { "NAME": "seed", "TYPE": "int", "LABEL": "Seed", "MIN": 0, "MAX": 65535, "DEFAULT": 0, "HELP": "Another number gives another picture." }
  ]
}*/

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

uint hash(ivec2 cell, int moment) { return mixed(uint(cell.x) ^ mixed(uint(cell.y) ^ mixed(uint(moment) ^ mixed(uint(seed))))); }

/// Where the point of a square is at a moment, from 0 to 1.
vec2 placeAt(ivec2 cell, int moment) {
  uint bits = hash(cell, moment);
  return vec2(uvec2(bits, mixed(bits ^ 1u)) >> 8) / 16777216.0;
}

float distanceOf(vec2 offset) {
  vec2 sides = abs(offset);
  return metric == 1 ? sides.x + sides.y : metric == 2 ? max(sides.x, sides.y) : length(sides);
}

vec4 colorKernel() {
  vec2 place = POSITION / scale;
  ivec2 home = ivec2(floor(place));
  int moment = int(floor(evolution));
  float between = smoothstep(0.0, 1.0, evolution - floor(evolution));
  float nearest = 16.0;
  float second = 16.0;
  ivec2 owner = home;
  // With every metric the two nearest points lie no more than two squares away.
  for (int y = -2; y <= 2; y++) {
    for (int x = -2; x <= 2; x++) {
      ivec2 cell = home + ivec2(x, y);
      vec2 point = mix(placeAt(cell, moment), placeAt(cell, moment + 1), between);
      float far = distanceOf(vec2(cell) + mix(vec2(0.5), point, randomness) - place);
      second = min(second, max(far, nearest));
      if (far < nearest) owner = cell;
      nearest = min(nearest, far);
    }
  }
  float level = measure == 0 ? nearest : measure == 1 ? second : second - nearest;
  if (measure == 3) level = float(mixed(hash(owner, 0) ^ 2u) >> 8) / 16777215.0;
  return vec4(vec3(min(level, 1.0)), 1.0);
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "Random levels, one for each pixel or for each square of pixels.",
  "CATEGORIES": ["generate"],
  "INPUTS": [
    { "NAME": "seed", "TYPE": "int", "LABEL": "Seed", "MIN": 0, "MAX": 65535, "DEFAULT": 0,
      "HELP": "Another number gives another picture." },
    { "NAME": "grain", "TYPE": "int", "LABEL": "Grain", "MIN": 1, "MAX": 1024, "DEFAULT": 1, "UNIT": "px",
      "HELP": "The side of the squares of one level." },
    { "NAME": "colored", "TYPE": "bool", "LABEL": "Colored", "DEFAULT": false,
      "HELP": "Whether red, green and blue differ." },
    { "NAME": "animated", "TYPE": "bool", "LABEL": "Animated", "DEFAULT": false,
      "HELP": "Whether every frame has noise of its own." }
  ]
}*/

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

/// A level from 0 to 1; the upper 24 bits are as many as a float keeps.
float level(uint bits) { return float(bits >> 8) / 16777215.0; }

/// The square that a pixel lies in, also left of and below the origin: whole numbers are rounded down.
int square(int pixel) { return pixel < 0 ? ~(~pixel / grain) : pixel / grain; }

vec4 colorKernel() {
  ivec2 pixel = ivec2(floor(POSITION));
  uvec2 cell = uvec2(square(pixel.x), square(pixel.y));
  uint frame = animated ? uint(FRAMEINDEX) : 0u;
  uint bits = mixed(cell.x ^ mixed(cell.y ^ mixed(uint(seed) ^ mixed(frame))));
  if (!colored) return vec4(vec3(level(bits)), 1.0);
  return vec4(level(bits), level(mixed(bits ^ 1u)), level(mixed(bits ^ 2u)), 1.0);
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows a picture with few levels of each color, and lets patterns stand for those between.",
  "CREDIT": "B. E. Bayer, 1973; J. Jimenez, Next Generation Post Processing in Call of Duty, SIGGRAPH 2014; R. Ulichney, Dithering with Blue Noise, 1988: why noise should have no slow changes.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "levels", "TYPE": "int", "LABEL": "Levels", "MIN": 2, "MAX": 256, "DEFAULT": 3, "IDENTITY": 256,
      "HELP": "How many levels red, green and blue have; with 256 a picture of 8 bits stays as it is." },
    { "NAME": "pattern", "TYPE": "long", "LABEL": "Pattern", "VALUES": [0, 1, 2, 3, 4, 5], "LABELS": ["bayer-2", "bayer-4", "bayer-8", "interleaved", "blue", "white"], "DEFAULT": 2,
      "HELP": "Squares of 2, 4 or 8 pixels in order, slanted rows, or noise without clumps or with them." },
    { "NAME": "gray", "TYPE": "bool", "LABEL": "Gray", "DEFAULT": false, "HELP": "Whether the picture becomes gray first." },
    { "NAME": "animated", "TYPE": "bool", "LABEL": "Animated", "DEFAULT": false, "HELP": "Whether noise is new in every frame." }
  ]
}*/

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

/// A number from 0 to 1 for a pixel.
float white(ivec2 pixel) {
  return float(mixed(uint(pixel.x) ^ mixed(uint(pixel.y) ^ mixed(animated ? uint(FRAMEINDEX) : 0u))) >> 8) / 16777216.0;
}

/// Bayer's matrix of 2, 4 or 8 pixels: the bits of x ^ y and y, from the lowest on, are those of the rank, from the highest on.
float bayer(ivec2 pixel, int bits) {
  int rank = 0;
  for (int bit = 0; bit < bits; bit++) rank = 4 * rank + 2 * (((pixel.x ^ pixel.y) >> bit) & 1) + ((pixel.y >> bit) & 1);
  return (float(rank) + 0.5) / float(1 << (2 * bits));
}

/// Bayer's matrix with the four parts of every square, and of the squares in them, in a random order of their own: so each square of two,
/// four, eight … pixels has thresholds that are evenly spread, which leaves only fast changes.
float blue(ivec2 pixel) {
  uint rank = 0u;
  for (int bit = 0; bit < 8; bit++) {
    ivec2 square = pixel >> (bit + 1);
    uint bits = mixed(uint(square.x) ^ mixed(uint(square.y) ^ mixed(uint(bit) ^ mixed(animated ? uint(FRAMEINDEX) : 0u))));
    // Random keys of the parts, each with its number, so that no two are equal.
    uvec4 keys = ((uvec4(bits, bits >> 8, bits >> 16, bits >> 24) & 255u) << 2u) | uvec4(0u, 1u, 2u, 3u);
    uint own = keys[((pixel.x >> bit) & 1) + 2 * ((pixel.y >> bit) & 1)];
    rank = 4u * rank;
    for (int part = 0; part < 4; part++) rank += keys[part] < own ? 1u : 0u;
  }
  return (float(rank) + 0.5) / 65536.0;
}

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? clamp(color.rgb / color.a, 0.0, 1.0) : vec3(0.0);
  if (gray) straight = vec3(dot(straight, vec3(0.2126, 0.7152, 0.0722)));
  ivec2 pixel = ivec2(floor(POSITION));
  float threshold = pattern <= 2 ? bayer(pixel, pattern + 1) : pattern == 4 ? blue(pixel) : clamp(white(pixel), 0.001, 0.999);
  if (pattern == 3) threshold = clamp(fract(52.9829189 * fract(0.06711056 * POSITION.x + 0.00583715 * POSITION.y)), 0.001, 0.999);
  vec3 result = floor(straight * float(levels - 1) + threshold) / float(levels - 1);
  return vec4(min(result, 1.0) * color.a, color.a);
}

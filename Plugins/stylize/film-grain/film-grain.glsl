/*{
  "ETALON": 1,
  "DESCRIPTION": "The grain of photographic film, new in every frame.",
  "CATEGORIES": ["stylize"], "ALIASES": ["grain"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 0.08, "IDENTITY": 0,
      "HELP": "The standard deviation of the grain in the middle tones, where it is strongest." },
    { "NAME": "size", "TYPE": "float", "LABEL": "Size", "MIN": 1, "MAX": 64, "DEFAULT": 1.5, "UNIT": "px", "HELP": "How large grains are." },
    { "NAME": "color", "TYPE": "float", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": 0.3, "HELP": "From gray grain, at 0, to that of three layers of their own, at 1." },
    { "NAME": "animated", "TYPE": "bool", "LABEL": "Animated", "DEFAULT": true, "HELP": "Whether every frame has grain of its own." },
    { "NAME": "seed", "TYPE": "int", "LABEL": "Seed", "MIN": 0, "MAX": 65535, "DEFAULT": 0, "HELP": "Another number gives other grain." }
  ]
}*/

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

/// A number around 0 with the standard deviation 1: the sum of four that are evenly spread.
float bell(uint bits) {
  uvec4 bytes = uvec4(bits, bits >> 8, bits >> 16, bits >> 24) & 255u;
  return (float(bytes.x + bytes.y + bytes.z + bytes.w) - 510.0) / 147.8;
}

/// The grain of one layer of film at a place: between the grains of the four points around it, as strong everywhere.
float grain(vec2 place, uint layer) {
  ivec2 corner = ivec2(floor(place));
  vec2 t = place - floor(place);
  float sum = 0.0;
  float squares = 0.0;
  for (int i = 0; i < 4; i++) {
    ivec2 step = ivec2(i & 1, i >> 1);
    vec2 part = mix(1.0 - t, t, vec2(step));
    float share = part.x * part.y;
    sum += share * bell(mixed(uint(corner.x + step.x) ^ mixed(uint(corner.y + step.y) ^ layer)));
    squares += share * share;
  }
  return sum * inversesqrt(squares);
}

vec4 colorKernel(vec4 pixel) {
  vec3 straight = pixel.a > 0.0 ? pixel.rgb / pixel.a : vec3(0.0);
  uint roll = mixed(uint(seed) ^ mixed(animated ? uint(FRAMEINDEX) : 0u));
  vec2 place = (POSITION - 0.5) / size;
  vec3 layers = vec3(grain(place, mixed(roll ^ 1u)), grain(place, mixed(roll ^ 2u)), grain(place, mixed(roll ^ 3u)));
  float gray = grain(place, mixed(roll ^ 4u));
  // Clear film and black film have no grain; in between it is that of a share of grains that are black.
  vec3 tone = clamp(straight, 0.0, 1.0);
  vec3 strength = 2.0 * amount * sqrt(tone * (1.0 - tone));
  vec3 grained = clamp(tone + strength * (sqrt(1.0 - color) * gray + sqrt(color) * layers), 0.0, 1.0);
  // What is lighter than white stays so.
  return vec4((grained + straight - tone) * pixel.a, pixel.a);
}

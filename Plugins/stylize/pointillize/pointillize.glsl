/*{
  "ETALON": 1,
  "DESCRIPTION": "Paints a picture with round dots, as the pointillists did.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 1, "MAX": 1024, "DEFAULT": 6, "UNIT": "px", "HELP": "How large the dots are." },
    { "NAME": "density", "TYPE": "float", "LABEL": "Density", "MIN": 0.25, "MAX": 2, "DEFAULT": 1.3,
      "HELP": "How many dots there are: 1 is one for each square around a dot." },
    { "NAME": "color", "TYPE": "color", "LABEL": "Canvas", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1], "HELP": "What shows between the dots." },
    { "NAME": "seed", "TYPE": "int", "LABEL": "Seed", "MIN": 0, "MAX": 65535, "DEFAULT": 0, "HELP": "Another number gives other dots." }
  ]
}*/

/// Mixes the bits of a number so that each one of them changes about half of the result.
uint mixed(uint bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

vec4 imageKernel(vec2 position) {
  float side = 2.0 * radius / sqrt(density);
  ivec2 home = ivec2(floor(position / side));
  int reach = int(ceil(radius / side));
  vec4 result = vec4(color.rgb * color.a, color.a) * IMG_PIXEL(inputImage, position).a;
  // Dots lie over those of the rows and columns before.
  for (int y = -reach; y <= reach; y++) {
    for (int x = -reach; x <= reach; x++) {
      ivec2 cell = home + ivec2(x, y);
      uint bits = mixed(uint(cell.x) ^ mixed(uint(cell.y) ^ mixed(uint(seed))));
      vec2 middle = (vec2(cell) + vec2(uvec2(bits, mixed(bits ^ 1u)) >> 8) / 16777216.0) * side;
      float cover = clamp(radius - distance(middle, position) + 0.5, 0.0, 1.0);
      vec4 dot = IMG_PIXEL(inputImage, clamp(floor(middle) + 0.5, vec2(0.5), RENDERSIZE - 0.5));
      result = mix(result, dot, cover);
    }
  }
  return result;
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "Repeats a picture side by side: as it is, mirrored, or as bricks.",
  "CATEGORIES": ["geometry"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "columns", "TYPE": "float", "LABEL": "Columns", "MIN": 0.1, "MAX": 64, "DEFAULT": 3, "IDENTITY": 1, "HELP": "How many copies lie side by side." },
    { "NAME": "rows", "TYPE": "float", "LABEL": "Rows", "MIN": 0.1, "MAX": 64, "DEFAULT": 3, "IDENTITY": 1, "HELP": "How many copies lie on top of each other." },
    { "NAME": "pattern", "TYPE": "long", "LABEL": "Pattern", "VALUES": [0, 1, 2], "LABELS": ["plain", "mirror", "brick"], "DEFAULT": 0, "IDENTITY": 0,
      "HELP": "Copies as the picture is, every second one mirrored, or every second row moved by half of a copy." },
    { "NAME": "offset", "TYPE": "vec2", "LABEL": "Offset", "MIN": -64, "MAX": 64, "DEFAULT": [0, 0], "IDENTITY": [0, 0],
      "HELP": "How far all copies move to the right and up, in copies." }
  ]
}*/

/// The pixel of the picture that lies at a place, where 1 is one copy further.
vec4 pixelAt(vec2 place) {
  if (pattern == 2 && mod(floor(place.y), 2.0) == 1.0) place.x += 0.5;
  vec2 inside = place - floor(place);
  if (pattern == 1) inside = mix(inside, 1.0 - inside, equal(mod(floor(place), 2.0), vec2(1.0)));
  ivec2 size = textureSize(inputImage, 0);
  return texelFetch(inputImage, clamp(ivec2(inside * vec2(size)), ivec2(0), size - 1), 0);
}

vec4 imageKernel(vec2 position) {
  vec2 copies = vec2(columns, rows);
  // Where copies are smaller than the picture, each pixel is the mean of those that it covers, up to 8 by 8 of them; else of four.
  vec2 ratio = copies * IMG_SIZE(inputImage) / RENDERSIZE;
  ivec2 count = ivec2(clamp(ceil(ratio), vec2(1.0), vec2(8.0)));
  count = mix(count, ivec2(4), notEqual(ratio, floor(ratio)));
  vec4 sum = vec4(0.0);
  for (int y = 0; y < count.y; y++) {
    for (int x = 0; x < count.x; x++) {
      vec2 part = (vec2(x, y) + 0.5) / vec2(count) - 0.5;
      sum += pixelAt((position + part) / RENDERSIZE * copies - offset);
    }
  }
  return sum / float(count.x * count.y);
}

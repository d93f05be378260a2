/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows the smallest or the largest level of each channel of a picture, or of a rectangle in it, everywhere.",
  "CATEGORIES": ["analysis"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "level", "TYPE": "long", "LABEL": "Level", "VALUES": [0, 1], "LABELS": ["minimum", "maximum"], "DEFAULT": 1,
      "HELP": "Which of the two." },
    { "NAME": "lower", "TYPE": "point2D", "LABEL": "Lower corner", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0], "UNIT": "normalized",
      "HELP": "The lower left corner of the rectangle, as a fraction of the picture's sides." },
    { "NAME": "upper", "TYPE": "point2D", "LABEL": "Upper corner", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1], "UNIT": "normalized",
      "HELP": "The upper right corner of the rectangle." }
  ],
  "CONSTRAINTS": ["lower.x <= upper.x", "lower.y <= upper.y"],
  "PASSES": [
    { "KERNEL": "findInSquares", "TARGET": "squares", "FORMAT": "rgba32f", "WIDTH": "ceil(width / 16.0)", "HEIGHT": "ceil(height / 16.0)" },
    { "KERNEL": "findInRows", "TARGET": "rows", "FORMAT": "rgba32f", "WIDTH": "1", "HEIGHT": "ceil(height / 16.0)" },
    { "KERNEL": "findInColumn", "TARGET": "total", "FORMAT": "rgba32f", "WIDTH": "1", "HEIGHT": "1" },
    { "KERNEL": "show" }
  ]
}*/

/// The more extreme of two colors, in each channel.
vec4 extreme(vec4 a, vec4 b) { return level == 1 ? max(a, b) : min(a, b); }

/// The pixels that have a part in the rectangle, at least one: from the first one to the last.
ivec2 first() { return min(ivec2(floor(lower * IMG_SIZE(inputImage))), textureSize(inputImage, 0) - 1); }

ivec2 last() { return max(min(ivec2(ceil(upper * IMG_SIZE(inputImage))), textureSize(inputImage, 0)) - 1, first()); }

/// Squares without a pixel of the rectangle have that of one that is near.
vec4 findInSquares(vec2 position) {
  ivec2 corner = 16 * ivec2(position);
  ivec2 from = clamp(corner, first(), last());
  ivec2 to = clamp(corner + 15, first(), last());
  vec4 result = texelFetch(inputImage, from, 0);
  for (int y = from.y; y <= to.y; y++) {
    for (int x = from.x; x <= to.x; x++) result = extreme(result, texelFetch(inputImage, ivec2(x, y), 0));
  }
  return result;
}

vec4 findInRows(vec2 position) {
  vec4 result = texelFetch(squares, ivec2(0, int(position.y)), 0);
  for (int x = 1; x < textureSize(squares, 0).x; x++) result = extreme(result, texelFetch(squares, ivec2(x, int(position.y)), 0));
  return result;
}

vec4 findInColumn(vec2 position) {
  vec4 result = texelFetch(rows, ivec2(0), 0);
  for (int y = 1; y < textureSize(rows, 0).y; y++) result = extreme(result, texelFetch(rows, ivec2(0, y), 0));
  return result;
}

vec4 show(vec2 position) { return texelFetch(total, ivec2(0), 0); }

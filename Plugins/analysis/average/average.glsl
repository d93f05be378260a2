/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows the average color of a picture, or of a rectangle in it, everywhere.",
  "CATEGORIES": ["analysis"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "lower", "TYPE": "point2D", "LABEL": "Lower corner", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0], "UNIT": "normalized",
      "HELP": "The lower left corner of the rectangle, as a fraction of the picture's sides." },
    { "NAME": "upper", "TYPE": "point2D", "LABEL": "Upper corner", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1], "UNIT": "normalized",
      "HELP": "The upper right corner of the rectangle." }
  ],
  "CONSTRAINTS": ["lower.x <= upper.x", "lower.y <= upper.y"],
  "PASSES": [
    { "KERNEL": "addPixels", "TARGET": "sums", "FORMAT": "rgba32f", "WIDTH": "ceil(width / 16.0)", "HEIGHT": "ceil(height / 16.0)" },
    { "KERNEL": "addSums", "TARGET": "rows", "FORMAT": "rgba32f", "WIDTH": "1", "HEIGHT": "ceil(height / 16.0)" },
    { "KERNEL": "addRows", "TARGET": "total", "FORMAT": "rgba32f", "WIDTH": "1", "HEIGHT": "1" },
    { "KERNEL": "show" }
  ]
}*/

/// The pixels whose middles lie in the rectangle: from the first one to before the end.
ivec2 first() { return ivec2(ceil(lower * IMG_SIZE(inputImage) - 0.5)); }

ivec2 end() { return min(ivec2(floor(upper * IMG_SIZE(inputImage) + 0.5)), textureSize(inputImage, 0)); }

vec4 addPixels(vec2 position) {
  ivec2 corner = 16 * ivec2(position);
  ivec2 from = max(corner, first());
  ivec2 to = min(corner + 16, end());
  vec4 sum = vec4(0.0);
  for (int y = from.y; y < to.y; y++) {
    for (int x = from.x; x < to.x; x++) sum += texelFetch(inputImage, ivec2(x, y), 0);
  }
  return sum;
}

vec4 addSums(vec2 position) {
  vec4 sum = vec4(0.0);
  for (int x = 0; x < textureSize(sums, 0).x; x++) sum += texelFetch(sums, ivec2(x, int(position.y)), 0);
  return sum;
}

vec4 addRows(vec2 position) {
  vec4 sum = vec4(0.0);
  for (int y = 0; y < textureSize(rows, 0).y; y++) sum += texelFetch(rows, ivec2(0, y), 0);
  ivec2 size = max(end() - first(), 0);
  return sum / float(max(size.x * size.y, 1));
}

vec4 show(vec2 position) { return texelFetch(total, ivec2(0), 0); }

/*{
  "ETALON": 1,
  "DESCRIPTION": "Smooths a picture and keeps its edges, at any radius in the same time.",
  "CREDIT": "K. He, J. Sun, X. Tang, Guided Image Filtering, ECCV 2010; K. He, J. Sun, Fast Guided Filter, 2015.",
  "CATEGORIES": ["blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest", "SPACE": "encoded" },
    { "NAME": "radius", "TYPE": "int", "LABEL": "Radius", "MIN": 0, "MAX": 500, "DEFAULT": 8, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far the squares go in which the picture is smoothed." },
    { "NAME": "detail", "TYPE": "float", "LABEL": "Detail", "MIN": 0.001, "MAX": 1, "DEFAULT": 0.1,
      "HELP": "How strong detail may be to be smoothed, as a standard deviation in the square; its square is the epsilon of the paper." }
  ],
  "PASSES": [
    { "KERNEL": "shrink", "TARGET": "low", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(floor(radius / 4.0), 1.0))",
      "HEIGHT": "ceil(height / max(floor(radius / 4.0), 1.0))" },
    { "KERNEL": "shrinkSquares", "TARGET": "lowSquares", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(floor(radius / 4.0), 1.0))",
      "HEIGHT": "ceil(height / max(floor(radius / 4.0), 1.0))" },
    { "KERNEL": "addColumns", "TARGET": "columns", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(floor(radius / 4.0), 1.0))",
      "HEIGHT": "ceil(height / max(floor(radius / 4.0), 1.0))" },
    { "KERNEL": "addSquares", "TARGET": "squares", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(floor(radius / 4.0), 1.0))",
      "HEIGHT": "ceil(height / max(floor(radius / 4.0), 1.0))" },
    { "KERNEL": "findGain", "TARGET": "gain", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(floor(radius / 4.0), 1.0))",
      "HEIGHT": "ceil(height / max(floor(radius / 4.0), 1.0))" },
    { "KERNEL": "findOffset", "TARGET": "offset", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(floor(radius / 4.0), 1.0))",
      "HEIGHT": "ceil(height / max(floor(radius / 4.0), 1.0))" },
    { "KERNEL": "addGains", "TARGET": "gains", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(floor(radius / 4.0), 1.0))",
      "HEIGHT": "ceil(height / max(floor(radius / 4.0), 1.0))" },
    { "KERNEL": "addOffsets", "TARGET": "offsets", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(floor(radius / 4.0), 1.0))",
      "HEIGHT": "ceil(height / max(floor(radius / 4.0), 1.0))" },
    { "KERNEL": "meanGain", "TARGET": "smoothGain", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(floor(radius / 4.0), 1.0))",
      "HEIGHT": "ceil(height / max(floor(radius / 4.0), 1.0))" },
    { "KERNEL": "meanOffset", "TARGET": "smoothOffset", "FORMAT": "rgba32f", "WIDTH": "ceil(width / max(floor(radius / 4.0), 1.0))",
      "HEIGHT": "ceil(height / max(floor(radius / 4.0), 1.0))" },
    { "KERNEL": "apply" }
  ]
}*/

// In each square the result is a line through the picture's colors: color * gain + offset. The gain is near 1 where the square has strong
// detail, and near 0 where it has little. A pixel gets the means of the gains and the offsets of all squares that it is in.

const ivec2 across = ivec2(1, 0);
const ivec2 up = ivec2(0, 1);

/// How many pixels of the picture a pixel of the small one has, on a side; gains change slowly, so that few of them are enough.
int side() { return max(radius / 4, 1); }

/// A pixel of the small picture; beyond the edges the last ones go on.
vec4 pixel(sampler2D image, ivec2 place) { return texelFetch(image, clamp(place, ivec2(0), textureSize(image, 0) - 1), 0); }

/// The mean of a line in the small picture, as long as the line of the picture; the outermost pixels count in part.
vec4 mean(sampler2D image, vec2 position, ivec2 direction) {
  ivec2 place = ivec2(position);
  float reach = (float(radius) + 0.5) / float(side()) - 0.5;
  int whole = int(reach);
  vec4 sum = fract(reach) * (pixel(image, place - (whole + 1) * direction) + pixel(image, place + (whole + 1) * direction));
  for (int i = -whole; i <= whole; i++) sum += pixel(image, place + i * direction);
  return sum / (2.0 * reach + 1.0);
}

/// The mean of the pixels that a pixel of the small picture has, or of their squares.
vec4 block(vec2 position, bool isSquared) {
  ivec2 first = ivec2(position) * side();
  ivec2 end = min(first + side(), textureSize(inputImage, 0));
  vec4 sum = vec4(0.0);
  for (int y = first.y; y < end.y; y++) {
    for (int x = first.x; x < end.x; x++) {
      vec4 found = texelFetch(inputImage, ivec2(x, y), 0);
      sum += isSquared ? found * found : found;
    }
  }
  return sum / float((end.x - first.x) * (end.y - first.y));
}

vec4 shrink(vec2 position) { return block(position, false); }

vec4 shrinkSquares(vec2 position) { return block(position, true); }

vec4 addColumns(vec2 position) { return mean(low, position, up); }

vec4 addSquares(vec2 position) { return mean(lowSquares, position, up); }

vec4 findGain(vec2 position) {
  vec4 middle = mean(columns, position, across);
  vec4 variance = max(mean(squares, position, across) - middle * middle, 0.0);
  return variance / (variance + detail * detail);
}

vec4 findOffset(vec2 position) {
  return mean(columns, position, across) * (1.0 - texelFetch(gain, ivec2(position), 0));
}

vec4 addGains(vec2 position) { return mean(gain, position, up); }

vec4 addOffsets(vec2 position) { return mean(offset, position, up); }

vec4 meanGain(vec2 position) { return mean(gains, position, across); }

vec4 meanOffset(vec2 position) { return mean(offsets, position, across); }

vec4 apply(vec2 position) {
  vec4 own = texelFetch(inputImage, ivec2(position), 0);
  if (radius == 0) return own;
  vec2 place = position / float(side());
  vec4 result = own * IMG_PIXEL(smoothGain, place) + IMG_PIXEL(smoothOffset, place);
  // Each channel has a line of its own; colors beyond white do not come out of those that are not.
  float alpha = clamp(result.a, 0.0, 1.0);
  vec3 highest = own.a > 0.0 ? max(own.rgb / own.a, 1.0) : vec3(1.0);
  return vec4(clamp(result.rgb, min(own.rgb, 0.0), highest * alpha), alpha);
}

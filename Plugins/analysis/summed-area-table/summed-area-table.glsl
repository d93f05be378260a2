/*{
  "ETALON": 1,
  "DESCRIPTION": "Gives every pixel the sum of all pixels to its left and below, itself among them.",
  "CREDIT": "F. Crow, Summed-Area Tables for Texture Mapping, SIGGRAPH 1984.",
  "CATEGORIES": ["analysis"], "ALIASES": ["integral-image"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "result", "TYPE": "long", "LABEL": "Result", "VALUES": [0, 1], "LABELS": ["mean", "sum"], "DEFAULT": 0,
      "HELP": "The sum divided by the number of pixels, which can be looked at, or the sum itself." }
  ],
  "PASSES": [
    { "KERNEL": "addRowBlocks", "TARGET": "rowBlocks", "FORMAT": "rgba32f", "WIDTH": "ceil(width / 32.0)" },
    { "KERNEL": "addRows", "TARGET": "rows", "FORMAT": "rgba32f" },
    { "KERNEL": "addColumnBlocks", "TARGET": "columnBlocks", "FORMAT": "rgba32f", "HEIGHT": "ceil(height / 32.0)" },
    { "KERNEL": "addColumns" }
  ]
}*/

const int blockLength = 32;

/// The sum of the pixels of a line that lie from one to before another.
vec4 sumOf(sampler2D image, ivec2 line, ivec2 direction, int from, int to) {
  vec4 sum = vec4(0.0);
  for (int i = from; i < to; i++) sum += texelFetch(image, line + i * direction, 0);
  return sum;
}

/// The sum of a block of a line, which is shorter at the end.
vec4 block(sampler2D image, ivec2 line, ivec2 direction, int index) {
  ivec2 size = textureSize(image, 0) * direction;
  return sumOf(image, line, direction, index * blockLength, min((index + 1) * blockLength, size.x + size.y));
}

/// The sum of a line from its start to a place: of blocks, then of the pixels that are left.
vec4 sumTo(sampler2D image, sampler2D blocks, ivec2 line, ivec2 direction, int last) {
  int whole = (last + 1) / blockLength;
  return sumOf(blocks, line, direction, 0, whole) + sumOf(image, line, direction, whole * blockLength, last + 1);
}

vec4 addRowBlocks(vec2 position) { return block(inputImage, ivec2(0, int(position.y)), ivec2(1, 0), int(position.x)); }

vec4 addRows(vec2 position) { return sumTo(inputImage, rowBlocks, ivec2(0, int(position.y)), ivec2(1, 0), int(position.x)); }

vec4 addColumnBlocks(vec2 position) { return block(rows, ivec2(int(position.x), 0), ivec2(0, 1), int(position.y)); }

vec4 addColumns(vec2 position) {
  vec4 sum = sumTo(rows, columnBlocks, ivec2(int(position.x), 0), ivec2(0, 1), int(position.y));
  ivec2 counted = ivec2(position) + 1;
  return result == 1 ? sum : sum / float(counted.x * counted.y);
}

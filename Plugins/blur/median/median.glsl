/*{
  "ETALON": 1,
  "DESCRIPTION": "Gives every pixel the median of a square around it, which removes specks and keeps edges.",
  "CREDIT": "T. Huang, G. Yang, G. Tang, A Fast Two-Dimensional Median Filtering Algorithm, 1979; J. Smith, Implementing Median Filters, 1996.",
  "CATEGORIES": ["blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "radius", "TYPE": "int", "LABEL": "Radius", "MIN": 0, "MAX": 100, "DEFAULT": 1, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far the square goes to each side of the pixel: 1 is a square of 3 by 3." }
  ],
  "PASSES": [
    { "KERNEL": "count", "TARGET": "counted", "FORMAT": "rgba32f", "LOCAL_SIZE": [64, 1],
      "DISPATCH": ["radius > 1 ? ceil(width / 64.0) : 1.0", "radius > 1 ? ceil(height / 64.0) : 1.0"],
      "WIDTH": "radius > 1 ? width : 1.0", "HEIGHT": "radius > 1 ? height : 1.0" },
    { "KERNEL": "select", "REACH": 1 }
  ]
}*/

// A square of nine pixels is sorted as far as it takes to find the middle one. Of larger ones it is counted how many pixels have which level.

const int levels = 256;

/// How many rows an invocation goes down.
const int runLength = 64;

/// How many pixels of the square have each level: of red, green, blue and alpha.
uint histogram[4 * levels];

/// The levels of a pixel; beyond the edges the last ones go on.
ivec4 levelsAt(ivec2 place) {
  vec4 color = texelFetch(inputImage, clamp(place, ivec2(0), textureSize(inputImage, 0) - 1), 0);
  return clamp(ivec4(clamp(color, 0.0, 1.0) * float(levels - 1) + 0.5), 0, levels - 1);
}

/// Adds a row of the square, or with a sign below 0 takes it away, and keeps count of the pixels below a level.
void change(int column, int row, int sign, ivec4 level, inout ivec4 below) {
  for (int x = column - radius; x <= column + radius; x++) {
    ivec4 found = levelsAt(ivec2(x, row));
    for (int channel = 0; channel < 4; channel++) histogram[channel * levels + found[channel]] += uint(sign);
    below += sign * ivec4(lessThan(found, level));
  }
}

/// Moves the level of a channel to where half of the pixels are below it at most, and more than half are not above it.
void move(int channel, int middle, inout ivec4 level, inout ivec4 below) {
  while (below[channel] > middle) {
    level[channel]--;
    below[channel] -= int(histogram[channel * levels + level[channel]]);
  }
  while (below[channel] + int(histogram[channel * levels + level[channel]]) <= middle) {
    below[channel] += int(histogram[channel * levels + level[channel]]);
    level[channel]++;
  }
}

/// An invocation goes down a column: each square is the one before, without its first row and with one more.
void count(ivec2 position) {
  // Where the result is sorted instead, the target has a single pixel.
  ivec2 size = ivec2(RENDERSIZE);
  int first = position.y * runLength;
  if (position.x >= size.x || first >= size.y) return;
  for (int i = 0; i < 4 * levels; i++) histogram[i] = 0u;
  ivec4 level = ivec4(0);
  ivec4 below = ivec4(0);
  for (int row = first - radius; row < first + radius; row++) change(position.x, row, 1, level, below);
  int middle = (2 * radius + 1) * (2 * radius + 1) / 2;
  for (int row = first; row < min(first + runLength, size.y); row++) {
    change(position.x, row + radius, 1, level, below);
    for (int channel = 0; channel < 4; channel++) move(channel, middle, level, below);
    IMG_STORE(counted, ivec2(position.x, row), vec4(level) / float(levels - 1));
    change(position.x, row - radius, -1, level, below);
  }
}


/// A pixel of the picture; beyond the edges the last ones go on.
vec4 pixel(ivec2 place) { return texelFetch(inputImage, clamp(place, ivec2(0), textureSize(inputImage, 0) - 1), 0); }

vec4 middle(vec4 a, vec4 b, vec4 c) { return max(min(a, b), min(max(a, b), c)); }

/// The least, the middle and the most of a column of three.
void sortColumn(ivec2 place, out vec4 low, out vec4 mid, out vec4 high) {
  vec4 a = pixel(place - ivec2(0, 1));
  vec4 b = pixel(place);
  vec4 c = pixel(place + ivec2(0, 1));
  low = min(a, min(b, c));
  mid = middle(a, b, c);
  high = max(a, max(b, c));
}

/// The median of nine is the middle one of three: the most of the least of the columns, the middle of the middle ones, the least of the most.
vec4 select(vec2 position) {
  ivec2 place = ivec2(position);
  if (radius == 0) return pixel(place);
  if (radius > 1) return texelFetch(counted, place, 0);
  vec4 low[3], mid[3], high[3];
  for (int i = 0; i < 3; i++) sortColumn(place + ivec2(i - 1, 0), low[i], mid[i], high[i]);
  return middle(max(low[0], max(low[1], low[2])), middle(mid[0], mid[1], mid[2]), min(high[0], min(high[1], high[2])));
}

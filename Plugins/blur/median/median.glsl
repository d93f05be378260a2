/*{
  "ETALON": 1,
  "DESCRIPTION": "Gives every pixel the median of a square around it, which removes specks and keeps edges.",
  "CREDIT": "J. Tukey, Exploratory Data Analysis, 1977; the nine pixels are sorted as in J. Smith, Implementing Median Filters, 1996.",
  "CATEGORIES": ["blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest", "SPACE": "encoded" },
    { "NAME": "radius", "TYPE": "int", "LABEL": "Radius", "MIN": 0, "MAX": 100, "DEFAULT": 1, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far the square goes to each side of the pixel: 1 is a square of 3 by 3." }
  ],
  "PASSES": [
    { "KERNEL": "median", "REACH": "radius" }
  ]
}*/

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
vec4 medianOfNine(ivec2 place) {
  vec4 low[3], mid[3], high[3];
  for (int i = 0; i < 3; i++) sortColumn(place + ivec2(i - 1, 0), low[i], mid[i], high[i]);
  return middle(max(low[0], max(low[1], low[2])), middle(mid[0], mid[1], mid[2]), min(high[0], min(high[1], high[2])));
}

/// How many pixels of the square are at a level or above it, for three levels.
void count(ivec2 place, vec4 first, vec4 spacing, out vec4 a, out vec4 b, out vec4 c) {
  a = b = c = vec4(0.0);
  for (int y = -radius; y <= radius; y++) {
    for (int x = -radius; x <= radius; x++) {
      // A level begins in the middle between its number and the one below.
      vec4 level = pixel(place + ivec2(x, y)) * 255.0 + 0.5;
      a += step(first, level);
      b += step(first + spacing, level);
      c += step(first + 2.0 * spacing, level);
    }
  }
}

vec4 median(vec2 position) {
  ivec2 place = ivec2(position);
  if (radius == 0) return pixel(place);
  if (radius == 1) return medianOfNine(place);
  // The median is the highest level with more than half of the pixels at it or above: each round leaves a quarter of the levels.
  float enough = float((2 * radius + 1) * (2 * radius + 1) / 2 + 1);
  vec4 found = vec4(0.0);
  for (float spacing = 64.0; spacing >= 1.0; spacing *= 0.25) {
    vec4 a, b, c;
    count(place, found + spacing, vec4(spacing), a, b, c);
    found += spacing * (step(enough, a) + step(enough, b) + step(enough, c));
  }
  return found / 255.0;
}

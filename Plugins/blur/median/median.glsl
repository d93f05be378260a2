/*{
  "ETALON": 1,
  "DESCRIPTION": "Gives every pixel the median of a square around it, which removes specks and keeps edges.",
  "CREDIT": "J. Tukey, Exploratory Data Analysis, 1977; few pixels are sorted as in J. Smith, Implementing Median Filters, 1996.",
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

void exchange(inout vec4 a, inout vec4 b) {
  vec4 least = min(a, b);
  b = max(a, b);
  a = least;
}

/// A pixel of the square of five by five, row by row.
vec4 inSquare(ivec2 place, int index) { return pixel(place + ivec2(index % 5, index / 5) - 2); }

// The number in a name is how many pixels of each half are meant: PAIRS puts the lesser one of each pair into the lower half, LEAST the least of the lower
// half in front, MOST the most of the higher half. These are macros, because loops over arrays are many times slower.
#define PAIRS1 exchange(low[0], high[0]);
#define PAIRS2 PAIRS1 exchange(low[1], high[1]);
#define PAIRS3 PAIRS2 exchange(low[2], high[2]);
#define PAIRS4 PAIRS3 exchange(low[3], high[3]);
#define PAIRS5 PAIRS4 exchange(low[4], high[4]);
#define PAIRS6 PAIRS5 exchange(low[5], high[5]);
#define PAIRS7 PAIRS6 exchange(low[6], high[6]);
#define LEAST2 exchange(low[0], low[1]);
#define LEAST3 LEAST2 exchange(low[0], low[2]);
#define LEAST4 LEAST3 exchange(low[0], low[3]);
#define LEAST5 LEAST4 exchange(low[0], low[4]);
#define LEAST6 LEAST5 exchange(low[0], low[5]);
#define LEAST7 LEAST6 exchange(low[0], low[6]);
#define MOST2 exchange(high[1], high[0]);
#define MOST3 MOST2 exchange(high[2], high[0]);
#define MOST4 MOST3 exchange(high[3], high[0]);
#define MOST5 MOST4 exchange(high[4], high[0]);
#define MOST6 MOST5 exchange(high[5], high[0]);
#define MOST7 MOST6 exchange(high[6], high[0]);

/// The median of 25. Neither the least nor the most of more than half of them can be it, so both make room for the next pixel, until three are left.
vec4 medianOf25(ivec2 place) {
  vec4 low[7], high[7];
  low[0] = inSquare(place, 0); high[0] = inSquare(place, 7);
  low[1] = inSquare(place, 1); high[1] = inSquare(place, 8);
  low[2] = inSquare(place, 2); high[2] = inSquare(place, 9);
  low[3] = inSquare(place, 3); high[3] = inSquare(place, 10);
  low[4] = inSquare(place, 4); high[4] = inSquare(place, 11);
  low[5] = inSquare(place, 5); high[5] = inSquare(place, 12);
  low[6] = inSquare(place, 6); high[6] = inSquare(place, 13);
  PAIRS7 MOST7 LEAST7 low[0] = inSquare(place, 14); high[0] = high[6];
  PAIRS6 MOST6 exchange(low[6], high[0]); LEAST7 low[0] = inSquare(place, 15); high[0] = low[6];
  PAIRS6 MOST6 LEAST6 low[0] = inSquare(place, 16); high[0] = high[5];
  PAIRS5 MOST5 exchange(low[5], high[0]); LEAST6 low[0] = inSquare(place, 17); high[0] = low[5];
  PAIRS5 MOST5 LEAST5 low[0] = inSquare(place, 18); high[0] = high[4];
  PAIRS4 MOST4 exchange(low[4], high[0]); LEAST5 low[0] = inSquare(place, 19); high[0] = low[4];
  PAIRS4 MOST4 LEAST4 low[0] = inSquare(place, 20); high[0] = high[3];
  PAIRS3 MOST3 exchange(low[3], high[0]); LEAST4 low[0] = inSquare(place, 21); high[0] = low[3];
  PAIRS3 MOST3 LEAST3 low[0] = inSquare(place, 22); high[0] = high[2];
  PAIRS2 MOST2 exchange(low[2], high[0]); LEAST3 low[0] = inSquare(place, 23); high[0] = low[2];
  PAIRS2 MOST2 LEAST2 low[0] = inSquare(place, 24); high[0] = high[1];
  return middle(low[0], low[1], high[0]);
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
  if (radius == 2) return medianOf25(place);
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

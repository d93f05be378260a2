/*{
  "ETALON": 1,
  "DESCRIPTION": "Gives every pixel the mean of a square around it.",
  "CATEGORIES": ["blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 1000, "DEFAULT": 8, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far the square goes to each side of the pixel; of a fraction, pixels count in part." },
    { "NAME": "edges", "TYPE": "long", "LABEL": "Edges", "VALUES": [0, 1], "LABELS": ["extend", "transparent"], "DEFAULT": 0,
      "HELP": "What lies beyond the edges: the last pixels again, or nothing." }
  ],
  "PASSES": [
    { "KERNEL": "addColumnRuns", "TARGET": "columnRuns", "FORMAT": "rgba32f",
      "REACH": [0, "radius < 8.0 ? -1.0 : (radius + sqrt(2.0 * radius + 1.0)) * (1.0 + 2.0 * radius / height)"],
      "WIDTH": "radius < 8.0 ? 1.0 : width", "HEIGHT": "radius < 8.0 ? 1.0 : height + 2.0 * floor(radius)" },
    { "KERNEL": "blurHeight", "TARGET": "columns", "FORMAT": "rgba32f", "REACH": [0, "(radius < 8.0 ? 1.0 : 2.0) * floor(radius) + 1.0"] },
    { "KERNEL": "addRowRuns", "TARGET": "rowRuns", "FORMAT": "rgba32f",
      "REACH": ["radius < 8.0 ? -1.0 : (radius + sqrt(2.0 * radius + 1.0)) * (1.0 + 2.0 * radius / width)", 0],
      "WIDTH": "radius < 8.0 ? 1.0 : width + 2.0 * floor(radius)", "HEIGHT": "radius < 8.0 ? 1.0 : height" },
    { "KERNEL": "blurWidth", "REACH": ["(radius < 8.0 ? 1.0 : 2.0) * floor(radius) + 1.0", 0] }
  ]
}*/

// The square is a row of columns, and a column of n pixels is a few runs that were added up before: with runs of about the square root of n
// pixels, as many runs are left to add.

const ivec2 across = ivec2(1, 0);
const ivec2 up = ivec2(0, 1);

/// The pixels on each side that count as a whole.
int reach() { return int(radius); }

/// The pixels of a run.
int runLength() { return int(sqrt(float(2 * reach() + 1))); }

/// Whether there are so many pixels that runs are worth a pass of their own.
bool hasRuns() { return radius >= 8.0; }

/// Adds a pixel with its weight; beyond the edges that of what 'edges' says.
void add(sampler2D image, ivec2 place, float weight, inout vec4 sum) {
  if (edges == 1) weight *= float(IMG_INSIDE(image, place));
  sum += weight * texelFetch(image, clamp(place, ivec2(0), textureSize(image, 0) - 1), 0);
}

/// The sum of a run; the first one begins as far before the edge as the square of the first pixel.
vec4 run(sampler2D image, vec2 position, ivec2 direction) {
  vec4 sum = vec4(0.0);
  for (int i = 0; i < runLength(); i++) add(image, ivec2(position) + (i - reach()) * direction, 1.0, sum);
  return sum;
}

/// The mean along a line: of runs as far as they go, then of single pixels, of which the outermost count in part.
vec4 mean(sampler2D image, sampler2D runs, vec2 position, ivec2 direction) {
  ivec2 place = ivec2(position);
  int count = 2 * reach() + 1;
  int done = 0;
  vec4 sum = vec4(0.0);
  if (hasRuns()) {
    for (; done + runLength() <= count; done += runLength()) sum += texelFetch(runs, place + done * direction, 0);
  }
  for (; done < count; done++) add(image, place + (done - reach()) * direction, 1.0, sum);
  add(image, place - (reach() + 1) * direction, fract(radius), sum);
  add(image, place + (reach() + 1) * direction, fract(radius), sum);
  return sum / (2.0 * radius + 1.0);
}

vec4 addColumnRuns(vec2 position) { return run(inputImage, position, up); }

vec4 blurHeight(vec2 position) { return mean(inputImage, columnRuns, position, up); }

vec4 addRowRuns(vec2 position) { return run(columns, position, across); }

vec4 blurWidth(vec2 position) { return mean(columns, rowRuns, position, across); }

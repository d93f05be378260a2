/*{
  "ETALON": 1,
  "DESCRIPTION": "Blurs a picture with a rectangle: every pixel gets the mean of what lies around it.",
  "CATEGORIES": ["blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "radius", "TYPE": "vec2", "LABEL": "Radius", "MIN": 0, "MAX": 1000, "DEFAULT": [10, 10], "IDENTITY": [0, 0], "UNIT": "px",
      "HELP": "How far the rectangle goes to the left and right, and up and down; of a fraction, pixels count in part." },
    { "NAME": "edges", "TYPE": "long", "LABEL": "Edges", "VALUES": [0, 1], "LABELS": ["extend", "transparent"], "DEFAULT": 0,
      "HELP": "What lies beyond the edges: the last pixels again, or nothing." }
  ],
  "PASSES": [
    { "KERNEL": "addColumnRuns", "TARGET": "columnRuns", "FORMAT": "rgba32f",
      "REACH": [0, "radius.y < 8.0 ? -1.0 : (radius.y + sqrt(2.0 * radius.y + 1.0)) * (1.0 + 2.0 * radius.y / height)"],
      "WIDTH": "radius.y < 8.0 ? 1.0 : width", "HEIGHT": "radius.y < 8.0 ? 1.0 : height + 2.0 * floor(radius.y)" },
    { "KERNEL": "blurHeight", "TARGET": "columns", "FORMAT": "rgba32f", "REACH": [0, "(radius.y < 8.0 ? 1.0 : 2.0) * floor(radius.y) + 1.0"] },
    { "KERNEL": "addRowRuns", "TARGET": "rowRuns", "FORMAT": "rgba32f",
      "REACH": ["radius.x < 8.0 ? -1.0 : (radius.x + sqrt(2.0 * radius.x + 1.0)) * (1.0 + 2.0 * radius.x / width)", 0],
      "WIDTH": "radius.x < 8.0 ? 1.0 : width + 2.0 * floor(radius.x)", "HEIGHT": "radius.x < 8.0 ? 1.0 : height" },
    { "KERNEL": "blurWidth", "REACH": ["(radius.x < 8.0 ? 1.0 : 2.0) * floor(radius.x) + 1.0", 0] }
  ]
}*/

// The rectangle is a row of columns, and a line of n pixels is a few runs that were added up before: with runs of about the square root of n
// pixels, as many runs are left to add.

const ivec2 across = ivec2(1, 0);
const ivec2 up = ivec2(0, 1);

/// The pixels of a run of a line that goes so far to each side.
int runLength(float reach) { return int(sqrt(2.0 * floor(reach) + 1.0)); }

/// Adds a pixel with its weight; beyond the edges that of what 'edges' says.
void add(sampler2D image, ivec2 place, float weight, inout vec4 sum) {
  if (edges == 1) weight *= float(IMG_INSIDE(image, place));
  sum += weight * texelFetch(image, clamp(place, ivec2(0), textureSize(image, 0) - 1), 0);
}

/// The sum of a run; the first one begins as far before the edge as the line of the first pixel.
vec4 run(sampler2D image, vec2 position, ivec2 direction, float reach) {
  ivec2 first = ivec2(position) - int(reach) * direction;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < runLength(reach); i++) add(image, first + i * direction, 1.0, sum);
  return sum;
}

/// The mean along a line: of runs as far as they go, then of single pixels, of which the outermost count in part.
vec4 mean(sampler2D image, sampler2D runs, vec2 position, ivec2 direction, float reach) {
  ivec2 place = ivec2(position);
  int whole = int(reach);
  int count = 2 * whole + 1;
  int done = 0;
  vec4 sum = vec4(0.0);
  if (reach >= 8.0) {
    for (; done + runLength(reach) <= count; done += runLength(reach)) sum += texelFetch(runs, place + done * direction, 0);
  }
  for (; done < count; done++) add(image, place + (done - whole) * direction, 1.0, sum);
  add(image, place - (whole + 1) * direction, fract(reach), sum);
  add(image, place + (whole + 1) * direction, fract(reach), sum);
  return sum / (2.0 * reach + 1.0);
}

vec4 addColumnRuns(vec2 position) { return run(inputImage, position, up, radius.y); }

vec4 blurHeight(vec2 position) { return mean(inputImage, columnRuns, position, up, radius.y); }

vec4 addRowRuns(vec2 position) { return run(columns, position, across, radius.x); }

vec4 blurWidth(vec2 position) { return mean(columns, rowRuns, position, across, radius.x); }

/*{
  "ETALON": 1,
  "DESCRIPTION": "Grows the dark parts of a picture: every pixel gets the least of a square around it.",
  "CATEGORIES": ["morphology"], "ALIASES": ["erode"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "radius", "TYPE": "int", "LABEL": "Radius", "MIN": 0, "MAX": 1000, "DEFAULT": 3, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far the square goes to each side of the pixel: 3 is a square of 7 by 7." }
  ],
  "PASSES": [
    { "KERNEL": "findColumnRuns", "TARGET": "columnRuns", "FORMAT": "rgba32f",
      "REACH": [0, "radius < 8 ? -1.0 : (radius + sqrt(2.0 * radius + 1.0)) * (1.0 + 2.0 * radius / height)"],
      "WIDTH": "radius < 8 ? 1.0 : width", "HEIGHT": "radius < 8 ? 1.0 : height + 2.0 * float(radius)" },
    { "KERNEL": "findInColumns", "TARGET": "columns", "FORMAT": "rgba32f", "REACH": [0, "radius < 8 ? radius : 2 * radius"] },
    { "KERNEL": "findRowRuns", "TARGET": "rowRuns", "FORMAT": "rgba32f",
      "REACH": ["radius < 8 ? -1.0 : (radius + sqrt(2.0 * radius + 1.0)) * (1.0 + 2.0 * radius / width)", 0],
      "WIDTH": "radius < 8 ? 1.0 : width + 2.0 * float(radius)", "HEIGHT": "radius < 8 ? 1.0 : height" },
    { "KERNEL": "findInRows", "REACH": ["radius < 8 ? radius : 2 * radius", 0] }
  ]
}*/

// The square is a row of columns, and a column of n pixels is covered by a few runs whose minimums were found before: with runs of about the
// square root of n pixels, as many runs are left to look at. Runs may overlap.

const ivec2 across = ivec2(1, 0);
const ivec2 up = ivec2(0, 1);

/// The pixels of a line.
int lineLength() { return 2 * radius + 1; }

/// The pixels of a run.
int runLength() { return int(sqrt(float(lineLength()))); }

/// The minimum of some pixels in a row or a column; beyond the edges the last ones go on.
vec4 minimum(sampler2D image, ivec2 first, ivec2 direction, int count) {
  ivec2 last = textureSize(image, 0) - 1;
  vec4 result = texelFetch(image, clamp(first, ivec2(0), last), 0);
  for (int i = 1; i < count; i++) result = min(result, texelFetch(image, clamp(first + i * direction, ivec2(0), last), 0));
  return result;
}

/// The minimum of a run; the first one begins as far before the edge as the square of the first pixel.
vec4 run(sampler2D image, vec2 position, ivec2 direction) {
  return minimum(image, ivec2(position) - radius * direction, direction, runLength());
}

/// The minimum of a line: of its pixels, or of runs that cover it from one end to the other.
vec4 line(sampler2D image, sampler2D runs, vec2 position, ivec2 direction) {
  ivec2 place = ivec2(position);
  if (radius < 8) return minimum(image, place - radius * direction, direction, lineLength());
  int last = lineLength() - runLength();
  vec4 result = texelFetch(runs, place + last * direction, 0);
  for (int i = 0; i < last; i += runLength()) result = min(result, texelFetch(runs, place + i * direction, 0));
  return result;
}

vec4 findColumnRuns(vec2 position) { return run(inputImage, position, up); }

vec4 findInColumns(vec2 position) { return line(inputImage, columnRuns, position, up); }

vec4 findRowRuns(vec2 position) { return run(columns, position, across); }

vec4 findInRows(vec2 position) { return line(columns, rowRuns, position, across); }

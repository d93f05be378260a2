/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows the light or the dark details of a picture that are smaller than a square.",
  "CREDIT": "J. Serra, Image Analysis and Mathematical Morphology, 1982.",
  "CATEGORIES": ["morphology"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "radius", "TYPE": "int", "LABEL": "Radius", "MIN": 0, "MAX": 1000, "DEFAULT": 5, "UNIT": "px",
      "HELP": "How far the square goes to each side of the pixel: 3 is a square of 7 by 7." },
    { "NAME": "kind", "TYPE": "long", "LABEL": "Kind", "VALUES": [0, 1], "LABELS": ["light", "dark"], "DEFAULT": 0,
      "HELP": "Light details (the picture less its opening), or dark ones (its closing less the picture)." }
  ],
  "PASSES": [
    { "KERNEL": "firstColumnRuns", "TARGET": "columnRuns", "FORMAT": "rgba32f", "REACH": [0, "sqrt(2.0 * radius + 1.0)"] },
    { "KERNEL": "firstColumns", "TARGET": "columns", "FORMAT": "rgba32f", "REACH": [0, "radius"] },
    { "KERNEL": "firstRowRuns", "TARGET": "rowRuns", "FORMAT": "rgba32f", "REACH": ["sqrt(2.0 * radius + 1.0)", 0] },
    { "KERNEL": "firstRows", "TARGET": "between", "FORMAT": "rgba32f", "REACH": ["radius", 0] },
    { "KERNEL": "secondColumnRuns", "TARGET": "columnRuns2", "FORMAT": "rgba32f", "REACH": [0, "sqrt(2.0 * radius + 1.0)"] },
    { "KERNEL": "secondColumns", "TARGET": "columns2", "FORMAT": "rgba32f", "REACH": [0, "radius"] },
    { "KERNEL": "secondRowRuns", "TARGET": "rowRuns2", "FORMAT": "rgba32f", "REACH": ["sqrt(2.0 * radius + 1.0)", 0] },
    { "KERNEL": "secondRows", "REACH": ["radius", 0] }
  ]
}*/

// A line of n pixels is covered by a few runs that were looked at before: with runs of about the square root of n pixels, as many are left.

const ivec2 across = ivec2(1, 0);
const ivec2 up = ivec2(0, 1);

/// How far a run goes to each side.
int runReach() { return int(0.5 * (sqrt(2.0 * float(radius) + 1.0) - 1.0)); }

/// The pixel at a place; beyond the edges the last ones go on.
vec4 pixel(sampler2D image, ivec2 place) { return texelFetch(image, clamp(place, ivec2(0), textureSize(image, 0) - 1), 0); }

/// The largest of the pixels or runs along a line that goes so far to each side, times the sign: with a sign below 0 it is the smallest.
vec4 extreme(sampler2D image, vec2 position, ivec2 direction, int reach, int step, float sign) {
  vec4 result = sign * pixel(image, ivec2(position) + reach * direction);
  for (int i = -reach; i < reach; i += step) result = max(result, sign * pixel(image, ivec2(position) + i * direction));
  return sign * result;
}

/// Light details are in no square that fits into what is light around them, so that the minimum comes first.
float order() { return kind == 0 ? -1.0 : 1.0; }

vec4 run(sampler2D image, vec2 position, ivec2 direction, float sign) { return extreme(image, position, direction, runReach(), 1, sign); }

vec4 line(sampler2D runs, vec2 position, ivec2 direction, float sign) {
  return extreme(runs, position, direction, radius - runReach(), 2 * runReach() + 1, sign);
}

vec4 firstColumnRuns(vec2 position) { return run(inputImage, position, up, order()); }

vec4 firstColumns(vec2 position) { return line(columnRuns, position, up, order()); }

vec4 firstRowRuns(vec2 position) { return run(columns, position, across, order()); }

vec4 firstRows(vec2 position) { return line(rowRuns, position, across, order()); }

vec4 secondColumnRuns(vec2 position) { return run(between, position, up, -order()); }

vec4 secondColumns(vec2 position) { return line(columnRuns2, position, up, -order()); }

vec4 secondRowRuns(vec2 position) { return run(columns2, position, across, -order()); }

vec4 secondRows(vec2 position) {
  vec4 own = texelFetch(inputImage, ivec2(position), 0);
  vec4 rest = line(rowRuns2, position, across, -order());
  // What is left is at most as light as the larger of the two, and is as opaque.
  return kind == 0 ? vec4(own.rgb - rest.rgb, own.a) : vec4(rest.rgb - own.rgb, rest.a);
}

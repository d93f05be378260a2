/*{
  "ETALON": 1,
  "DESCRIPTION": "Removes the light parts of a picture that are smaller than a square, and keeps the rest as it is.",
  "CREDIT": "J. Serra, Image Analysis and Mathematical Morphology, 1982.",
  "CATEGORIES": ["morphology"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "radius", "TYPE": "int", "LABEL": "Radius", "MIN": 0, "MAX": 1000, "DEFAULT": 3, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far the square goes to each side of the pixel: 3 is a square of 7 by 7." }
  ],
  "PASSES": [
    { "KERNEL": "darkestColumnRuns", "TARGET": "columnRuns", "FORMAT": "rgba32f", "REACH": [0, "sqrt(2.0 * radius + 1.0)"] },
    { "KERNEL": "darkestColumns", "TARGET": "columns", "FORMAT": "rgba32f", "REACH": [0, "radius"] },
    { "KERNEL": "darkestRowRuns", "TARGET": "rowRuns", "FORMAT": "rgba32f", "REACH": ["sqrt(2.0 * radius + 1.0)", 0] },
    { "KERNEL": "darkestRows", "TARGET": "dark", "FORMAT": "rgba32f", "REACH": ["radius", 0] },
    { "KERNEL": "lightestColumnRuns", "TARGET": "columnRuns2", "FORMAT": "rgba32f", "REACH": [0, "sqrt(2.0 * radius + 1.0)"] },
    { "KERNEL": "lightestColumns", "TARGET": "columns2", "FORMAT": "rgba32f", "REACH": [0, "radius"] },
    { "KERNEL": "lightestRowRuns", "TARGET": "rowRuns2", "FORMAT": "rgba32f", "REACH": ["sqrt(2.0 * radius + 1.0)", 0] },
    { "KERNEL": "lightestRows", "REACH": ["radius", 0] }
  ]
}*/

// A line of n pixels is covered by a few runs that were looked at before: with runs of about the square root of n pixels, as many are left.

const ivec2 across = ivec2(1, 0);
const ivec2 up = ivec2(0, 1);

/// How far a run goes to each side.
int runReach() { return int(0.5 * (sqrt(2.0 * float(radius) + 1.0) - 1.0)); }

/// The pixel at a place; beyond the edges the last ones go on.
vec4 pixel(sampler2D image, ivec2 place) { return texelFetch(image, clamp(place, ivec2(0), textureSize(image, 0) - 1), 0); }

/// The minimum of the pixels or runs along a line that goes so far to each side.
vec4 darkest(sampler2D image, vec2 position, ivec2 direction, int reach, int step) {
  vec4 result = pixel(image, ivec2(position) + reach * direction);
  for (int i = -reach; i < reach; i += step) result = min(result, pixel(image, ivec2(position) + i * direction));
  return result;
}

vec4 darkestRun(sampler2D image, vec2 position, ivec2 direction) { return darkest(image, position, direction, runReach(), 1); }

vec4 darkestLine(sampler2D runs, vec2 position, ivec2 direction) {
  return darkest(runs, position, direction, radius - runReach(), 2 * runReach() + 1);
}

/// The maximum of the pixels or runs along a line that goes so far to each side.
vec4 lightest(sampler2D image, vec2 position, ivec2 direction, int reach, int step) {
  vec4 result = pixel(image, ivec2(position) + reach * direction);
  for (int i = -reach; i < reach; i += step) result = max(result, pixel(image, ivec2(position) + i * direction));
  return result;
}

vec4 lightestRun(sampler2D image, vec2 position, ivec2 direction) { return lightest(image, position, direction, runReach(), 1); }

vec4 lightestLine(sampler2D runs, vec2 position, ivec2 direction) {
  return lightest(runs, position, direction, radius - runReach(), 2 * runReach() + 1);
}

vec4 darkestColumnRuns(vec2 position) { return darkestRun(inputImage, position, up); }

vec4 darkestColumns(vec2 position) { return darkestLine(columnRuns, position, up); }

vec4 darkestRowRuns(vec2 position) { return darkestRun(columns, position, across); }

vec4 darkestRows(vec2 position) { return darkestLine(rowRuns, position, across); }

vec4 lightestColumnRuns(vec2 position) { return lightestRun(dark, position, up); }

vec4 lightestColumns(vec2 position) { return lightestLine(columnRuns2, position, up); }

vec4 lightestRowRuns(vec2 position) { return lightestRun(columns2, position, across); }

vec4 lightestRows(vec2 position) { return lightestLine(rowRuns2, position, across); }

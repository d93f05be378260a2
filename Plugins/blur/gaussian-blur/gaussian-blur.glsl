/*{
  "ETALON": 1,
  "DESCRIPTION": "Blurs a picture with a Gaussian bell of any width, in a time that does not depend on the width.",
  "CATEGORIES": ["blur"], "ALIASES": ["blur"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "sigma", "TYPE": "float", "LABEL": "Sigma", "MIN": 0, "MAX": 1000, "DEFAULT": 8, "IDENTITY": 0, "UNIT": "px",
      "HELP": "The standard deviation of the bell." },
    { "NAME": "edges", "TYPE": "long", "LABEL": "Edges", "VALUES": [0, 1], "LABELS": ["extend", "transparent"], "DEFAULT": 0,
      "HELP": "What lies beyond the edges: the last pixels again, or nothing." }
  ],
  "PASSES": [
    { "KERNEL": "shrinkHeight", "TARGET": "low", "FORMAT": "rgba32f",
      "REACH": [0, "sigma < 1.5 ? ceil(4.0 * sigma) : 8.5 + 50.0 * sigma / height"],
      "HEIGHT": "sigma < 1.5 ? height : ceil(1.2 * height / sigma) + 6.0" },
    { "KERNEL": "shrinkWidth", "TARGET": "small", "FORMAT": "rgba32f", "REACH": ["sigma < 1.5 ? -1.0 : 8.5 + 50.0 * sigma / width", 0],
      "WIDTH": "sigma < 1.5 ? 1.0 : ceil(1.2 * width / sigma) + 6.0", "HEIGHT": "sigma < 1.5 ? 1.0 : ceil(1.2 * height / sigma) + 6.0" },
    { "KERNEL": "growWidth", "TARGET": "wide", "FORMAT": "rgba32f", "REACH": ["sigma < 1.5 ? ceil(4.0 * sigma) : 6.7 * sigma", 0],
      "HEIGHT": "sigma < 1.5 ? height : ceil(1.2 * height / sigma) + 6.0" },
    { "KERNEL": "growHeight", "REACH": [0, "sigma < 1.5 ? 0.0 : 6.7 * sigma"] }
  ]
}*/

// A bell of bells is a bell: the picture is blurred by half of the variance where the pixels of a small picture lie, and the small picture is
// made large again with a bell that has the other half.

/// How many pixels the small picture has for each standard deviation; so many that nothing is seen of them. The header has this number too.
const float density = 1.2;

/// The pixels that the small picture has beyond each edge, because the last pixels of the result need them.
const int margin = 3;

/// Whether the small picture would hardly be smaller, so that the bell is applied at once.
bool isNarrow() { return sigma < 1.5; }

/// Adds a pixel with its weight; beyond the edges that of what 'edges' says.
void add(sampler2D image, ivec2 place, float weight, inout vec4 sum) {
  if (edges == 1) weight *= float(IMG_INSIDE(image, place));
  sum += weight * texelFetch(image, clamp(place, ivec2(0), textureSize(image, 0) - 1), 0);
}

/// The mean of the pixels along a line, weighted with a bell around a position.
///
/// With t for the offset of the position from its pixel, a weight is exp(-(i - t)² / 2s²), of which exp(-i² / 2s²) is the same for all positions,
/// and exp(it / s²) is a power that the loop has from its last round. What is left cancels out.
vec4 bell(sampler2D image, vec2 position, ivec2 direction, float deviation, int radius) {
  ivec2 place = ivec2(floor(position));
  float offset = dot(position - vec2(place) - 0.5, vec2(direction));
  float variance = max(deviation * deviation, 1e-6);
  float slope = exp(offset / variance);
  float fall = 1.0 / slope;
  float ahead = 1.0;
  float behind = 1.0;
  vec4 sum = vec4(0.0);
  add(image, place, 1.0, sum);
  float weights = 1.0;
  for (int i = 1; i <= radius; i++) {
    float weight = exp(-0.5 * float(i * i) / variance);
    ahead *= slope;
    behind *= fall;
    add(image, place + i * direction, weight * ahead, sum);
    add(image, place - i * direction, weight * behind, sum);
    weights += weight * (ahead + behind);
  }
  return sum / weights;
}

/// A pixel of a picture that is smaller along a line.
vec4 shrunk(sampler2D image, vec2 position, ivec2 direction) {
  float spacing = sigma / density;
  vec2 far = (position - float(margin)) * spacing;
  float deviation = sqrt(0.5) * sigma;
  return bell(image, mix(position, far, vec2(direction)), direction, deviation, int(ceil(3.4 * deviation)));
}

/// A pixel of a picture that is larger along a line: the mean of six, weighted with a bell whose variance is half of the square of the density.
vec4 grown(sampler2D image, vec2 position, ivec2 direction) {
  vec2 near = position * (density / sigma) + float(margin) - 0.5;
  vec2 from = mix(position, near, vec2(direction));
  ivec2 place = ivec2(floor(from));
  float offset = dot(from - vec2(place), vec2(direction));
  float slope = exp(2.0 * offset / (density * density));
  float fall = 1.0 / slope;
  vec3 ahead = exp(-vec3(1.0, 4.0, 9.0) / (density * density)) * slope * vec3(1.0, slope, slope * slope);
  vec2 behind = exp(-vec2(1.0, 4.0) / (density * density)) * fall * vec2(1.0, fall);
  vec4 sum = texelFetch(image, place, 0);
  sum += behind.x * texelFetch(image, place - direction, 0);
  sum += behind.y * texelFetch(image, place - 2 * direction, 0);
  sum += ahead.x * texelFetch(image, place + direction, 0);
  sum += ahead.y * texelFetch(image, place + 2 * direction, 0);
  sum += ahead.z * texelFetch(image, place + 3 * direction, 0);
  return sum / (1.0 + behind.x + behind.y + ahead.x + ahead.y + ahead.z);
}

const ivec2 across = ivec2(1, 0);
const ivec2 up = ivec2(0, 1);

vec4 shrinkHeight(vec2 position) {
  return isNarrow() ? bell(inputImage, position, up, sigma, int(ceil(4.0 * sigma))) : shrunk(inputImage, position, up);
}

// A narrow bell needs no small picture, which has a single pixel then; the others are as large as the result.

vec4 shrinkWidth(vec2 position) { return isNarrow() ? vec4(0.0) : shrunk(low, position, across); }

vec4 growWidth(vec2 position) {
  return isNarrow() ? bell(low, position, across, sigma, int(ceil(4.0 * sigma))) : grown(small, position, across);
}

// The last kernel has no loop, so that it can become part of the one that reads the result.
vec4 growHeight(vec2 position) { return isNarrow() ? texelFetch(wide, ivec2(position), 0) : grown(wide, position, up); }

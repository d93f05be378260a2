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

/// A pixel of the line through another one.
ivec2 onLine(bool isUp, ivec2 pixel, int place) { return isUp ? ivec2(pixel.x, place) : ivec2(place, pixel.y); }

/// Adds a pixel of a line with its weight; one beyond the edges counts nothing where they are open, else the last one counts for it.
void add(sampler2D image, bool isUp, bool isOpen, ivec2 pixel, int place, float weight, inout vec4 sum) {
  ivec2 last = textureSize(image, 0) - 1;
  int nearest = clamp(place, 0, isUp ? last.y : last.x);
  if (isOpen) weight *= float(place == nearest);
  sum += weight * texelFetch(image, onLine(isUp, pixel, nearest), 0);
}

/// The mean of the pixels along a line, weighted with a bell around a position.
///
/// With t for the offset of the position from its pixel, a weight is exp(-(i - t)² / 2s²), of which exp(-i² / 2s²) is the same for all positions,
/// and exp(it / s²) is a power that the loop has from its last round. What is left cancels out.
vec4 bell(sampler2D image, bool isUp, bool isOpen, ivec2 pixel, float middle, float deviation, int radius) {
  int place = int(floor(middle));
  float variance = max(deviation * deviation, 1e-6);
  float slope = exp((middle - float(place) - 0.5) / variance);
  float fall = 1.0 / slope;
  float ahead = 1.0;
  float behind = 1.0;
  vec4 sum = vec4(0.0);
  add(image, isUp, isOpen, pixel, place, 1.0, sum);
  float weights = 1.0;
  for (int i = 1; i <= radius; i++) {
    float weight = exp(-0.5 * float(i * i) / variance);
    ahead *= slope;
    behind *= fall;
    add(image, isUp, isOpen, pixel, place + i, weight * ahead, sum);
    add(image, isUp, isOpen, pixel, place - i, weight * behind, sum);
    weights += weight * (ahead + behind);
  }
  return sum / weights;
}

/// A bell around a position of a line, as far as some deviations reach; what lies beyond the edges is decided outside of its loop.
vec4 bellOnLine(sampler2D image, bool isUp, vec2 position, float middle, float deviation, float reach) {
  ivec2 pixel = ivec2(position);
  return edges == 1 ? bell(image, isUp, true, pixel, middle, deviation, int(ceil(reach * deviation)))
                    : bell(image, isUp, false, pixel, middle, deviation, int(ceil(reach * deviation)));
}

/// A pixel of a picture that is smaller along a line.
vec4 shrunk(sampler2D image, bool isUp, vec2 position) {
  float place = isUp ? position.y : position.x;
  return bellOnLine(image, isUp, position, (place - float(margin)) * sigma / density, sqrt(0.5) * sigma, 3.4);
}

/// A pixel of a picture that is larger along a line: the mean of six, weighted with a bell whose variance is half of the square of the density.
vec4 grown(sampler2D image, bool isUp, vec2 position) {
  ivec2 pixel = ivec2(position);
  float from = (isUp ? position.y : position.x) * (density / sigma) + float(margin) - 0.5;
  int place = int(floor(from));
  float slope = exp(2.0 / (density * density) * (from - float(place)));
  float fall = 1.0 / slope;
  vec3 ahead = exp(-vec3(1.0, 4.0, 9.0) / (density * density)) * slope * vec3(1.0, slope, slope * slope);
  vec2 behind = exp(-vec2(1.0, 4.0) / (density * density)) * fall * vec2(1.0, fall);
  vec4 sum = texelFetch(image, onLine(isUp, pixel, place), 0);
  sum += behind.x * texelFetch(image, onLine(isUp, pixel, place - 1), 0);
  sum += behind.y * texelFetch(image, onLine(isUp, pixel, place - 2), 0);
  sum += ahead.x * texelFetch(image, onLine(isUp, pixel, place + 1), 0);
  sum += ahead.y * texelFetch(image, onLine(isUp, pixel, place + 2), 0);
  sum += ahead.z * texelFetch(image, onLine(isUp, pixel, place + 3), 0);
  return sum * (1.0 / (1.0 + behind.x + behind.y + ahead.x + ahead.y + ahead.z));
}

const bool across = false;
const bool up = true;

vec4 shrinkHeight(vec2 position) {
  return isNarrow() ? bellOnLine(inputImage, up, position, position.y, sigma, 4.0) : shrunk(inputImage, up, position);
}

// A narrow bell needs no small picture, which has a single pixel then; the others are as large as the result.

vec4 shrinkWidth(vec2 position) { return isNarrow() ? vec4(0.0) : shrunk(low, across, position); }

vec4 growWidth(vec2 position) {
  return isNarrow() ? bellOnLine(low, across, position, position.x, sigma, 4.0) : grown(small, across, position);
}

// The last kernel has no loop, so that it can become part of the one that reads the result.
vec4 growHeight(vec2 position) { return isNarrow() ? texelFetch(wide, ivec2(position), 0) : grown(wide, up, position); }

/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows how far each pixel is from the light parts of a picture, or from the edge of them.",
  "CREDIT": "G. Rong, T.-S. Tan, Jump Flooding in GPU with Applications to Voronoi Diagram and Distance Transform, I3D 2006.",
  "CATEGORIES": ["morphology"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest", "SPACE": "encoded" },
    { "NAME": "level", "TYPE": "float", "LABEL": "Level", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "HELP": "The least luma, or alpha, that counts as light." },
    { "NAME": "channel", "TYPE": "long", "LABEL": "Channel", "VALUES": [0, 1], "LABELS": ["luma", "alpha"], "DEFAULT": 0,
      "HELP": "What of the picture counts: how light it is, or how opaque." },
    { "NAME": "side", "TYPE": "long", "LABEL": "Side", "VALUES": [0, 1, 2], "LABELS": ["outside", "inside", "both"], "DEFAULT": 0,
      "HELP": "Distances of dark pixels to the light ones, of light pixels to the dark ones, or both, with gray on the edge and light inside." },
    { "NAME": "range", "TYPE": "float", "LABEL": "Range", "MIN": 1, "MAX": 4096, "DEFAULT": 64, "UNIT": "px",
      "HELP": "The distance that is shown as white; with both sides as black outside, too." }
  ],
  "PASSES": [
    { "KERNEL": "flood", "TARGET": "nearest", "FORMAT": "rgba32f", "ITERATIONS": 16 },
    { "KERNEL": "show" }
  ]
}*/

/// Stands for a place that is not known yet.
const vec2 nowhere = vec2(-1e6);

bool isLight(vec4 color) {
  float luma = color.a > 0.0 ? dot(color.rgb, vec3(0.2126, 0.7152, 0.0722)) / color.a : 0.0;
  return (channel == 1 ? color.a : luma) >= level;
}

/// The places of the nearest light and dark pixels that are known: at first a pixel knows itself.
vec4 seed(vec2 position) {
  return isLight(texelFetch(inputImage, ivec2(position), 0)) ? vec4(position, nowhere) : vec4(nowhere, position);
}

/// Takes a place where it is nearer than the one that is known.
void take(vec2 position, vec2 found, inout vec2 known) {
  vec2 new = found - position;
  vec2 old = known - position;
  if (found.x >= 0.0 && dot(new, new) < dot(old, old)) known = found;
}

/// Looks at eight pixels: first at neighbors, then at those that lie apart by half of the picture, then by less and less, and at neighbors again.
vec4 flood(vec2 position) {
  ivec2 place = ivec2(position);
  ivec2 size = ivec2(RENDERSIZE);
  int rounds = int(ceil(log2(max(max(RENDERSIZE.x, RENDERSIZE.y), 2.0))));
  if (ITERATION == 0) return seed(position);
  vec4 known = texelFetch(nearest, place, 0);
  // The header has rounds enough for 8192 pixels; smaller pictures need fewer.
  if (ITERATION > rounds + 2) return known;
  int spacing = ITERATION == 1 ? 1 : 1 << max(rounds + 1 - ITERATION, 0);
  for (int y = -1; y <= 1; y++) {
    for (int x = -1; x <= 1; x++) {
      ivec2 from = place + spacing * ivec2(x, y);
      if (any(lessThan(from, ivec2(0))) || any(greaterThanEqual(from, size))) continue;
      vec4 found = texelFetch(nearest, from, 0);
      take(position, found.xy, known.xy);
      take(position, found.zw, known.zw);
    }
  }
  return known;
}

vec4 show(vec2 position) {
  vec4 known = texelFetch(nearest, ivec2(position), 0);
  vec2 apart = vec2(distance(position, known.xy), distance(position, known.zw)) / range;
  float tone = side == 0 ? apart.x : side == 1 ? apart.y : 0.5 + 0.5 * (clamp(apart.y, 0.0, 1.0) - clamp(apart.x, 0.0, 1.0));
  return vec4(vec3(clamp(tone, 0.0, 1.0)), 1.0);
}

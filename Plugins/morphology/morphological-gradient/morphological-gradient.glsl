/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows the edges of a picture: how far the lightest and the darkest pixel around each one differ.",
  "CREDIT": "J. Serra, Image Analysis and Mathematical Morphology, 1982; S. Beucher's gradient.",
  "CATEGORIES": ["morphology"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "radius", "TYPE": "int", "LABEL": "Radius", "MIN": 1, "MAX": 100, "DEFAULT": 1, "UNIT": "px",
      "HELP": "How far the square goes to each side of the pixel: 3 is a square of 7 by 7." },
    { "NAME": "kind", "TYPE": "long", "LABEL": "Kind", "VALUES": [0, 1, 2], "LABELS": ["both", "outer", "inner"], "DEFAULT": 0,
      "HELP": "The lightest less the darkest, the lightest less the pixel itself, or the pixel less the darkest." }
  ],
  "PASSES": [
    { "KERNEL": "lightestInColumns", "TARGET": "light", "FORMAT": "rgba32f", "REACH": [0, "kind == 2 ? -1 : radius"] },
    { "KERNEL": "darkestInColumns", "TARGET": "dark", "FORMAT": "rgba32f", "REACH": [0, "kind == 1 ? -1 : radius"] },
    { "KERNEL": "show", "REACH": ["radius", 0] }
  ]
}*/

/// The pixel at a place; beyond the edges the last ones go on.
vec4 pixel(sampler2D image, ivec2 place) { return texelFetch(image, clamp(place, ivec2(0), textureSize(image, 0) - 1), 0); }

vec4 lightest(sampler2D image, ivec2 place, ivec2 direction) {
  vec4 result = pixel(image, place);
  for (int i = 1; i <= radius; i++) result = max(result, max(pixel(image, place - i * direction), pixel(image, place + i * direction)));
  return result;
}

vec4 darkest(sampler2D image, ivec2 place, ivec2 direction) {
  vec4 result = pixel(image, place);
  for (int i = 1; i <= radius; i++) result = min(result, min(pixel(image, place - i * direction), pixel(image, place + i * direction)));
  return result;
}

vec4 lightestInColumns(vec2 position) { return lightest(inputImage, ivec2(position), ivec2(0, 1)); }

vec4 darkestInColumns(vec2 position) { return darkest(inputImage, ivec2(position), ivec2(0, 1)); }

vec4 show(vec2 position) {
  ivec2 place = ivec2(position);
  vec4 own = texelFetch(inputImage, place, 0);
  vec4 high = own;
  vec4 low = own;
  if (kind != 2) high = lightest(light, place, ivec2(1, 0));
  if (kind != 1) low = darkest(dark, place, ivec2(1, 0));
  // An edge of the matte is one of the picture; the result is as opaque as the most opaque pixel that counts.
  return vec4(high.rgb - low.rgb, high.a);
}

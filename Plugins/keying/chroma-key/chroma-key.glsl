/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes a color transparent, such as the green of a screen behind a presenter.",
  "CATEGORIES": ["keying"], "ALIASES": ["green-screen"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [0.1, 0.75, 0.2, 1], "HELP": "What becomes transparent." },
    { "NAME": "tolerance", "TYPE": "float", "LABEL": "Tolerance", "MIN": 0, "MAX": 1, "DEFAULT": 0.15,
      "HELP": "How far from the color's tint a pixel may be to vanish, as a distance in Cb and Cr." },
    { "NAME": "softness", "TYPE": "float", "LABEL": "Softness", "MIN": 0, "MAX": 1, "DEFAULT": 0.1,
      "HELP": "How much farther it has to be to be opaque; at 0 the edge is hard." },
    { "NAME": "spill", "TYPE": "float", "LABEL": "Spill", "MIN": 0, "MAX": 1, "DEFAULT": 0.5,
      "HELP": "How much of the color's tint is taken out of what remains." },
    { "NAME": "view", "TYPE": "long", "LABEL": "View", "VALUES": [0, 1], "LABELS": ["result", "matte"], "DEFAULT": 0,
      "HELP": "The picture with what is transparent, or how opaque it is, as a gray picture." }
  ]
}*/

/// How far a color is from gray, as Cb and Cr of Rec. 709.
vec2 chroma(vec3 color) {
  float luma = dot(color, vec3(0.2126, 0.7152, 0.0722));
  return (color.br - luma) / vec2(1.8556, 1.5748);
}

/// The color without its tint in a direction, as far as 'spill' says; the luma stays, as far as there is room.
vec3 cleaned(vec3 straight, vec2 direction) {
  vec2 taken = spill * max(dot(chroma(straight), direction), 0.0) * direction;
  float blue = 1.8556 * taken.x;
  float red = 1.5748 * taken.y;
  vec3 result = straight - vec3(red, -(0.2126 * red + 0.0722 * blue) / 0.7152, blue);
  return clamp(result, min(straight, 0.0), max(straight, 1.0));
}

vec4 colorKernel(vec4 pixel) {
  vec3 straight = pixel.a > 0.0 ? pixel.rgb / pixel.a : vec3(0.0);
  vec2 key = chroma(color.rgb);
  float matte = clamp((distance(chroma(straight), key) - tolerance) / max(softness, 1e-4), 0.0, 1.0) * pixel.a;
  if (view == 1) return vec4(vec3(matte), 1.0);
  vec2 direction = length(key) > 1e-3 ? normalize(key) : vec2(0.0);
  return vec4(cleaned(straight, direction) * matte, matte);
}

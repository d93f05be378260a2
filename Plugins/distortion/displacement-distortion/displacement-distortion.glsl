/*{
  "ETALON": 1,
  "DESCRIPTION": "Moves the pixels of a picture as far as the colors of another one say.",
  "CREDIT": "W3C Filter Effects Module Level 1, feDisplacementMap.",
  "CATEGORIES": ["distortion"], "ALIASES": ["displace"],
  "REACH": "0.5 * scale + 1.0",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "displacementImage", "TYPE": "image", "LABEL": "Displacement", "SPACE": "data", "ALPHA": "straight" },
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 0, "MAX": 2000, "DEFAULT": 40, "IDENTITY": 0, "UNIT": "px",
      "HELP": "How far white is read from black: half of it to each side." },
    { "NAME": "xChannel", "TYPE": "long", "LABEL": "Channel for x", "VALUES": [0, 1, 2, 3], "LABELS": ["red", "green", "blue", "alpha"], "DEFAULT": 0,
      "HELP": "The color that says how far to the right the picture is read." },
    { "NAME": "yChannel", "TYPE": "long", "LABEL": "Channel for y", "VALUES": [0, 1, 2, 3], "LABELS": ["red", "green", "blue", "alpha"], "DEFAULT": 1,
      "HELP": "The color that says how far up the picture is read." }
  ]
}*/

vec4 imageKernel(vec2 position) {
  vec4 map = clamp(IMG_THIS_PIXEL(displacementImage), 0.0, 1.0);
  vec2 shift = vec2(map[xChannel], map[yChannel]) - 0.5;
  // Where the map is transparent its colors say nothing; alpha itself always does.
  shift *= mix(vec2(map.a), vec2(1.0), equal(ivec2(xChannel, yChannel), ivec2(3)));
  return IMG_PIXEL(inputImage, position + scale * shift);
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "Darkens a picture towards its corners, or tints them.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "amount", "TYPE": "float", "LABEL": "Amount", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "IDENTITY": 0,
      "HELP": "How much of the color shows in the corners." },
    { "NAME": "radius", "TYPE": "float", "LABEL": "Radius", "MIN": 0, "MAX": 2, "DEFAULT": 1,
      "HELP": "Where half of the effect is reached: at 1 on the middle of the sides, at 1.41 in the corners." },
    { "NAME": "softness", "TYPE": "float", "LABEL": "Softness", "MIN": 0, "MAX": 1, "DEFAULT": 0.5,
      "HELP": "How far the effect fades in, to either side of the radius." },
    { "NAME": "roundness", "TYPE": "float", "LABEL": "Roundness", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From an oval with the shape of the picture, at 0, to a circle, at 1." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5], "UNIT": "normalized" },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 1],
      "HELP": "What the corners fade to; less alpha, less effect." }
  ]
}*/

/// How far the pixel is from the center: 1 on the middle of the sides of an oval, the square root of 2 in the corners of both shapes.
float distanceFromCenter() {
  vec2 offset = POSITION - center * RENDERSIZE;
  vec2 oval = 2.0 * offset / RENDERSIZE;
  vec2 circle = sqrt(8.0) * offset / length(RENDERSIZE);
  return length(mix(oval, circle, roundness));
}

vec4 colorKernel(vec4 pixel) {
  float width = max(softness, 1e-4);
  float shade = smoothstep(radius - width, radius + width, distanceFromCenter()) * amount * color.a;
  // The picture stays as transparent as it is.
  return vec4(mix(pixel.rgb, color.rgb * pixel.a, shade), pixel.a);
}

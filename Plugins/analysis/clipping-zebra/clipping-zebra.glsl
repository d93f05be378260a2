/*{
  "ETALON": 1,
  "DESCRIPTION": "Draws moving stripes over what is too light or too dark to show detail.",
  "CATEGORIES": ["analysis"], "ALIASES": ["zebra"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "high", "TYPE": "float", "LABEL": "High", "MIN": 0, "MAX": 2, "DEFAULT": 0.98, "HELP": "From this level on a pixel is too light." },
    { "NAME": "low", "TYPE": "float", "LABEL": "Low", "MIN": -1, "MAX": 1, "DEFAULT": 0.01, "HELP": "Up to this level it is too dark." },
    { "NAME": "channels", "TYPE": "long", "LABEL": "Channels", "VALUES": [0, 1], "LABELS": ["luma", "lightest"], "DEFAULT": 1,
      "HELP": "Whether the Rec. 709 luma counts, or the channel that is lightest." },
    { "NAME": "width", "TYPE": "float", "LABEL": "Width", "MIN": 1, "MAX": 64, "DEFAULT": 4, "UNIT": "px", "HELP": "The width of a stripe." },
    { "NAME": "speed", "TYPE": "float", "LABEL": "Speed", "MIN": -10, "MAX": 10, "DEFAULT": 2, "HELP": "How many stripes go by in a second; at 0 they stand." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  float luma = dot(straight, vec3(0.2126, 0.7152, 0.0722));
  float most = channels == 0 ? luma : max(straight.r, max(straight.g, straight.b));
  // Stripes slant to the right over lights, and to the left over shadows.
  float along = (POSITION.x + (most >= high ? -POSITION.y : POSITION.y)) * sqrt(0.5) / width;
  bool isStripe = mod(along - 2.0 * speed * TIME, 2.0) < 1.0;
  vec3 shown = straight;
  if (most <= low) shown = isStripe ? vec3(0.1, 0.3, 1.0) : straight;
  if (most >= high) shown = isStripe ? vec3(1.0, 0.2, 0.1) : straight;
  return vec4(shown * color.a, color.a);
}

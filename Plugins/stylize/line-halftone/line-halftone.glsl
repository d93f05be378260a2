/*{
  "ETALON": 1,
  "DESCRIPTION": "Prints a picture with lines of one ink, wider where it is darker.",
  "CREDIT": "R. Ulichney, Digital Halftoning, MIT Press 1987.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "width", "TYPE": "float", "LABEL": "Width", "MIN": 2, "MAX": 1024, "DEFAULT": 6, "UNIT": "px", "HELP": "How far lines are apart." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 30, "UNIT": "deg", "HELP": "How far level lines are turned, counterclockwise." },
    { "NAME": "circles", "TYPE": "bool", "LABEL": "Circles", "DEFAULT": false, "HELP": "Whether lines are circles around the center." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -1, "MAX": 2, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "The middle of the circles, as a fraction of the picture's sides." },
    { "NAME": "inkColor", "TYPE": "color", "LABEL": "Ink", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 1] },
    { "NAME": "paperColor", "TYPE": "color", "LABEL": "Paper", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1] }
  ]
}*/

vec4 premultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }

vec4 colorKernel(vec4 color) {
  float light = color.a > 0.0 ? dot(color.rgb, vec3(0.2126, 0.7152, 0.0722)) / color.a : 1.0;
  float dark = 1.0 - clamp(light, 0.0, 1.0);
  vec2 offset = POSITION - center * RENDERSIZE;
  float place = (circles ? length(offset) : offset.y * cos(radians(angle)) - offset.x * sin(radians(angle))) / width;
  // A line covers as much of its strip as the picture is dark. Its rim is as wide as a pixel, but no wider than the line, nor than what is left.
  float far = 2.0 * abs(place - floor(place) - 0.5);
  float rim = min(2.0 / width, 2.0 * min(dark, 1.0 - dark));
  float ink = rim > 0.0 ? clamp((dark - far) / rim + 0.5, 0.0, 1.0) : dark;
  return mix(premultiplied(paperColor), premultiplied(inkColor), ink) * color.a;
}

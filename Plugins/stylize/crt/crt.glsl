/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows a picture on a television with a tube: lines, colored phosphors, and bent glass.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "linear" },
    { "NAME": "lines", "TYPE": "float", "LABEL": "Lines", "MIN": 16, "MAX": 2160, "DEFAULT": 240, "HELP": "How many lines the picture has." },
    { "NAME": "beam", "TYPE": "float", "LABEL": "Beam", "MIN": 0, "MAX": 1, "DEFAULT": 0.7, "IDENTITY": 0, "HELP": "How dark it is between lines." },
    { "NAME": "mask", "TYPE": "float", "LABEL": "Mask", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "IDENTITY": 0, "HELP": "How much the stripes of red, green and blue phosphor show." },
    { "NAME": "stripe", "TYPE": "int", "LABEL": "Stripe", "MIN": 1, "MAX": 32, "DEFAULT": 1, "UNIT": "px", "HELP": "How wide a stripe of phosphor is." },
    { "NAME": "curvature", "TYPE": "float", "LABEL": "Curvature", "MIN": 0, "MAX": 1, "DEFAULT": 0.3, "IDENTITY": 0, "HELP": "How far the glass is bent." },
    { "NAME": "brightness", "TYPE": "float", "LABEL": "Brightness", "MIN": 0, "MAX": 4, "DEFAULT": 1.6, "IDENTITY": 1, "HELP": "The light, which lines and stripes take a part of." }
  ]
}*/

vec4 imageKernel(vec2 position) {
  // The glass bends both ways: each axis by the square of the other one.
  vec2 place = 2.0 * position / RENDERSIZE - 1.0;
  place *= 1.0 + curvature * 0.2 * place.yx * place.yx;
  vec2 from = (0.5 + 0.5 * place) * RENDERSIZE;
  vec2 corner = 0.5 * RENDERSIZE - abs(from - 0.5 * RENDERSIZE);
  float glass = curvature > 0.0 ? clamp(min(corner.x, corner.y) + 0.5, 0.0, 1.0) : 1.0;
  vec4 color = IMG_PIXEL(inputImage, from);
  // The beam is a bell around the middle of a line, and wider where it is brighter; its light stays the same on average.
  float high = RENDERSIZE.y / lines;
  float beside = from.y / high - floor(from.y / high) - 0.5;
  vec3 width = mix(vec3(0.18), vec3(0.42), sqrt(clamp(color.rgb, 0.0, 1.0)));
  vec3 bell = exp(-0.5 * beside * beside / (width * width));
  // Lines that are finer than pixels cannot be seen.
  float seen = beam * clamp(0.5 * high, 0.0, 1.0);
  vec3 light = color.rgb * mix(vec3(1.0), bell, seen);
  int phosphor = int(floor(position.x)) / stripe % 3;
  vec3 own = vec3(phosphor == 0, phosphor == 1, phosphor == 2);
  light *= mix(vec3(1.0), own, mask) * brightness;
  // What is not glass is black, and nothing is brighter than white.
  return vec4(min(light * glass, color.a), color.a);
}

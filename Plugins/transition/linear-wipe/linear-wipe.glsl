/*{
  "ETALON": 1,
  "DESCRIPTION": "An edge moves across the first picture and uncovers the second one.",
  "CREDIT": "SMPTE 258M, wipe 1, and its turns.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 0, "UNIT": "deg", "HELP": "Where the edge moves, counterclockwise from the right." },
    { "NAME": "softness", "TYPE": "float", "LABEL": "Softness", "MIN": 0, "MAX": 1, "DEFAULT": 0.1, "HELP": "How wide the edge is, as a fraction of its way." }
  ]
}*/

vec4 colorKernel(vec4 start, vec4 end) {
  vec2 direction = vec2(cos(radians(angle)), sin(radians(angle)));
  float way = dot(abs(direction), RENDERSIZE);
  float place = dot(POSITION - 0.5 * RENDERSIZE, direction) + 0.5 * way;
  // The edge begins and ends outside of the picture by half of its own width.
  float width = max(softness * way, 1.0);
  float edge = mix(-0.5 * width, way + 0.5 * width, progress);
  return mix(start, end, clamp((edge - place) / width + 0.5, 0.0, 1.0));
}

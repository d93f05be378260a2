/*{
  "ETALON": 1,
  "DESCRIPTION": "The second picture appears where a mask is dark first, and where it is light last.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End" },
    { "NAME": "maskImage", "TYPE": "image", "LABEL": "Mask", "SPACE": "encoded" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "inverted", "TYPE": "bool", "LABEL": "Inverted", "DEFAULT": false, "HELP": "Whether it appears where the mask is light first." },
    { "NAME": "softness", "TYPE": "float", "LABEL": "Softness", "MIN": 0, "MAX": 1, "DEFAULT": 0.1, "HELP": "How many levels of the mask change at the same time: at 1 all of them." }
  ]
}*/

vec4 colorKernel(vec4 start, vec4 end, vec4 mask) {
  float level = clamp(dot(mask.rgb, vec3(0.2126, 0.7152, 0.0722)), 0.0, 1.0);
  float place = inverted ? 1.0 - level : level;
  float width = max(softness, 1.0 / 255.0);
  float edge = mix(-0.5 * width, 1.0 + 0.5 * width, progress);
  return mix(start, end, clamp((edge - place) / width + 0.5, 0.0, 1.0));
}

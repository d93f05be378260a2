/*{
  "ETALON": 1,
  "DESCRIPTION": "Fades from one picture to another.",
  "CATEGORIES": ["transition"], "ALIASES": ["crossfade", "cross-dissolve"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." }
  ]
}*/

vec4 colorKernel(vec4 start, vec4 end) { return mix(start, end, progress); }

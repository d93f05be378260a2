/*{
  "ETALON": 1,
  "DESCRIPTION": "Mirrors a picture: left and right, top and bottom, or both.",
  "CATEGORIES": ["geometry"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "horizontal", "TYPE": "bool", "LABEL": "Horizontal", "DEFAULT": true, "IDENTITY": false, "HELP": "Whether left and right change places." },
    { "NAME": "vertical", "TYPE": "bool", "LABEL": "Vertical", "DEFAULT": false, "IDENTITY": false, "HELP": "Whether top and bottom change places." }
  ]
}*/

vec2 warpKernel(vec2 position) { return mix(position, RENDERSIZE - position, bvec2(horizontal, vertical)); }

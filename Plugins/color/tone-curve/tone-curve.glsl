/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes tones lighter and darker along curves through points: one for all channels, and one for each.",
  "CREDIT": "F. N. Fritsch and R. E. Carlson, Monotone Piecewise Cubic Interpolation, 1980.",
  "CATEGORIES": ["color"], "ALIASES": ["curves", "curve", "tone-curves"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "rgb", "TYPE": "curve", "LABEL": "All", "IDENTITY": "0:0,1:1", "HELP": "What each level of red, green and blue becomes, before the other curves." },
    { "NAME": "red", "TYPE": "curve", "LABEL": "Red", "IDENTITY": "0:0,1:1", "HELP": "What each level of red becomes then." },
    { "NAME": "green", "TYPE": "curve", "LABEL": "Green", "IDENTITY": "0:0,1:1", "HELP": "What each level of green becomes then." },
    { "NAME": "blue", "TYPE": "curve", "LABEL": "Blue", "IDENTITY": "0:0,1:1", "HELP": "What each level of blue becomes then." }
  ]
}*/

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  vec3 toned = vec3(red(rgb(straight.r)), green(rgb(straight.g)), blue(rgb(straight.b)));
  return vec4(toned * color.a, color.a);
}

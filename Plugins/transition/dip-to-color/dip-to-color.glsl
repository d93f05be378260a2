/*{
  "ETALON": 1,
  "DESCRIPTION": "Fades to a color, such as black, and from there to the second picture.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 1] },
    { "NAME": "hold", "TYPE": "float", "LABEL": "Hold", "MIN": 0, "MAX": 0.9, "DEFAULT": 0, "HELP": "For how much of the time only the color shows." }
  ]
}*/

vec4 colorKernel(vec4 start, vec4 end) {
  vec4 dip = vec4(color.rgb * color.a, color.a);
  // How far the nearer picture is, from 0 to 1 where the color is.
  float shown = clamp(min(progress, 1.0 - progress) * 2.0 / (1.0 - hold), 0.0, 1.0);
  return mix(progress < 0.5 ? start : end, dip, shown);
}

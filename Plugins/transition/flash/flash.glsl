/*{
  "ETALON": 1,
  "DESCRIPTION": "A flash of light blinds, and the second picture comes out of it.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -1, "MAX": 2, "DEFAULT": [0.5, 0.5], "UNIT": "normalized", "HELP": "Where the light comes from, as a fraction of the picture's sides." },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 0.95, 0.85, 1], "HELP": "The color of the light; less alpha, less of it." },
    { "NAME": "peak", "TYPE": "float", "LABEL": "Peak", "MIN": 0.1, "MAX": 0.9, "DEFAULT": 0.35, "HELP": "When the light is brightest, and the pictures change places." },
    { "NAME": "strength", "TYPE": "float", "LABEL": "Strength", "MIN": 0, "MAX": 8, "DEFAULT": 1, "HELP": "How bright the light is; above 1 it fills the picture." }
  ]
}*/

vec4 colorKernel(vec4 start, vec4 end) {
  // Light rises fast and fades slowly, and is gone at both ends.
  float time = progress < peak ? progress / peak : (1.0 - progress) / (1.0 - peak);
  float light = progress < peak ? time * time * time : time * time;
  vec2 offset = (POSITION - center * RENDERSIZE) / length(RENDERSIZE);
  float reach = exp(-4.0 * dot(offset, offset) / max(light, 1e-3));
  float cover = clamp(strength * light * mix(reach, 1.0, light), 0.0, 1.0) * color.a;
  vec4 picture = mix(start, end, smoothstep(peak - 0.08, peak + 0.08, progress));
  return mix(picture, vec4(color.rgb, 1.0), cover);
}

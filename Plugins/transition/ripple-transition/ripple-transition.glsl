/*{
  "ETALON": 1,
  "DESCRIPTION": "A ring of water runs outwards and leaves the second picture behind it.",
  "CATEGORIES": ["transition"],
  "INPUTS": [
    { "NAME": "startImage", "TYPE": "image", "LABEL": "Start", "ADDRESS": "mirror" },
    { "NAME": "endImage", "TYPE": "image", "LABEL": "End", "ADDRESS": "mirror" },
    { "NAME": "progress", "TYPE": "float", "LABEL": "Progress", "MIN": 0, "MAX": 1, "DEFAULT": 0,
      "HELP": "From the first picture, at 0, to the second, at 1; unless it is set, it runs over the rendered range." },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": 0, "MAX": 1, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "Where the ring begins, as a fraction of the picture's sides." },
    { "NAME": "width", "TYPE": "float", "LABEL": "Width", "MIN": 0.01, "MAX": 1, "DEFAULT": 0.2, "UNIT": "normalized", "HELP": "How wide the ring is, as a fraction of the picture's shorter side." },
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 0, "MAX": 1, "DEFAULT": 0.3, "HELP": "How far the ring bends the light, as a fraction of its width." },
    { "NAME": "gloss", "TYPE": "float", "LABEL": "Gloss", "MIN": 0, "MAX": 1, "DEFAULT": 0.3, "HELP": "How bright the ring shines." }
  ]
}*/

vec4 imageKernel(vec2 position) {
  vec2 middle = center * RENDERSIZE;
  vec2 offset = position - middle;
  float far = length(offset);
  float ring = width * min(RENDERSIZE.x, RENDERSIZE.y);
  // The ring begins inside of the center, and ends outside of the farthest corner.
  float edge = mix(-ring, length(max(middle, RENDERSIZE - middle)) + ring, progress);
  float place = clamp((far - edge) / ring, -1.0, 1.0);
  float rise = 1.0 - place * place;
  // Two waves within the ring, which are flat at its rims.
  float wave = rise * rise * sin(6.28318530718 * place);
  vec2 from = position + (far > 0.0 ? offset / far : vec2(0.0)) * (wave * scale * ring);
  vec4 color = mix(IMG_NORM_PIXEL(endImage, from / RENDERSIZE), IMG_NORM_PIXEL(startImage, from / RENDERSIZE), smoothstep(-0.5, 0.5, place));
  float light = gloss * rise * rise * max(sin(6.28318530718 * place), 0.0) * max(dot(offset, vec2(-0.7, 0.7)) / max(far, 1.0), 0.0);
  return vec4(min(color.rgb + light * color.a, max(color.rgb, color.a)), color.a);
}

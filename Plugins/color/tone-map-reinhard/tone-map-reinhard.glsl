/*{
  "ETALON": 1,
  "DESCRIPTION": "Brings light beyond white into the range of a screen, with Reinhard's curve.",
  "CREDIT": "E. Reinhard, M. Stark, P. Shirley, J. Ferwerda, Photographic Tone Reproduction for Digital Images, SIGGRAPH 2002, equation 4.",
  "CATEGORIES": ["color"], "ALIASES": ["reinhard"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "linear" },
    { "NAME": "exposure", "TYPE": "float", "LABEL": "Exposure", "MIN": -10, "MAX": 10, "DEFAULT": 0,
      "HELP": "How much lighter the picture is made before, in stops: 1 is twice the light." },
    { "NAME": "white", "TYPE": "float", "LABEL": "White", "MIN": 0.1, "MAX": 1000, "DEFAULT": 4,
      "HELP": "The least light that is shown as white; at 1000 about none is." },
    { "NAME": "basis", "TYPE": "long", "LABEL": "Basis", "VALUES": [0, 1], "LABELS": ["luminance", "channels"], "DEFAULT": 0,
      "HELP": "Whether the curve is that of the luminance, which keeps hues, or of each channel, which fades bright colors." }
  ]
}*/

vec3 curve(vec3 light) { return light * (1.0 + light / (white * white)) / (1.0 + light); }

vec4 colorKernel(vec4 color) {
  vec3 light = color.a > 0.0 ? max(color.rgb / color.a, 0.0) * exp2(exposure) : vec3(0.0);
  if (basis == 1) return vec4(curve(light) * color.a, color.a);
  vec3 luminance = vec3(dot(light, vec3(0.2126, 0.7152, 0.0722)));
  return vec4(light / max(luminance, 1e-10) * curve(luminance) * color.a, color.a);
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "Brings light beyond white into the range of a screen, with the film-like curve of John Hable.",
  "CREDIT": "J. Hable, Uncharted 2: HDR Lighting, Game Developers Conference 2010.",
  "CATEGORIES": ["color"], "ALIASES": ["filmic"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "linear" },
    { "NAME": "exposure", "TYPE": "float", "LABEL": "Exposure", "MIN": -10, "MAX": 10, "DEFAULT": 1,
      "HELP": "How much lighter the picture is made before, in stops: 1 is twice the light." },
    { "NAME": "white", "TYPE": "float", "LABEL": "White", "MIN": 0.1, "MAX": 1000, "DEFAULT": 11.2,
      "HELP": "The least light that is shown as white." }
  ]
}*/

/// A toe, a straight part and a shoulder.
vec3 film(vec3 light) {
  const float shoulder = 0.15, linear = 0.5, linearAngle = 0.1, toe = 0.2, toeNumerator = 0.02, toeDenominator = 0.3;
  vec3 above = light * (shoulder * light + linearAngle * linear) + toe * toeNumerator;
  vec3 below = light * (shoulder * light + linear) + toe * toeDenominator;
  return above / below - toeNumerator / toeDenominator;
}

vec4 colorKernel(vec4 color) {
  vec3 light = color.a > 0.0 ? max(color.rgb / color.a, 0.0) * exp2(exposure) : vec3(0.0);
  return vec4(film(light) / film(vec3(white)) * color.a, color.a);
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes the dark or the light parts of a picture transparent.",
  "CATEGORIES": ["keying"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "low", "TYPE": "float", "LABEL": "Low", "MIN": 0, "MAX": 1, "DEFAULT": 0.2, "IDENTITY": 0, "HELP": "Below this luma pixels vanish." },
    { "NAME": "high", "TYPE": "float", "LABEL": "High", "MIN": 0, "MAX": 1, "DEFAULT": 1, "IDENTITY": 1, "HELP": "Above this luma pixels vanish." },
    { "NAME": "softness", "TYPE": "float", "LABEL": "Softness", "MIN": 0, "MAX": 1, "DEFAULT": 0.1,
      "HELP": "How far beyond the two levels pixels fade; at 0 the edges are hard." },
    { "NAME": "inverted", "TYPE": "bool", "LABEL": "Inverted", "DEFAULT": false, "HELP": "Whether what lies between the levels vanishes instead." }
  ],
  "CONSTRAINTS": ["low <= high"]
}*/

vec4 colorKernel(vec4 color) {
  float luma = color.a > 0.0 ? dot(color.rgb, vec3(0.2126, 0.7152, 0.0722)) / color.a : 0.0;
  float beyond = max(low - luma, luma - high);
  // A level that is black or white itself cuts nothing off.
  float matte = clamp(1.0 - beyond / max(softness, 1e-4), 0.0, 1.0);
  return color * (inverted ? 1.0 - matte : matte);
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "Balances the white of a picture by the temperature and the tint of the light in which it was taken.",
  "CREDIT": "M. Krystek, An algorithm to calculate correlated colour temperature, Color Research & Application 10, 1985; Bradford's adaptation.",
  "CATEGORIES": ["color"], "ALIASES": ["white-balance"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "linear" },
    { "NAME": "temperature", "TYPE": "float", "LABEL": "Temperature", "MIN": 1500, "MAX": 15000, "DEFAULT": 5000, "IDENTITY": 6500,
      "HELP": "The color temperature of the light in kelvin: a lower one makes the picture bluer, a higher one warmer." },
    { "NAME": "tint", "TYPE": "float", "LABEL": "Tint", "MIN": -150, "MAX": 150, "DEFAULT": 0, "IDENTITY": 0,
      "HELP": "How much greener the light was than that of a glowing body: more makes the picture more purple; 30 are 0.01 in u, v of CIE 1960." }
  ]
}*/

// Light of sRGB's primaries as the cones of Bradford's observer see it, and back; and the same from XYZ.
const mat3 cones = mat3(0.422658, 0.0556908, 0.0213792, 0.4913566, 0.9615562, 0.0876439, 0.0273645, 0.0231894, 0.9807434);
const mat3 light = mat3(2.538448, -0.1460004, -0.0422884, -1.2934826, 1.1166224, -0.0715901, -0.0402432, -0.0223285, 1.0225073);
const mat3 bradford = mat3(0.8951, -0.7502, 0.0389, 0.2664, 1.7135, -0.0685, -0.1614, 0.0367, 1.0296);

/// Where the light of a glowing body lies in the diagram of CIE 1960.
vec2 glow(float kelvin) {
  float t = kelvin * 1e-3;
  return vec2((0.860117757 + t * (0.154118254 + t * 0.128641212)) / (1.0 + t * (0.842420235 + t * 0.708145163)),
    (0.317398726 + t * (0.0422806245 + t * 0.0420481691)) / (1.0 + t * (-0.0289741816 + t * 0.161456053)));
}

/// What the cones see of a white that is off the curve of glowing bodies by a distance, towards green.
vec3 white(float kelvin, float green) {
  vec2 slope = glow(kelvin * 1.001) - glow(kelvin * 0.999);
  vec2 uv = glow(kelvin) + green * normalize(vec2(slope.y, -slope.x));
  return bradford * vec3(1.5 * uv.x, uv.y, 2.0 - 0.5 * uv.x - 5.0 * uv.y) / uv.y;
}

vec4 colorKernel(vec4 color) {
  vec3 ratio = white(6500.0, 0.0) / max(white(temperature, tint / 3000.0), 0.01);
  return vec4(light * (ratio * (cones * color.rgb)), color.a);
}

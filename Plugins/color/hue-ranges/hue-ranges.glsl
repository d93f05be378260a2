/*{
  "ETALON": 1,
  "DESCRIPTION": "Changes the hue, the saturation and the lightness of six ranges of hues, each for itself.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "reds", "TYPE": "vec3", "LABEL": "Reds", "MIN": -1, "MAX": 1, "DEFAULT": [0, 0, 0], "IDENTITY": [0, 0, 0],
      "HELP": "Hue, saturation and lightness of reds: a hue of 1 makes them yellow, of -1 magenta." },
    { "NAME": "yellows", "TYPE": "vec3", "LABEL": "Yellows", "MIN": -1, "MAX": 1, "DEFAULT": [0, 0, 0], "IDENTITY": [0, 0, 0],
      "HELP": "The same of yellows, between red and green." },
    { "NAME": "greens", "TYPE": "vec3", "LABEL": "Greens", "MIN": -1, "MAX": 1, "DEFAULT": [0.1, -0.2, -0.1], "IDENTITY": [0, 0, 0],
      "HELP": "The same of greens, between yellow and cyan." },
    { "NAME": "cyans", "TYPE": "vec3", "LABEL": "Cyans", "MIN": -1, "MAX": 1, "DEFAULT": [0, 0, 0], "IDENTITY": [0, 0, 0],
      "HELP": "The same of cyans, between green and blue." },
    { "NAME": "blues", "TYPE": "vec3", "LABEL": "Blues", "MIN": -1, "MAX": 1, "DEFAULT": [0, 0.4, -0.2], "IDENTITY": [0, 0, 0],
      "HELP": "The same of blues, between cyan and magenta." },
    { "NAME": "magentas", "TYPE": "vec3", "LABEL": "Magentas", "MIN": -1, "MAX": 1, "DEFAULT": [0, 0, 0], "IDENTITY": [0, 0, 0],
      "HELP": "The same of magentas, between blue and red." }
  ]
}*/

/// The share that a range has of a hue; hues run from 0 to 6, and the shares of two ranges add up to 1.
float share(float hue, float center) {
  float distance = abs(hue - center);
  return max(1.0 - min(distance, 6.0 - distance), 0.0);
}

/// The hue of a color, from 0 to 6: red at 0, green at 2, blue at 4.
float hueOf(vec3 color, float high, float spread) {
  if (spread <= 0.0) return 0.0;
  if (color.r == high) return mod((color.g - color.b) / spread, 6.0);
  return color.g == high ? (color.b - color.r) / spread + 2.0 : (color.r - color.g) / spread + 4.0;
}

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  float high = max(straight.r, max(straight.g, straight.b));
  float low = min(straight.r, min(straight.g, straight.b));
  float spread = high - low;
  float hue = hueOf(straight, high, spread);
  vec3 change = share(hue, 0.0) * reds + share(hue, 1.0) * yellows + share(hue, 2.0) * greens + share(hue, 3.0) * cyans
    + share(hue, 4.0) * blues + share(hue, 5.0) * magentas;
  // Grays have no hue, so that the weaker a color is, the less its lightness changes.
  float lightness = 0.5 * (high + low + change.z * spread);
  float wanted = spread * (1.0 + change.y);
  // A color that is as light has room for so much spread between black and white, unless it was beyond them before.
  if (low >= 0.0 && high <= 1.0) wanted = min(wanted, max(1.0 - abs(2.0 * lightness - 1.0), 0.0));
  vec3 turned = clamp(abs(mod(hue + change.x + vec3(0.0, 4.0, 2.0), 6.0) - 3.0) - 1.0, 0.0, 1.0);
  return vec4((lightness + (turned - 0.5) * wanted) * color.a, color.a);
}

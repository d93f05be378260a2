/*{
  "ETALON": 1,
  "DESCRIPTION": "Lays a picture over another one with a blend mode: multiply, screen, overlay, soft-light, difference and others.",
  "CREDIT": "W3C Compositing and Blending Level 1, sections 5 and 10; behind luminosity, modes of Adobe's Photoshop as its file format defines them.",
  "CATEGORIES": ["composite"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "LABEL": "Picture", "ADDRESS": "transparent" },
    { "NAME": "backgroundImage", "TYPE": "image", "LABEL": "Background" },
    { "NAME": "mode", "TYPE": "long", "LABEL": "Mode",
      "VALUES": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22],
      "LABELS": ["normal", "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn", "hard-light", "soft-light",
        "difference", "exclusion", "hue", "saturation", "color", "luminosity",
        "linear-dodge", "linear-burn", "linear-light", "vivid-light", "pin-light", "subtract", "divide"],
      "DEFAULT": 1, "HELP": "How the colors of both pictures become one where they overlap." },
    { "NAME": "opacity", "TYPE": "float", "LABEL": "Opacity", "MIN": 0, "MAX": 1, "DEFAULT": 1, "HELP": "How much of the picture shows." }
  ]
}*/

vec3 straight(vec4 color) { return color.a > 0.0 ? clamp(color.rgb / color.a, 0.0, 1.0) : vec3(0.0); }

/// How light a color is; the weights of the specification.
float lum(vec3 color) { return dot(color, vec3(0.3, 0.59, 0.11)); }

float least(vec3 color) { return min(color.r, min(color.g, color.b)); }

float most(vec3 color) { return max(color.r, max(color.g, color.b)); }

float sat(vec3 color) { return most(color) - least(color); }

/// The color with another lightness, and less saturation where it would leave the range.
vec3 withLum(vec3 color, float lightness) {
  color += lightness - lum(color);
  float low = least(color);
  float high = most(color);
  if (low < 0.0) color = lightness + (color - lightness) * (lightness / (lightness - low));
  if (high > 1.0) color = lightness + (color - lightness) * ((1.0 - lightness) / (high - lightness));
  return color;
}

/// The color with another saturation; a gray has none to change.
vec3 withSat(vec3 color, float saturation) {
  float range = sat(color);
  return range > 0.0 ? (color - least(color)) * (saturation / range) : vec3(0.0);
}

float dodge(float below, float above) { return below <= 0.0 ? 0.0 : above >= 1.0 ? 1.0 : min(1.0, below / (1.0 - above)); }

float burn(float below, float above) { return below >= 1.0 ? 1.0 : above <= 0.0 ? 0.0 : 1.0 - min(1.0, (1.0 - below) / above); }

float hardLight(float below, float above) {
  return above <= 0.5 ? below * 2.0 * above : below + (2.0 * above - 1.0) - below * (2.0 * above - 1.0);
}

float softLight(float below, float above) {
  if (above <= 0.5) return below - (1.0 - 2.0 * above) * below * (1.0 - below);
  float curve = below <= 0.25 ? ((16.0 * below - 12.0) * below + 4.0) * below : sqrt(below);
  return below + (2.0 * above - 1.0) * (curve - below);
}

/// One channel of the modes that know nothing of the others.
float channelOf(float below, float above) {
  switch (mode) {
    case 1: return below * above;
    case 2: return below + above - below * above;
    case 3: return hardLight(above, below);
    case 4: return min(below, above);
    case 5: return max(below, above);
    case 6: return dodge(below, above);
    case 7: return burn(below, above);
    case 8: return hardLight(below, above);
    case 9: return softLight(below, above);
    case 10: return abs(below - above);
    case 11: return below + above - 2.0 * below * above;
    case 16: return min(below + above, 1.0);
    case 17: return max(below + above - 1.0, 0.0);
    case 18: return clamp(below + 2.0 * above - 1.0, 0.0, 1.0);
    case 19: return above <= 0.5 ? burn(below, 2.0 * above) : dodge(below, 2.0 * above - 1.0);
    case 20: return above <= 0.5 ? min(below, 2.0 * above) : max(below, 2.0 * above - 1.0);
    case 21: return max(below - above, 0.0);
    case 22: return below <= 0.0 ? 0.0 : above <= below ? 1.0 : below / above;
    default: return above;
  }
}

vec3 blended(vec3 below, vec3 above) {
  switch (mode) {
    case 12: return withLum(withSat(above, sat(below)), lum(below));
    case 13: return withLum(withSat(below, sat(above)), lum(below));
    case 14: return withLum(above, lum(below));
    case 15: return withLum(below, lum(above));
    default: return vec3(channelOf(below.r, above.r), channelOf(below.g, above.g), channelOf(below.b, above.b));
  }
}

vec4 colorKernel(vec4 color, vec4 background) {
  vec4 picture = color * opacity;
  if (mode == 0) return picture + background * (1.0 - picture.a);
  // The mode counts where both pictures are; where only one is, it shows as it is.
  vec3 both = blended(straight(background), straight(picture)) * picture.a * background.a;
  vec3 result = both + picture.rgb * (1.0 - background.a) + background.rgb * (1.0 - picture.a);
  return vec4(result, picture.a + background.a * (1.0 - picture.a));
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows how light each pixel is, by one of the usual definitions, as a gray picture.",
  "CREDIT": "ITU-R BT.601, BT.709 and BT.2020; CIE 15:2004 (lightness L*).",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "definition", "TYPE": "long", "LABEL": "Definition", "VALUES": [0, 1, 2, 3, 4, 5, 6],
      "LABELS": ["rec709", "rec601", "rec2020", "lightness", "mean", "maximum", "minimum"], "DEFAULT": 0,
      "HELP": "The luma of Rec. 709, 601 or 2020, the CIE's lightness L*, or the mean, the largest or the smallest of the channels." }
  ]
}*/

/// The CIE's lightness of an sRGB color, with white as 1.
float lightness(vec3 color) {
  vec3 magnitude = abs(color);
  vec3 light = mix(pow((magnitude + 0.055) / 1.055, vec3(2.4)), magnitude / 12.92, lessThanEqual(magnitude, vec3(0.04045)));
  float luminance = max(dot(sign(color) * light, vec3(0.2126, 0.7152, 0.0722)), 0.0);
  return luminance > 216.0 / 24389.0 ? 1.16 * pow(luminance, 1.0 / 3.0) - 0.16 : 243.89 / 27.0 * luminance;
}

float tone(vec3 color) {
  switch (definition) {
    case 1: return dot(color, vec3(0.299, 0.587, 0.114));
    case 2: return dot(color, vec3(0.2627, 0.6780, 0.0593));
    case 3: return lightness(color);
    case 4: return (color.r + color.g + color.b) / 3.0;
    case 5: return max(color.r, max(color.g, color.b));
    case 6: return min(color.r, min(color.g, color.b));
    default: return dot(color, vec3(0.2126, 0.7152, 0.0722));
  }
}

vec4 colorKernel(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  return vec4(vec3(tone(straight) * color.a), color.a);
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows a picture as if a color in it were white, or as white would look under a light.",
  "CREDIT": "The adaptation is Bradford's, as in ISO 15076-1 (ICC), Annex E.",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "linear" },
    { "NAME": "from", "TYPE": "color", "LABEL": "From", "MIN": 0, "MAX": 1, "DEFAULT": [1, 0.9, 0.78, 1], "IDENTITY": [1, 1, 1, 1],
      "HELP": "A color of the picture that should be white, such as that of paper." },
    { "NAME": "to", "TYPE": "color", "LABEL": "To", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1], "IDENTITY": [1, 1, 1, 1],
      "HELP": "What it becomes." }
  ]
}*/

// Light of sRGB's primaries as the cones of Bradford's observer see it, and back.
const mat3 cones = mat3(0.422658, 0.0556908, 0.0213792, 0.4913566, 0.9615562, 0.0876439, 0.0273645, 0.0231894, 0.9807434);
const mat3 light = mat3(2.538448, -0.1460004, -0.0422884, -1.2934826, 1.1166224, -0.0715901, -0.0402432, -0.0223285, 1.0225073);

/// What the cones see of a color; only its tint counts, so that it is made as light as white.
vec3 tint(vec3 color) {
  vec3 decoded = mix(pow((color + 0.055) / 1.055, vec3(2.4)), color / 12.92, lessThanEqual(color, vec3(0.04045)));
  float luminance = dot(decoded, vec3(0.2126, 0.7152, 0.0722));
  return luminance > 1e-4 ? max(cones * decoded / luminance, 0.01) : vec3(1.0);
}

vec4 colorKernel(vec4 color) {
  vec3 ratio = tint(to.rgb) / tint(from.rgb);
  return vec4(light * (ratio * (cones * color.rgb)), color.a);
}

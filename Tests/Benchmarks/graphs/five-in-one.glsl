/*{
  "ETALON": 1,
  "DESCRIPTION": "hue-rotate, saturation, brightness-contrast, gamma and vignette by hand, as a measure for fusion.",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "angle", "TYPE": "angle", "DEFAULT": 90 },
    { "NAME": "saturation", "TYPE": "float", "DEFAULT": 1.5 },
    { "NAME": "brightness", "TYPE": "float", "DEFAULT": 0 },
    { "NAME": "contrast", "TYPE": "float", "DEFAULT": 1.25 },
    { "NAME": "gamma", "TYPE": "float", "DEFAULT": 1.5 },
    { "NAME": "amount", "TYPE": "float", "DEFAULT": 0.5 },
    { "NAME": "radius", "TYPE": "float", "DEFAULT": 1 },
    { "NAME": "softness", "TYPE": "float", "DEFAULT": 0.5 },
    { "NAME": "roundness", "TYPE": "float", "DEFAULT": 0 },
    { "NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5] },
    { "NAME": "corner", "TYPE": "color", "DEFAULT": [0, 0, 0, 1] }
  ]
}*/

vec4 colorKernel(vec4 color) {
  float c = cos(radians(angle));
  float s = sin(radians(angle));
  mat3 rotation = mat3(
    0.213 + 0.787 * c - 0.213 * s, 0.213 - 0.213 * c + 0.143 * s, 0.213 - 0.213 * c - 0.787 * s,
    0.715 - 0.715 * c - 0.715 * s, 0.715 + 0.285 * c + 0.140 * s, 0.715 - 0.715 * c + 0.715 * s,
    0.072 - 0.072 * c + 0.928 * s, 0.072 - 0.072 * c - 0.283 * s, 0.072 + 0.928 * c + 0.072 * s);
  vec3 rgb = rotation * color.rgb;
  rgb = mix(vec3(dot(rgb, vec3(0.2126, 0.7152, 0.0722))), rgb, saturation);
  rgb = (rgb - 0.5 * color.a) * contrast + (0.5 + brightness) * color.a;
  vec3 straight = color.a > 0.0 ? rgb / color.a : vec3(0.0);
  rgb = sign(straight) * pow(abs(straight), vec3(1.0 / gamma)) * color.a;
  vec2 offset = POSITION - center * RENDERSIZE;
  float far = length(mix(2.0 * offset / RENDERSIZE, sqrt(8.0) * offset / length(RENDERSIZE), roundness));
  float width = max(softness, 1e-4);
  float shade = smoothstep(radius - width, radius + width, far) * amount * corner.a;
  return vec4(mix(rgb, corner.rgb * color.a, shade), color.a);
}

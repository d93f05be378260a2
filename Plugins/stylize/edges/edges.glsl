/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows how fast the colors of a picture change, after Sobel, Prewitt or Scharr: light lines on black where its edges are.",
  "CREDIT": "I. Sobel and G. Feldman, 1968; J. Prewitt, 1970; H. Scharr, 2000.",
  "CATEGORIES": ["stylize"], "ALIASES": ["sobel"],
  "REACH": 1,
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "intensity", "TYPE": "float", "LABEL": "Intensity", "MIN": 0, "MAX": 32, "DEFAULT": 2, "HELP": "How bright edges are; at 1 a change from black to white is white." },
    { "NAME": "operator", "TYPE": "long", "LABEL": "Operator", "VALUES": [0, 1, 2], "LABELS": ["sobel", "prewitt", "scharr"], "DEFAULT": 0,
      "HELP": "How the three pixels along an edge count: 1 2 1, 1 1 1, or 3 10 3, which is the same in all directions." },
    { "NAME": "channels", "TYPE": "long", "LABEL": "Channels", "VALUES": [0, 1], "LABELS": ["luma", "rgb"], "DEFAULT": 1, "HELP": "White edges, or those of each color." }
  ]
}*/

vec4 pixelAt(vec2 position, int x, int y) { return IMG_LOAD(inputImage, ivec2(position) + ivec2(x, y)); }

vec4 imageKernel(vec2 position) {
  vec3 weights = operator == 0 ? vec3(1.0, 2.0, 1.0) / 4.0 : operator == 1 ? vec3(1.0) / 3.0 : vec3(3.0, 10.0, 3.0) / 16.0;
  vec4 right = vec4(0.0);
  vec4 up = vec4(0.0);
  for (int i = -1; i <= 1; i++) {
    right += weights[i + 1] * (pixelAt(position, 1, i) - pixelAt(position, -1, i));
    up += weights[i + 1] * (pixelAt(position, i, 1) - pixelAt(position, i, -1));
  }
  vec3 change = sqrt(right.rgb * right.rgb + up.rgb * up.rgb);
  if (channels == 0) {
    vec2 slope = vec2(dot(right.rgb, vec3(0.2126, 0.7152, 0.0722)), dot(up.rgb, vec3(0.2126, 0.7152, 0.0722)));
    change = vec3(length(slope));
  }
  // The edges of a premultiplied picture are also those of its shape; nothing is lighter than the picture is opaque.
  float alpha = pixelAt(position, 0, 0).a;
  return vec4(min(intensity * change, 1.0) * alpha, alpha);
}

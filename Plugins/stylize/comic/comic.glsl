/*{
  "ETALON": 1,
  "DESCRIPTION": "Makes a picture look drawn: black lines, few tones, and dots in the shadows.",
  "CREDIT": "H. Winnemöller and others, Real-Time Video Abstraction, SIGGRAPH 2006: smooth, find lines, and step the tones.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "lines", "TYPE": "float", "LABEL": "Lines", "MIN": 0, "MAX": 4, "DEFAULT": 1, "HELP": "How easily lines are drawn." },
    { "NAME": "tones", "TYPE": "int", "LABEL": "Tones", "MIN": 2, "MAX": 32, "DEFAULT": 5, "HELP": "How many steps there are from black to white." },
    { "NAME": "dots", "TYPE": "float", "LABEL": "Dots", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "HELP": "How dark the dots in the shadows are." },
    { "NAME": "width", "TYPE": "float", "LABEL": "Width", "MIN": 2, "MAX": 256, "DEFAULT": 6, "UNIT": "px", "HELP": "How far dots are apart." },
    { "NAME": "color", "TYPE": "float", "LABEL": "Color", "MIN": 0, "MAX": 4, "DEFAULT": 1.3, "HELP": "How strong colors are: 0 is gray, 1 leaves them." }
  ],
  "PASSES": [
    { "KERNEL": "smoothen", "TARGET": "even", "FORMAT": "rgba32f", "REACH": 3 },
    { "KERNEL": "draw", "REACH": 1 }
  ]
}*/

float luma(vec3 color) { return dot(color, vec3(0.2126, 0.7152, 0.0722)); }

/// The mean of the pixels around that have about the same color.
vec4 smoothen(vec2 position) {
  vec4 middle = IMG_LOAD(inputImage, ivec2(position));
  vec4 sum = vec4(0.0);
  float weights = 0.0;
  for (int y = -3; y <= 3; y++) {
    for (int x = -3; x <= 3; x++) {
      vec4 color = IMG_LOAD(inputImage, ivec2(position) + ivec2(x, y));
      vec4 other = color - middle;
      float weight = exp(-float(x * x + y * y) / 6.0 - min(dot(other, other) / 0.03, 60.0));
      sum += weight * color;
      weights += weight;
    }
  }
  return sum / weights;
}

float lumaAt(vec2 position, int x, int y) { return luma(IMG_LOAD(even, ivec2(position) + ivec2(x, y)).rgb); }

vec4 draw(vec2 position) {
  vec4 pixel = IMG_THIS_PIXEL(even);
  vec3 straight = pixel.a > 0.0 ? clamp(pixel.rgb / pixel.a, 0.0, 1.0) : vec3(0.0);
  // Tones have soft steps, and colors go with them.
  float light = luma(straight);
  float step = light * float(tones);
  float tone = (floor(step) + smoothstep(0.35, 0.65, fract(step))) / float(tones);
  vec3 flatColor = clamp(mix(vec3(tone), straight * (tone / max(light, 1e-3)), color), 0.0, 1.0);
  float right = lumaAt(position, 1, 1) + 2.0 * lumaAt(position, 1, 0) + lumaAt(position, 1, -1) -
    lumaAt(position, -1, 1) - 2.0 * lumaAt(position, -1, 0) - lumaAt(position, -1, -1);
  float up = lumaAt(position, 1, 1) + 2.0 * lumaAt(position, 0, 1) + lumaAt(position, -1, 1) -
    lumaAt(position, 1, -1) - 2.0 * lumaAt(position, 0, -1) - lumaAt(position, -1, -1);
  float line = smoothstep(0.35, 0.9, lines * length(vec2(right, up)));
  // Dots lie in rows of 45 degrees, and grow as the picture gets darker.
  vec2 place = mat2(0.70710678, -0.70710678, 0.70710678, 0.70710678) * position / width;
  float far = 2.0 * length(place - floor(place) - 0.5);
  float dark = sqrt(max(0.6 - 1.6 * light, 0.0)) * 1.2;
  float dot = clamp((dark - far) * 0.5 * width + 0.5, 0.0, 1.0) * float(dark > 0.0);
  vec3 drawn = flatColor * (1.0 - dots * dot) * (1.0 - line);
  return vec4(drawn * pixel.a, pixel.a);
}

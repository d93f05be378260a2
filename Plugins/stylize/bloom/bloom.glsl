/*{
  "ETALON": 1,
  "DESCRIPTION": "Lets what is bright shine over its surroundings, as in a lens and in an eye.",
  "CREDIT": "G. Spencer and others, Physically-Based Glare Effects for Digital Images, SIGGRAPH 1995: light that is scattered is added.",
  "CATEGORIES": ["stylize"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "linear" },
    { "NAME": "intensity", "TYPE": "float", "LABEL": "Intensity", "MIN": 0, "MAX": 8, "DEFAULT": 0.8, "IDENTITY": 0, "HELP": "How much light is scattered." },
    { "NAME": "sigma", "TYPE": "float", "LABEL": "Sigma", "MIN": 0.5, "MAX": 500, "DEFAULT": 12, "UNIT": "px", "HELP": "The standard deviation of the bell that light is spread with." },
    { "NAME": "threshold", "TYPE": "float", "LABEL": "Threshold", "MIN": 0, "MAX": 4, "DEFAULT": 0.4, "HELP": "The light above which things shine: 1 is that of white, 0.21 that of the gray in the middle." }
  ],
  "PASSES": [
    { "KERNEL": "gather", "TARGET": "light", "FORMAT": "rgba32f", "REACH": 1.5,
      "WIDTH": "ceil(width / max(floor(sigma / 6.0), 1.0))", "HEIGHT": "ceil(height / max(floor(sigma / 6.0), 1.0))" },
    { "KERNEL": "spreadWidth", "TARGET": "wide", "FORMAT": "rgba32f", "REACH": ["sigma < 12.0 ? ceil(3.0 * sigma) : 28.0", 0],
      "WIDTH": "ceil(width / max(floor(sigma / 6.0), 1.0))", "HEIGHT": "ceil(height / max(floor(sigma / 6.0), 1.0))" },
    { "KERNEL": "spreadHeight", "TARGET": "spread", "FORMAT": "rgba32f", "REACH": [0, "sigma < 12.0 ? ceil(3.0 * sigma) : 28.0"],
      "WIDTH": "ceil(width / max(floor(sigma / 6.0), 1.0))", "HEIGHT": "ceil(height / max(floor(sigma / 6.0), 1.0))" },
    { "KERNEL": "shine", "REACH": "1.5 * max(floor(sigma / 6.0), 1.0)" }
  ]
}*/

/// The light above the threshold, of a picture that is smaller: the mean of the pixels that become one.
vec4 gather(vec2 position) {
  vec2 ratio = IMG_SIZE(inputImage) / RENDERSIZE;
  ivec2 count = ivec2(ceil(ratio));
  vec4 sum = vec4(0.0);
  for (int y = 0; y < count.y; y++) {
    for (int x = 0; x < count.x; x++) {
      vec4 color = IMG_PIXEL(inputImage, (position - 0.5 + (vec2(x, y) + 0.5) / vec2(count)) * ratio);
      float brightest = max(color.r, max(color.g, color.b));
      sum.rgb += color.rgb * (max(brightest - threshold, 0.0) / max(brightest, 1e-6));
    }
  }
  return sum / float(count.x * count.y);
}

/// The mean along a line, weighted with a bell. The smaller picture, and making it large again, blur by a quarter of its pixel, which the bell leaves out.
vec4 bell(sampler2D image, vec2 position, vec2 direction) {
  float cell = max(floor(sigma / 6.0), 1.0);
  float variance = (sigma / cell) * (sigma / cell) - (cell > 1.0 ? 0.25 : 0.0);
  int radius = int(ceil(3.0 * sigma / cell));
  vec4 sum = vec4(0.0);
  float weights = 0.0;
  for (int i = -radius; i <= radius; i++) {
    float weight = exp(-0.5 * float(i * i) / variance);
    sum += weight * IMG_LOAD(image, ivec2(position + float(i) * direction));
    weights += weight;
  }
  return sum / weights;
}

vec4 spreadWidth(vec2 position) { return bell(light, position, vec2(1.0, 0.0)); }

vec4 spreadHeight(vec2 position) { return bell(wide, position, vec2(0.0, 1.0)); }

vec4 shine(vec2 position) {
  vec4 picture = IMG_THIS_PIXEL(inputImage);
  vec3 color = picture.rgb + intensity * IMG_NORM_PIXEL(spread, position / RENDERSIZE).rgb;
  // Light shows in front of nothing, too.
  return vec4(color, max(picture.a, min(max(color.r, max(color.g, color.b)), 1.0)));
}

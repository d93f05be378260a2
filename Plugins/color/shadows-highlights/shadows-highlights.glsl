/*{
  "ETALON": 1,
  "DESCRIPTION": "Brings out what is hidden in the shadows and the highlights of a picture, and keeps its detail.",
  "CREDIT": "The parts are told from the detail with K. He and others' guided filter (2010, 2015).",
  "CATEGORIES": ["color"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest", "SPACE": "encoded" },
    { "NAME": "shadows", "TYPE": "float", "LABEL": "Shadows", "MIN": -1, "MAX": 1, "DEFAULT": 0.5, "IDENTITY": 0,
      "HELP": "How much lighter dark parts get; below 0 they get darker." },
    { "NAME": "highlights", "TYPE": "float", "LABEL": "Highlights", "MIN": -1, "MAX": 1, "DEFAULT": 0.3, "IDENTITY": 0,
      "HELP": "How much darker light parts get; below 0 they get lighter." },
    { "NAME": "radius", "TYPE": "int", "LABEL": "Radius", "MIN": 4, "MAX": 500, "DEFAULT": 24, "UNIT": "px",
      "HELP": "The size of what counts as a part: all that is smaller is detail." }
  ],
  "PASSES": [
    { "KERNEL": "shrink", "TARGET": "low", "FORMAT": "rg32f", "WIDTH": "ceil(4.0 * width / radius)", "HEIGHT": "ceil(4.0 * height / radius)" },
    { "KERNEL": "addColumns", "TARGET": "columns", "FORMAT": "rg32f", "WIDTH": "ceil(4.0 * width / radius)", "HEIGHT": "ceil(4.0 * height / radius)" },
    { "KERNEL": "findLine", "TARGET": "lines", "FORMAT": "rg32f", "WIDTH": "ceil(4.0 * width / radius)", "HEIGHT": "ceil(4.0 * height / radius)" },
    { "KERNEL": "addLines", "TARGET": "lineColumns", "FORMAT": "rg32f", "WIDTH": "ceil(4.0 * width / radius)", "HEIGHT": "ceil(4.0 * height / radius)" },
    { "KERNEL": "meanLine", "TARGET": "smoothLines", "FORMAT": "rg32f", "WIDTH": "ceil(4.0 * width / radius)", "HEIGHT": "ceil(4.0 * height / radius)" },
    { "KERNEL": "apply" }
  ]
}*/

// In a picture of a quarter of the radius, the luma of each part is a line through the luma of the picture: luma * gain + offset.

/// How far detail goes from the part it is in, as a variance.
const float epsilon = 0.01;

float luma(vec4 color) { return color.a > 0.0 ? clamp(dot(color.rgb, vec3(0.2126, 0.7152, 0.0722)) / color.a, 0.0, 1.0) : 0.0; }

/// The mean of nine pixels of a line; beyond the edges the last ones go on.
vec2 mean(sampler2D image, vec2 position, ivec2 direction) {
  vec2 sum = vec2(0.0);
  for (int i = -4; i <= 4; i++) sum += texelFetch(image, clamp(ivec2(position) + i * direction, ivec2(0), textureSize(image, 0) - 1), 0).rg;
  return sum / 9.0;
}

/// The mean luma of the pixels that a pixel of the small picture has, and its square.
vec4 shrink(vec2 position) {
  vec2 scale = IMG_SIZE(inputImage) / RENDERSIZE;
  ivec2 first = ivec2((position - 0.5) * scale);
  ivec2 end = max(ivec2((position + 0.5) * scale), first + 1);
  float sum = 0.0;
  for (int y = first.y; y < end.y; y++) {
    for (int x = first.x; x < end.x; x++) sum += luma(texelFetch(inputImage, ivec2(x, y), 0));
  }
  float middle = sum / float((end.x - first.x) * (end.y - first.y));
  return vec4(middle, middle * middle, 0.0, 0.0);
}

vec4 addColumns(vec2 position) { return vec4(mean(low, position, ivec2(0, 1)), 0.0, 0.0); }

/// The gain and the offset of the square around a pixel.
vec4 findLine(vec2 position) {
  vec2 moments = mean(columns, position, ivec2(1, 0));
  float variance = max(moments.y - moments.x * moments.x, 0.0);
  float gain = variance / (variance + epsilon);
  return vec4(gain, moments.x * (1.0 - gain), 0.0, 0.0);
}

vec4 addLines(vec2 position) { return vec4(mean(lines, position, ivec2(0, 1)), 0.0, 0.0); }

vec4 meanLine(vec2 position) { return vec4(mean(lineColumns, position, ivec2(1, 0)), 0.0, 0.0); }

/// The tone that a part gets: dark ones move along a power of their light, light ones along a power of their darkness.
float moved(float tone) {
  float lighter = pow(tone, exp2(-1.5 * shadows * (1.0 - tone) * (1.0 - tone)));
  return 1.0 - pow(1.0 - lighter, exp2(-1.5 * highlights * lighter * lighter));
}

vec4 apply(vec2 position) {
  vec4 own = texelFetch(inputImage, ivec2(position), 0);
  vec2 line = IMG_PIXEL(smoothLines, position / RENDERSIZE * IMG_SIZE(smoothLines)).rg;
  float part = clamp(luma(own) * line.x + line.y, 0.0, 1.0);
  // Noise of the deepest shadows is made no more than eight times as strong.
  float ratio = part > 0.0 ? min(moved(part) / part, 8.0) : 1.0;
  return vec4(own.rgb * ratio, own.a);
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "Draws which levels of red, green and blue the columns of a picture have, side by side.",
  "CATEGORIES": ["analysis"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "gain", "TYPE": "float", "LABEL": "Gain", "MIN": 0.1, "MAX": 100, "DEFAULT": 2, "HELP": "How bright the traces are." },
    { "NAME": "shade", "TYPE": "float", "LABEL": "Shade", "MIN": 0, "MAX": 1, "DEFAULT": 1, "HELP": "How dark the picture is behind them." }
  ],
  "BUFFERS": [
    { "NAME": "counts", "TYPE": "uint", "COUNT": "256.0 * width" }
  ],
  "PASSES": [
    { "KERNEL": "count", "LOCAL_SIZE": [16, 16], "WRITES": [], "DESCRIPTION": "counts the levels of each column" },
    { "KERNEL": "draw" }
  ]
}*/

const int levels = 256;

/// Where a third of the result begins.
int start(int channel) { return channel * int(RENDERSIZE.x) / 3; }

int bin(int level, int column) { return level * int(RENDERSIZE.x) + column; }

void count(ivec2 position) {
  if (!IMG_INSIDE(inputImage, position)) return;
  vec4 color = IMG_LOAD(inputImage, position);
  if (color.a <= 0.0) return;
  ivec3 level = ivec3(clamp(color.rgb / color.a, 0.0, 1.0) * float(levels - 1) + 0.5);
  for (int channel = 0; channel < 3; channel++) {
    int width = start(channel + 1) - start(channel);
    int column = start(channel) + int((float(position.x) + 0.5) / IMG_SIZE(inputImage).x * float(width));
    atomicAdd(counts[bin(level[channel], min(column, int(RENDERSIZE.x) - 1))], 1u);
  }
}

/// How bright the trace is at a position: by the levels that the row of pixels shows, at least one.
float trace(vec2 position) {
  int low = clamp(int(floor((position.y - 0.5) / RENDERSIZE.y * float(levels))), 0, levels - 1);
  int high = clamp(int(floor((position.y + 0.5) / RENDERSIZE.y * float(levels))), low + 1, levels);
  float sum = 0.0;
  for (int level = low; level < high; level++) sum += float(counts[bin(level, int(position.x))]);
  // A column of the result has the pixels of about three of the picture.
  float pixels = float(high - low) * IMG_SIZE(inputImage).y * 3.0 * IMG_SIZE(inputImage).x / RENDERSIZE.x;
  return 1.0 - exp(-gain * 16.0 * sum / pixels);
}

vec4 draw(vec2 position) {
  vec4 picture = IMG_THIS_PIXEL(inputImage);
  int column = int(position.x);
  vec3 tint = column < start(1) ? vec3(1.0, 0.3, 0.25) : column < start(2) ? vec3(0.3, 1.0, 0.35) : vec3(0.35, 0.5, 1.0);
  vec3 light = tint * trace(position);
  // Lines at a quarter, a half and three quarters of the range.
  float quarter = position.y / RENDERSIZE.y * 4.0;
  if (abs(quarter - round(quarter)) < 2.0 / RENDERSIZE.y) light = max(light, vec3(0.2));
  vec3 behind = picture.rgb * (1.0 - shade);
  return vec4(behind + light * (1.0 - behind), mix(picture.a, 1.0, max(shade, max(light.r, max(light.g, light.b)))));
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "Draws which levels the columns of a picture have, as the waveform monitors of television do.",
  "CATEGORIES": ["analysis"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "channels", "TYPE": "long", "LABEL": "Channels", "VALUES": [0, 1], "LABELS": ["luma", "rgb"], "DEFAULT": 0,
      "HELP": "The Rec. 709 luma, or red, green and blue over each other." },
    { "NAME": "gain", "TYPE": "float", "LABEL": "Gain", "MIN": 0.1, "MAX": 100, "DEFAULT": 3, "HELP": "How bright the trace is." },
    { "NAME": "shade", "TYPE": "float", "LABEL": "Shade", "MIN": 0, "MAX": 1, "DEFAULT": 1, "HELP": "How dark the picture is behind it." }
  ],
  "BUFFERS": [
    { "NAME": "counts", "TYPE": "uint", "COUNT": "1024.0 * width" }
  ],
  "PASSES": [
    { "KERNEL": "count", "LOCAL_SIZE": [16, 16], "WRITES": [], "DESCRIPTION": "counts the levels of each column" },
    { "KERNEL": "draw" }
  ]
}*/

const int levels = 256;

/// Where the count of a level is: of red, green, blue or luma (0 to 3), in a column of the result.
int bin(int channel, int level, int column) { return (channel * levels + level) * int(RENDERSIZE.x) + column; }

void count(ivec2 position) {
  if (!IMG_INSIDE(inputImage, position)) return;
  vec4 color = IMG_LOAD(inputImage, position);
  if (color.a <= 0.0) return;
  vec3 straight = color.rgb / color.a;
  ivec4 level = ivec4(clamp(vec4(straight, dot(straight, vec3(0.2126, 0.7152, 0.0722))), 0.0, 1.0) * float(levels - 1) + 0.5);
  int column = int((float(position.x) + 0.5) / IMG_SIZE(inputImage).x * RENDERSIZE.x);
  for (int channel = channels == 0 ? 3 : 0; channel < (channels == 0 ? 4 : 3); channel++) atomicAdd(counts[bin(channel, level[channel], column)], 1u);
}

/// How bright the trace of a channel is at a position: by the levels that the row of pixels shows, at least one.
float trace(int channel, vec2 position) {
  int low = clamp(int(floor((position.y - 0.5) / RENDERSIZE.y * float(levels))), 0, levels - 1);
  int high = clamp(int(floor((position.y + 0.5) / RENDERSIZE.y * float(levels))), low + 1, levels);
  float sum = 0.0;
  for (int level = low; level < high; level++) sum += float(counts[bin(channel, level, int(position.x))]);
  return 1.0 - exp(-gain * 16.0 * sum / (float(high - low) * IMG_SIZE(inputImage).y));
}

vec4 draw(vec2 position) {
  vec4 picture = IMG_THIS_PIXEL(inputImage);
  vec3 light = vec3(0.0);
  if (channels == 0) light = vec3(0.6, 1.0, 0.7) * trace(3, position);
  else light = vec3(trace(0, position), trace(1, position), trace(2, position));
  // Lines at a quarter, a half and three quarters of the range.
  float quarter = position.y / RENDERSIZE.y * 4.0;
  if (abs(quarter - round(quarter)) < 2.0 / RENDERSIZE.y) light = max(light, vec3(0.2));
  vec3 behind = picture.rgb * (1.0 - shade);
  return vec4(behind + light * (1.0 - behind), mix(picture.a, 1.0, max(shade, max(light.r, max(light.g, light.b)))));
}

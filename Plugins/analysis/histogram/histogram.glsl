/*{
  "ETALON": 1,
  "DESCRIPTION": "Draws how often each level occurs in a picture over its lower part.",
  "CATEGORIES": ["analysis"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "SPACE": "encoded" },
    { "NAME": "channels", "TYPE": "long", "LABEL": "Channels", "VALUES": [0, 1], "LABELS": ["luma", "rgb"], "DEFAULT": 1 },
    { "NAME": "scale", "TYPE": "long", "LABEL": "Scale", "VALUES": [0, 1], "LABELS": ["linear", "logarithmic"], "DEFAULT": 0 },
    { "NAME": "height", "TYPE": "float", "LABEL": "Height", "MIN": 0.05, "MAX": 1, "DEFAULT": 0.4, "UNIT": "normalized",
      "HELP": "How much of the picture's height the panel takes." },
    { "NAME": "shade", "TYPE": "float", "LABEL": "Shade", "MIN": 0, "MAX": 1, "DEFAULT": 0.6,
      "HELP": "How dark the picture is behind the panel." }
  ],
  "BUFFERS": [
    { "NAME": "counts", "TYPE": "uint", "COUNT": 1024 },
    { "NAME": "peaks", "TYPE": "uint", "COUNT": 4 }
  ],
  "PASSES": [
    { "KERNEL": "count", "LOCAL_SIZE": [16, 16], "WRITES": [], "REACH": 0, "DESCRIPTION": "counts the levels of red, green, blue and luma" },
    { "KERNEL": "findPeaks", "LOCAL_SIZE": [256], "DISPATCH": [4], "WRITES": [], "DESCRIPTION": "finds the highest count of each of them" },
    { "KERNEL": "draw", "REACH": 0 }
  ]
}*/

const int levels = 256;

/// The counts of one workgroup, added to the others at its end, so that few workgroups wait for each other.
shared uint tile[4 * levels];

/// The levels of a color: red, green, blue, and Rec. 709 luma.
ivec4 levelsOf(vec4 color) {
  vec3 straight = color.a > 0.0 ? color.rgb / color.a : vec3(0.0);
  vec4 values = vec4(straight, dot(straight, vec3(0.2126, 0.7152, 0.0722)));
  return ivec4(clamp(values, 0.0, 1.0) * float(levels - 1) + 0.5);
}

void count(ivec2 position) {
  for (int channel = 0; channel < 4; channel++) tile[channel * levels + LOCAL_INDEX] = 0u;
  barrier();
  vec4 color = IMG_LOAD(inputImage, position);
  if (IMG_INSIDE(inputImage, position) && color.a > 0.0) {
    ivec4 level = levelsOf(color);
    for (int channel = 0; channel < 4; channel++) atomicAdd(tile[channel * levels + level[channel]], 1u);
  }
  barrier();
  for (int channel = 0; channel < 4; channel++) {
    int bin = channel * levels + LOCAL_INDEX;
    if (tile[bin] > 0u) atomicAdd(counts[bin], tile[bin]);
  }
}

/// One workgroup for each channel halves its counts until the highest is left.
void findPeaks(ivec2 position) {
  tile[LOCAL_INDEX] = counts[position.x];
  barrier();
  for (int span = levels / 2; span > 0; span /= 2) {
    if (LOCAL_INDEX < span) tile[LOCAL_INDEX] = max(tile[LOCAL_INDEX], tile[LOCAL_INDEX + span]);
    barrier();
  }
  if (LOCAL_INDEX == 0) peaks[position.x / levels] = tile[0];
}

/// How high a count stands in the panel, from 0 to 1.
float barHeight(uint count, uint peak) {
  if (scale == 1) return log2(1.0 + float(count)) / log2(1.0 + float(max(peak, 1u)));
  return float(count) / float(max(peak, 1u));
}

vec4 draw(vec2 position) {
  vec4 picture = IMG_THIS_PIXEL(inputImage);
  float place = position.y / (height * RENDERSIZE.y);
  if (place > 1.0) return picture;
  int level = clamp(int(position.x / RENDERSIZE.x * float(levels)), 0, levels - 1);
  vec3 bars;
  if (channels == 0) {
    bars = vec3(step(place, barHeight(counts[3 * levels + level], peaks[3])));
  } else {
    uint peak = max(peaks[0], max(peaks[1], peaks[2]));
    for (int channel = 0; channel < 3; channel++) bars[channel] = step(place, barHeight(counts[channel * levels + level], peak));
  }
  // The panel is opaque as far as it shades, so that it can be read over a transparent picture too.
  float cover = max(shade, max(bars.r, max(bars.g, bars.b)) * 0.9);
  return vec4(picture.rgb * (1.0 - cover) + bars * 0.9, picture.a * (1.0 - cover) + cover);
}

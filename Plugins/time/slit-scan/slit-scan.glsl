/*{
  "ETALON": 1,
  "DESCRIPTION": "Builds a picture of narrow strips, each of another moment: photo finish, stretched faces, frozen halves.",
  "CATEGORIES": ["time"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "mode", "TYPE": "long", "LABEL": "Mode", "VALUES": [0, 1], "LABELS": ["sweep", "finish"], "DEFAULT": 0,
      "HELP": "Whether a line goes over the picture and leaves it frozen behind it, or the strip at the slit is laid beside those of the frames before." },
    { "NAME": "speed", "TYPE": "float", "LABEL": "Speed", "MIN": 0.001, "MAX": 1, "DEFAULT": 0.01, "HELP": "How wide the strip of a frame is, as a fraction of the picture's side." },
    { "NAME": "slit", "TYPE": "float", "LABEL": "Slit", "MIN": 0, "MAX": 1, "DEFAULT": 0.5, "UNIT": "normalized", "HELP": "Where the slit of 'finish' is, as a fraction of the picture's side." },
    { "NAME": "upright", "TYPE": "bool", "LABEL": "Upright", "DEFAULT": true, "HELP": "Whether strips stand, from left to right, or lie, from bottom to top." },
    { "NAME": "line", "TYPE": "color", "LABEL": "Line", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 0.5], "HELP": "The color of the line that goes over the picture." }
  ],
  "PASSES": [
    { "KERNEL": "keep", "TARGET": "kept", "FORMAT": "rgba16f", "PERSISTENT": true },
    { "KERNEL": "show" }
  ]
}*/

/// A place along the axis that strips follow each other on, in pixels.
int along(vec2 position) { return int(upright ? position.x : position.y); }

/// Where the strip of a frame begins; when the picture is full, it begins again.
int begin(int frame, int side) {
  float rounds = fract(float(frame) * speed);
  return int(rounds * float(side));
}

/// Whether a place lies in the strip of this frame.
bool isStrip(int place, int side) {
  int first = begin(FRAMEINDEX, side);
  int next = begin(FRAMEINDEX + 1, side);
  return next >= first ? place >= first && place < next : place >= first || place < next;
}

vec4 keep(vec2 position) {
  int side = int(upright ? RENDERSIZE.x : RENDERSIZE.y);
  int place = along(position);
  ivec2 pixel = ivec2(position);
  if (FRAMEINDEX > 0 && !isStrip(place, side)) return IMG_LOAD(kept, pixel);
  if (mode == 0) return IMG_LOAD(inputImage, pixel);
  // At the first frame every strip is that of the slit.
  int from = int(slit * float(side - 1)) + (FRAMEINDEX > 0 ? place - begin(FRAMEINDEX, side) : 0);
  from = clamp(from, 0, side - 1);
  return IMG_LOAD(inputImage, upright ? ivec2(from, pixel.y) : ivec2(pixel.x, from));
}

vec4 show(vec2 position) {
  int side = int(upright ? RENDERSIZE.x : RENDERSIZE.y);
  int place = along(position);
  ivec2 pixel = ivec2(position);
  if (mode == 1) return IMG_LOAD(kept, pixel);
  // Ahead of the line the picture moves.
  int next = begin(FRAMEINDEX + 1, side);
  vec4 color = place > next ? IMG_LOAD(inputImage, pixel) : IMG_LOAD(kept, pixel);
  float shown = place == next ? line.a : 0.0;
  return color * (1.0 - shown) + vec4(line.rgb, 1.0) * shown;
}

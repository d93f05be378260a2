/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows frames from before again, each time weaker, as an echo repeats a sound.",
  "CATEGORIES": ["time"],
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest" },
    { "NAME": "delay", "TYPE": "int", "LABEL": "Delay", "MIN": 1, "MAX": 16, "DEFAULT": 4, "HELP": "How many frames later the picture comes again." },
    { "NAME": "decay", "TYPE": "float", "LABEL": "Decay", "MIN": 0, "MAX": 1, "DEFAULT": 0.6, "IDENTITY": 0, "HELP": "How strong each echo is beside the one before." },
    { "NAME": "mode", "TYPE": "long", "LABEL": "Mode", "VALUES": [0, 1, 2], "LABELS": ["lighten", "add", "behind"], "DEFAULT": 0,
      "HELP": "Whether echoes show where they are lighter, are added, or lie behind a picture that is transparent." }
  ],
  "PASSES": [
    { "KERNEL": "keep", "TARGET": "kept", "FORMAT": "rgba16f", "PERSISTENT": true, "WIDTH": "width * ceil(sqrt(float(delay)))", "HEIGHT": "height * ceil(sqrt(float(delay)))" },
    { "KERNEL": "show", "REACH": "all" }
  ]
}*/

// One picture with its echoes is what the frame shows, so that keeping what was shown 'delay' frames ago is enough for all echoes.
// The frames of the delay lie side by side in one target, and each of them is replaced when its turn comes.

int columns() { return int(ceil(sqrt(float(delay)))); }

/// The picture with its echoes.
vec4 echoed(ivec2 place, ivec2 size) {
  vec4 picture = IMG_LOAD(inputImage, place);
  if (FRAMEINDEX < delay) return picture;
  int slot = FRAMEINDEX % delay;
  vec4 before = decay * IMG_LOAD(kept, place + size * ivec2(slot % columns(), slot / columns()));
  if (mode == 0) return max(picture, before);
  if (mode == 1) return vec4(picture.rgb + before.rgb, min(picture.a + before.a, 1.0));
  return picture + before * (1.0 - picture.a);
}

vec4 keep(vec2 position) {
  ivec2 size = ivec2(RENDERSIZE) / columns();
  ivec2 tile = ivec2(position) / size;
  bool isTurn = tile.x + tile.y * columns() == FRAMEINDEX % delay;
  return isTurn ? echoed(ivec2(position) % size, size) : IMG_LOAD(kept, ivec2(position));
}

vec4 show(vec2 position) {
  int slot = FRAMEINDEX % delay;
  return IMG_LOAD(kept, ivec2(position) + ivec2(RENDERSIZE) * ivec2(slot % columns(), slot / columns()));
}

/*{
  "ETALON": 1,
  "DESCRIPTION": "A line around what is opaque, such as titles and stickers. The result is as much larger.",
  "CREDIT": "P. F. Felzenszwalb and D. P. Huttenlocher, Distance Transforms of Sampled Functions, 2012: distances in columns first, then in rows.",
  "CATEGORIES": ["stylize"],
  "EXTENT": "grow",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image", "ADDRESS": "transparent" },
    { "NAME": "width", "TYPE": "float", "LABEL": "Width", "MIN": 0, "MAX": 200, "DEFAULT": 4, "UNIT": "px", "HELP": "How wide the line is." },
    { "NAME": "softness", "TYPE": "float", "LABEL": "Softness", "MIN": 0, "MAX": 1, "DEFAULT": 0, "HELP": "From a sharp edge to a line that fades over its width." },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1] }
  ],
  "PASSES": [
    { "KERNEL": "lookInColumns", "TARGET": "columns", "FORMAT": "r32f", "REACH": [0, "ceil(width) + 1.0"] },
    { "KERNEL": "draw", "REACH": ["ceil(width) + 1.0", 0] }
  ]
}*/

const float nowhere = 1e6;

/// How far the next opaque pixel of the column is.
vec4 lookInColumns(vec2 position) {
  float nearest = nowhere;
  int reach = int(ceil(width)) + 1;
  for (int i = -reach; i <= reach; i++) {
    bool opaque = IMG_LOAD(inputImage, ivec2(floor(position)) + ivec2(0, i)).a >= 0.5;
    if (opaque) nearest = min(nearest, abs(float(i)));
  }
  return vec4(nearest);
}

vec4 draw(vec2 position) {
  float nearest = nowhere;
  int reach = int(ceil(width)) + 1;
  for (int i = -reach; i <= reach; i++) {
    if (IMG_INSIDE(columns, ivec2(floor(position)) + ivec2(i, 0))) {
      nearest = min(nearest, length(vec2(i, IMG_LOAD(columns, ivec2(floor(position)) + ivec2(i, 0)).r)));
    }
  }
  // From the edge of a pixel, half a pixel beyond its middle.
  float far = max(nearest - 0.5, 0.0);
  float line = clamp((width - far + 0.5) / (1.0 + softness * width), 0.0, 1.0) * float(width > 0.0) * color.a;
  vec4 picture = IMG_THIS_PIXEL(inputImage);
  return picture + vec4(color.rgb * line, line) * (1.0 - picture.a);
}

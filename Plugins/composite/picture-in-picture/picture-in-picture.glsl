/*{
  "ETALON": 1,
  "DESCRIPTION": "Shows a small picture in front of another one, with a frame and a shadow.",
  "CATEGORIES": ["composite"], "ALIASES": ["inset"],
  "EXTENT": "input",
  "INPUTS": [
    { "NAME": "backgroundImage", "TYPE": "image", "LABEL": "Background" },
    { "NAME": "inputImage", "TYPE": "image", "LABEL": "Picture", "ADDRESS": "clamp", "INTERPOLATION": "mipmap" },
    { "NAME": "center", "TYPE": "point2D", "LABEL": "Center", "MIN": -1, "MAX": 2, "DEFAULT": [0.78, 0.25], "UNIT": "normalized",
      "HELP": "Where the middle of the picture lies, as a fraction of the background's sides." },
    { "NAME": "scale", "TYPE": "float", "LABEL": "Scale", "MIN": 0.01, "MAX": 4, "DEFAULT": 0.35, "UNIT": "normalized",
      "HELP": "How wide the picture is, as a fraction of the background's width." },
    { "NAME": "angle", "TYPE": "angle", "LABEL": "Angle", "MIN": -360, "MAX": 360, "DEFAULT": 0, "UNIT": "deg", "HELP": "How far it turns counterclockwise." },
    { "NAME": "cornerRadius", "TYPE": "float", "LABEL": "Corner radius", "MIN": 0, "MAX": 1, "DEFAULT": 0.1,
      "HELP": "How round the corners are, from 0 to half of the shorter side at 1." },
    { "NAME": "border", "TYPE": "float", "LABEL": "Border", "MIN": 0, "MAX": 0.2, "DEFAULT": 0.012, "UNIT": "normalized",
      "HELP": "How wide the frame around the picture is, as a fraction of the picture's width." },
    { "NAME": "borderColor", "TYPE": "color", "LABEL": "Border color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1] },
    { "NAME": "shadow", "TYPE": "float", "LABEL": "Shadow", "MIN": 0, "MAX": 1, "DEFAULT": 0.4, "HELP": "How dark the shadow behind the picture is." },
    { "NAME": "opacity", "TYPE": "float", "LABEL": "Opacity", "MIN": 0, "MAX": 1, "DEFAULT": 1, "HELP": "How much of picture, frame and shadow shows." }
  ]
}*/

/// How far a place is outside of a rectangle with round corners around the origin; below 0 inside.
float distanceFrom(vec2 place, vec2 halfSize, float round) {
  vec2 corner = abs(place) - halfSize + round;
  return length(max(corner, 0.0)) + min(max(corner.x, corner.y), 0.0) - round;
}

vec4 imageKernel(vec2 position) {
  vec4 background = IMG_THIS_PIXEL(backgroundImage);
  vec2 size = IMG_SIZE(inputImage);
  float width = scale * RENDERSIZE.x;
  vec2 halfSize = 0.5 * vec2(width, width * size.y / size.x);
  vec2 offset = position - center * RENDERSIZE;
  float c = cos(radians(angle));
  float s = sin(radians(angle));
  vec2 place = vec2(c * offset.x + s * offset.y, c * offset.y - s * offset.x);
  float round = cornerRadius * min(halfSize.x, halfSize.y);
  float frame = border * width;
  // Several pixels of the picture become one: a level of the mipmaps that has about one for each.
  float level = log2(max(size.x / max(width, 1.0), 1.0));
  vec4 picture = textureLod(inputImage, 0.5 + 0.5 * place / halfSize, level);
  float inside = clamp(0.5 - distanceFrom(place, halfSize, round), 0.0, 1.0);
  float rim = border > 0.0 ? clamp(0.5 - distanceFrom(place, halfSize + frame, round + frame), 0.0, 1.0) : 0.0;
  vec4 card = vec4(borderColor.rgb * borderColor.a, borderColor.a) * rim;
  // The frame ends where the picture begins, so that a transparent picture shows the background.
  card = mix(card, picture, inside);
  float soft = 0.04 * width;
  vec2 below = vec2(offset.x, offset.y + 0.5 * soft);
  below = vec2(c * below.x + s * below.y, c * below.y - s * below.x);
  float dark = shadow * (1.0 - smoothstep(-soft, soft, distanceFrom(below, halfSize + frame, round + frame)));
  vec4 behind = vec4(background.rgb * (1.0 - dark * opacity), background.a + (1.0 - background.a) * dark * opacity);
  return card * opacity + behind * (1.0 - card.a * opacity);
}

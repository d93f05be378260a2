/*{
  "ETALON": 1,
  "DESCRIPTION": "A text in letters of a font, or in letters that are drawn as strokes of any weight.",
  "CATEGORIES": ["generate"], "ALIASES": ["title", "caption"],
  "INPUTS": [
    { "NAME": "text", "TYPE": "text", "LABEL": "Text", "LENGTH": 512, "DEFAULT": "Title", "FONT": "font",
      "CHARACTERS": ["U+0020-U+007E", "U+00A0-U+00FF", "U+2013-U+2014", "U+2018-U+201A", "U+201C-U+201E", "U+2022", "U+2026", "U+20AC"],
      "HELP": "What is written; line feeds begin a new line." },
    { "NAME": "font", "TYPE": "font", "LABEL": "Font", "HELP": "The font that the letters are drawn with; without one they are strokes." },
    { "NAME": "size", "TYPE": "float", "LABEL": "Size", "MIN": 1, "MAX": 4096, "DEFAULT": 96, "UNIT": "px",
      "HELP": "The size of the letters, which is the em of a font; capitals are about 0.7 of it high." },
    { "NAME": "weight", "TYPE": "float", "LABEL": "Weight", "MIN": 0, "MAX": 0.3, "DEFAULT": 0.08,
      "HELP": "How wide the strokes are, as a fraction of the size; letters of a font become bolder above 0.08 and thinner below." },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1] },
    { "NAME": "position", "TYPE": "point2D", "LABEL": "Position", "MIN": -4, "MAX": 4, "DEFAULT": [0.5, 0.5], "UNIT": "normalized",
      "HELP": "Where the text is, as a fraction of the picture's sides." },
    { "NAME": "alignment", "TYPE": "long", "LABEL": "Alignment", "VALUES": [0, 1, 2], "LABELS": ["left", "center", "right"], "DEFAULT": 1,
      "HELP": "Which end of the lines lies at the position." },
    { "NAME": "vertical", "TYPE": "long", "LABEL": "Vertical", "VALUES": [0, 1, 2], "LABELS": ["top", "middle", "bottom"], "DEFAULT": 1,
      "HELP": "What lies at the position: the top of the first line, the middle of the text, or the baseline of the last line." },
    { "NAME": "lineSpacing", "TYPE": "float", "LABEL": "Line spacing", "MIN": 0.5, "MAX": 4, "DEFAULT": 1.3,
      "HELP": "From one baseline to the next, in sizes." },
    { "NAME": "tracking", "TYPE": "float", "LABEL": "Tracking", "MIN": -0.1, "MAX": 2, "DEFAULT": 0,
      "HELP": "How much wider the space between letters is, in sizes." },
    { "NAME": "boxColor", "TYPE": "color", "LABEL": "Box", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 0], "HELP": "The color of a box behind the text." },
    { "NAME": "padding", "TYPE": "float", "LABEL": "Padding", "MIN": 0, "MAX": 2, "DEFAULT": 0.3, "HELP": "The space between the text and the edges of its box, in sizes." }
  ],
  "IMPORTED": { "strokes": { "PATH": "strokes.png", "INTERPOLATION": "nearest", "SPACE": "data", "ALPHA": "straight" } },
  "PASSES": [
    { "KERNEL": "arrange", "TARGET": "places", "FORMAT": "rgba32f", "WIDTH": 512, "HEIGHT": 3, "DESCRIPTION": "puts the characters into their places" },
    { "KERNEL": "draw" }
  ]
}*/

int characterAt(int index) { return text(index); }

#include "strokes.inc"

bool hasFont() { return FONT_LINES(font) != vec2(0.0); }

int glyphOf(int code) { return hasFont() ? FONT_GLYPH(font, code) : letterOf(code); }

float widthOf(int glyph) { return hasFont() ? 20.0 * FONT_ADVANCE(font, glyph) : advanceOf(glyph); }

/// What the glyphs of the text reach up and down from their baselines, and to the sides from their places.
vec3 glyphsAround() { return hasFont() ? texelFetch(places, ivec2(1, 2), 0).xyz : STROKES_AROUND; }

/// The same, out of the boxes of all characters; 'places' keeps it in the second pixel of row 2.
vec4 boxAround() {
  vec3 around = vec3(0.0);
  for (int i = 0; i < TEXT_LENGTH(text); i++) {
    int glyph = FONT_GLYPH(font, characterAt(i));
    vec4 box = 20.0 * FONT_BOX(font, glyph);
    around = max(around, vec3(box.w, -box.y, max(-box.x, box.z - widthOf(glyph))));
  }
  return vec4(around, 0.0);
}

/// Half of the default weight in units: with it the letters of a font are as bold as the font has them.
const float PLAIN = 0.8;

float glyphDistance(int glyph, vec2 p, float best, float reach) {
  if (!hasFont()) return letterDistance(glyph, p, best);
  return min(best, 20.0 * FONT_DISTANCE(font, glyph, 0.05 * p, 0.05 * (reach + PLAIN)));
}

float glyphCover(float away, float halfWidth, float size) {
  if (!hasFont()) return strokeCover(away, halfWidth);
  return clamp(0.5 + halfWidth - 0.05 * PLAIN * size - away, 0.0, 1.0);
}

/// A distance gives the coverage of a pixel that has one edge. Pixels of small letters have two, so they are divided.
int samplesOf(float size) { return hasFont() ? int(clamp(ceil(64.0 / size), 1.0, 4.0)) : 1; }

#include "layout.inc"

vec4 arrange(vec2 place) {
  if (ivec2(place) == ivec2(1, 2) && hasFont()) return boxAround();
  return placeOf(ivec2(place), TEXT_LENGTH(text), 20.0 * tracking, 0.5 * float(alignment));
}

vec4 draw(vec2 pixel) {
  return textColor(pixel - position * RENDERSIZE, size, weight, lineSpacing, 0.5 * float(vertical), color, boxColor, padding);
}

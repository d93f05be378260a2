/*{
  "ETALON": 1,
  "DESCRIPTION": "A text in letters that are drawn as strokes of any weight.",
  "CATEGORIES": ["generate"], "ALIASES": ["title", "caption"],
  "INPUTS": [
    { "NAME": "text", "TYPE": "text", "LABEL": "Text", "LENGTH": 512, "DEFAULT": "Title",
      "CHARACTERS": ["U+0020-U+007E", "U+00A0-U+00FF", "U+2013-U+2014", "U+2018-U+201A", "U+201C-U+201E", "U+2022", "U+2026", "U+20AC"],
      "HELP": "What is written; line feeds begin a new line." },
    { "NAME": "size", "TYPE": "float", "LABEL": "Size", "MIN": 1, "MAX": 4096, "DEFAULT": 96, "UNIT": "px",
      "HELP": "The size of the letters; capitals are 0.7 of it high." },
    { "NAME": "weight", "TYPE": "float", "LABEL": "Weight", "MIN": 0, "MAX": 0.3, "DEFAULT": 0.08, "HELP": "How wide the strokes are, as a fraction of the size." },
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

vec4 arrange(vec2 place) { return placeOf(ivec2(place), TEXT_LENGTH(text), 20.0 * tracking, 0.5 * float(alignment)); }

vec4 draw(vec2 pixel) {
  return textColor(pixel - position * RENDERSIZE, size, weight, lineSpacing, 0.5 * float(vertical), color, boxColor, padding);
}

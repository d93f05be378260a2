/*{
  "ETALON": 1,
  "DESCRIPTION": "The timecode of every frame (SMPTE ST 12-1), with drop-frame where the rate asks for it.",
  "CATEGORIES": ["generate"], "ALIASES": ["burn-in"],
  "INPUTS": [
    { "NAME": "hours", "TYPE": "int", "LABEL": "Hours", "MIN": 0, "MAX": 23, "DEFAULT": 0, "GROUP": "First frame", "HELP": "The timecode of the first frame." },
    { "NAME": "minutes", "TYPE": "int", "LABEL": "Minutes", "MIN": 0, "MAX": 59, "DEFAULT": 0, "GROUP": "First frame" },
    { "NAME": "seconds", "TYPE": "int", "LABEL": "Seconds", "MIN": 0, "MAX": 59, "DEFAULT": 0, "GROUP": "First frame" },
    { "NAME": "frames", "TYPE": "int", "LABEL": "Frames", "MIN": 0, "MAX": 119, "DEFAULT": 0, "GROUP": "First frame",
      "HELP": "Frames beyond the second; as many as a second has are a second more." },
    { "NAME": "counting", "TYPE": "long", "LABEL": "Counting", "VALUES": [0, 1], "LABELS": ["automatic", "non-drop"], "DEFAULT": 0,
      "HELP": "Drop-frame at 29.97, 59.94 and 119.88 frames a second, so that the numbers keep up with the clock, or all numbers." },
    { "NAME": "show", "TYPE": "long", "LABEL": "Show", "VALUES": [0, 1], "LABELS": ["timecode", "frames"], "DEFAULT": 0,
      "HELP": "Hours, minutes, seconds and frames, or how many frames they are." },
    { "NAME": "prefix", "TYPE": "text", "LABEL": "Prefix", "LENGTH": 64, "DEFAULT": "",
      "CHARACTERS": ["U+0020-U+007E", "U+00A0-U+00FF", "U+2013-U+2014", "U+2018-U+201A", "U+201C-U+201E", "U+2022", "U+2026", "U+20AC"],
      "HELP": "What is written in front of the numbers." },
    { "NAME": "size", "TYPE": "float", "LABEL": "Size", "MIN": 1, "MAX": 4096, "DEFAULT": 40, "UNIT": "px",
      "HELP": "The size of the digits; they are 0.7 of it high." },
    { "NAME": "weight", "TYPE": "float", "LABEL": "Weight", "MIN": 0, "MAX": 0.3, "DEFAULT": 0.09, "HELP": "How wide the strokes are, as a fraction of the size." },
    { "NAME": "color", "TYPE": "color", "LABEL": "Color", "MIN": 0, "MAX": 1, "DEFAULT": [1, 1, 1, 1] },
    { "NAME": "position", "TYPE": "point2D", "LABEL": "Position", "MIN": -4, "MAX": 4, "DEFAULT": [0.5, 0.06], "UNIT": "normalized",
      "HELP": "Where the baseline is, as a fraction of the picture's sides." },
    { "NAME": "alignment", "TYPE": "long", "LABEL": "Alignment", "VALUES": [0, 1, 2], "LABELS": ["left", "center", "right"], "DEFAULT": 1,
      "HELP": "Which end lies at the position." },
    { "NAME": "boxColor", "TYPE": "color", "LABEL": "Box", "MIN": 0, "MAX": 1, "DEFAULT": [0, 0, 0, 0.6], "HELP": "The color of the box behind the numbers." },
    { "NAME": "padding", "TYPE": "float", "LABEL": "Padding", "MIN": 0, "MAX": 2, "DEFAULT": 0.3, "HELP": "The space between the numbers and the edges of the box, in sizes." }
  ],
  "IMPORTED": { "strokes": { "PATH": "strokes.png", "INTERPOLATION": "nearest", "SPACE": "data", "ALPHA": "straight" } },
  "PASSES": [
    { "KERNEL": "arrange", "TARGET": "places", "FORMAT": "rgba32f", "WIDTH": 80, "HEIGHT": 3, "DESCRIPTION": "puts the characters into their places" },
    { "KERNEL": "draw" }
  ]
}*/

// The numbers of a second, of which drop-frame leaves the first ones out in every minute but each tenth.
int perSecond() { return max(int(floor(RATE + 0.5)), 1); }

int dropped() {
  int count = perSecond();
  bool isNTSC = abs(RATE * 1.001 - float(count)) < 1e-4 * float(count);
  return counting == 0 && isNTSC && count % 30 == 0 ? count / 15 : 0;
}

/// How many frames lie between midnight and this one.
int frameCount() {
  int all = 60 * hours + minutes;
  bool isLeftOut = minutes % 10 != 0 && seconds == 0 && frames < dropped();
  int start = (60 * all + seconds) * perSecond() + (isLeftOut ? dropped() : frames) - dropped() * (all - all / 10);
  return start + FRAMEINDEX;
}

/// The number of a frame with those before it that are left out; a day has 24 hours.
int numbered(int count) {
  int minute = 60 * perSecond() - dropped();
  int ten = 10 * minute + dropped();
  count %= 144 * ten;
  int tens = count / ten;
  int rest = count % ten;
  return count + dropped() * (9 * tens + max(rest - dropped(), 0) / minute);
}

int digit(int number, int place) {
  for (int i = 0; i < place; i++) number /= 10;
  return 0x30 + number % 10;
}

/// How many digits a number has, four at least.
int digitCount(int number) {
  int count = 4;
  for (int rest = number / 10000; rest > 0; rest /= 10) count++;
  return count;
}

int frameDigits() { return perSecond() > 100 ? 3 : 2; }

int numberLength() { return show == 1 ? digitCount(frameCount()) : 9 + frameDigits(); }

int characterAt(int index) {
  int place = index - TEXT_LENGTH(prefix);
  if (place < 0) return prefix(index);
  if (show == 1) return digit(frameCount(), numberLength() - 1 - place);
  int number = numbered(frameCount());
  int second = number / perSecond();
  if (place >= 9) return digit(number % perSecond(), numberLength() - 1 - place);
  if (place % 3 == 2) return place == 8 && dropped() > 0 ? 0x3b : 0x3a;
  int part = place < 3 ? second / 3600 : place < 6 ? second / 60 % 60 : second % 60;
  return digit(part, 1 - place % 3);
}

#include "strokes.inc"

int glyphOf(int code) { return letterOf(code); }

float widthOf(int glyph) { return advanceOf(glyph); }

vec3 glyphsAround() { return STROKES_AROUND; }

float glyphDistance(int glyph, vec2 p, float best, float reach) { return letterDistance(glyph, p, best); }

float glyphCover(float away, float halfWidth, float size) { return strokeCover(away, halfWidth); }

int samplesOf(float size) { return 1; }

#include "layout.inc"

vec4 arrange(vec2 place) { return placeOf(ivec2(place), TEXT_LENGTH(prefix) + numberLength(), 0.0, 0.5 * float(alignment)); }

vec4 draw(vec2 pixel) { return textColor(pixel - position * RENDERSIZE, size, weight, 1.0, 1.0, color, boxColor, padding); }

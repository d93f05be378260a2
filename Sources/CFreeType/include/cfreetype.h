// FreeType behind functions that answer with a result and a message. The library is opened at run time, so that everything else works without it.
#ifndef CFREETYPE_H
#define CFREETYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What was wrong, as a C string.
typedef struct {
  char text[200];
} cfreetype_message;

/// How a call ended.
typedef enum {
  CFREETYPE_DONE,
  CFREETYPE_NO_LIBRARY,
  /// The file is none that the library knows.
  CFREETYPE_UNKNOWN,
  /// It is a font, and has nothing that can be used here.
  CFREETYPE_UNSUPPORTED,
  CFREETYPE_DAMAGED,
  CFREETYPE_NO_MEMORY,
} cfreetype_result;

/// What a font says about all of its glyphs, in font units.
typedef struct {
  /// The names of the family and the style as UTF-8, cut off where they are longer.
  char family[128];
  char style[64];
  uint32_t units_per_em;
  int32_t ascender;
  int32_t descender;
  uint32_t glyph_count;
} cfreetype_header;

/// A line of two points, a quadratic curve of three, or a cubic one of four.
typedef struct {
  uint8_t point_count;
  float x[4];
  float y[4];
} cfreetype_segment;

/// A glyph in font units; the segments are there until the next call.
typedef struct {
  int32_t advance;
  size_t count;
  const cfreetype_segment *segments;
} cfreetype_glyph;

typedef struct cfreetype_font cfreetype_font;

/// Opens the first face of a font; `font` is for `cfreetype_close`, and the bytes have to stay until then.
cfreetype_result cfreetype_open(
    const uint8_t *bytes, size_t count, cfreetype_font **font, cfreetype_header *header, cfreetype_message *message);

/// The next code point of the font's Unicode character map, in rising order, and its glyph; false behind the last one.
bool cfreetype_next_code(cfreetype_font *font, uint32_t *code, uint32_t *glyph);

/// Reads a glyph without hints.
cfreetype_result cfreetype_read_glyph(cfreetype_font *font, uint32_t index, cfreetype_glyph *glyph, cfreetype_message *message);

/// Closes what `cfreetype_open` opened.
void cfreetype_close(cfreetype_font *font);

#endif

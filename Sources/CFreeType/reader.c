#include "freetype.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The most memory that FreeType gets for one font: damaged ones ask for as much as their numbers say.
static const size_t most_memory = (size_t)256 << 20;

struct cfreetype_font {
  const EtalonFreeType *freetype;
  FT_MemoryRec memory;
  FT_Library library;
  FT_Face face;
  size_t used;
  unsigned long code;
  bool has_begun;
  cfreetype_segment *segments;
  size_t count, capacity;
  FT_Vector pen;
};

// MARK: memory

/// Stands in front of every block, whose alignment it keeps.
typedef union {
  size_t size;
  max_align_t alignment;
} block_head;

static void *take(FT_MemoryRec *memory, long size) {
  cfreetype_font *font = memory->user;
  if (size < 0 || (size_t)size > most_memory - font->used) return NULL;
  block_head *head = malloc(sizeof *head + (size_t)size);
  if (!head) return NULL;
  head->size = (size_t)size;
  font->used += (size_t)size;
  return head + 1;
}

static void give(FT_MemoryRec *memory, void *block) {
  if (!block) return;
  cfreetype_font *font = memory->user;
  block_head *head = (block_head *)block - 1;
  font->used -= head->size;
  free(head);
}

static void *change(FT_MemoryRec *memory, long from, long to, void *block) {
  void *changed = take(memory, to);
  if (!changed) return NULL;
  if (block) memcpy(changed, block, (size_t)(from < to ? from : to));
  give(memory, block);
  return changed;
}

// MARK: errors

static cfreetype_result fail(int error, cfreetype_message *message) {
  int code = error & 0xFF;
  const char *text = code == 0x02   ? "it is of no format that the library knows"
                     : code == 0x40 ? "it needs too much memory"
                     : code == 0x03 || code == 0x08 || code >= 0x93 ? "one of its tables makes no sense"
                     : code == 0x09 ? "one of its tables lies outside of the file"
                     : code == 0x0A ? "one of its tables is too large"
                     : code == 0x07 ? "it uses what the library does not know"
                     : code == 0x10 ? "it has no such glyph"
                     : code == 0x14 ? "an outline makes no sense"
                     : code == 0x15 ? "a glyph is made of itself"
                     : code >= 0x8E && code <= 0x92 ? "a table is missing"
                     : code >= 0x51 && code <= 0x58 ? "the file ends too early"
                                                    : NULL;
  if (text) {
    snprintf(message->text, sizeof message->text, "%s", text);
  } else {
    snprintf(message->text, sizeof message->text, "error 0x%02X of the library", code);
  }
  return code == 0x02 ? CFREETYPE_UNKNOWN : code == 0x40 ? CFREETYPE_NO_MEMORY : CFREETYPE_DAMAGED;
}

static cfreetype_result refuse(cfreetype_message *message, const char *text) {
  snprintf(message->text, sizeof message->text, "%s", text);
  return CFREETYPE_UNSUPPORTED;
}

// MARK: opening

cfreetype_result cfreetype_open(
    const uint8_t *bytes, size_t count, cfreetype_font **out, cfreetype_header *header, cfreetype_message *message) {
  memset(message, 0, sizeof *message);
  memset(header, 0, sizeof *header);
  *out = NULL;
  const EtalonFreeType *freetype = etalon_freetype(message);
  if (!freetype) return CFREETYPE_NO_LIBRARY;
  cfreetype_font *font = calloc(1, sizeof *font);
  if (!font) return fail(0x40, message);
  *out = font;
  font->freetype = freetype;
  font->memory = (FT_MemoryRec){.user = font, .alloc = take, .free = give, .realloc = change};
  int error = freetype->FT_New_Library(&font->memory, &font->library);
  if (error) return fail(error, message);
  freetype->FT_Add_Default_Modules(font->library);
  error = freetype->FT_New_Memory_Face(font->library, bytes, (long)count, 0, &font->face);
  if (error) return fail(error, message);
  FT_Face face = font->face;
  if (!(face->face_flags & FT_FACE_FLAG_SCALABLE)) return refuse(message, "its glyphs are bitmaps, without outlines");
  if (face->units_per_EM == 0) return fail(0x03, message);
  if (freetype->FT_Select_Charmap(face, FT_ENCODING_UNICODE)) return refuse(message, "it has no Unicode character map");
  snprintf(header->family, sizeof header->family, "%s", face->family_name ? face->family_name : "");
  snprintf(header->style, sizeof header->style, "%s", face->style_name ? face->style_name : "");
  header->units_per_em = face->units_per_EM;
  header->ascender = face->ascender;
  header->descender = face->descender;
  header->glyph_count = face->num_glyphs > 0 ? (uint32_t)face->num_glyphs : 0;
  return CFREETYPE_DONE;
}

void cfreetype_close(cfreetype_font *font) {
  if (!font) return;
  if (font->face) font->freetype->FT_Done_Face(font->face);
  if (font->library) font->freetype->FT_Done_Library(font->library);
  free(font->segments);
  free(font);
}

bool cfreetype_next_code(cfreetype_font *font, uint32_t *code, uint32_t *glyph) {
  unsigned index = 0;
  unsigned long next = font->has_begun ? font->freetype->FT_Get_Next_Char(font->face, font->code, &index)
                                       : font->freetype->FT_Get_First_Char(font->face, &index);
  // A damaged map may go back, or beyond what Unicode has.
  if (index == 0 || next > 0x10FFFF || (font->has_begun && next <= font->code)) return false;
  font->has_begun = true;
  font->code = next;
  *code = (uint32_t)next;
  *glyph = index;
  return true;
}

// MARK: outlines

/// Twice the font units, so that the points which TrueType leaves out have whole numbers.
static float half(long number) { return 0.5f * (float)number; }

static int add(cfreetype_font *font, uint8_t point_count, const FT_Vector *const points[3]) {
  if (font->count == font->capacity) {
    size_t capacity = font->capacity ? 2 * font->capacity : 256;
    cfreetype_segment *segments = realloc(font->segments, capacity * sizeof *segments);
    if (!segments) return 0x40;
    font->segments = segments;
    font->capacity = capacity;
  }
  cfreetype_segment *segment = &font->segments[font->count++];
  memset(segment, 0, sizeof *segment);
  segment->point_count = point_count;
  segment->x[0] = half(font->pen.x);
  segment->y[0] = half(font->pen.y);
  for (int point = 1; point < point_count; point++) {
    segment->x[point] = half(points[point - 1]->x);
    segment->y[point] = half(points[point - 1]->y);
  }
  font->pen = *points[point_count - 2];
  return 0;
}

static int move_to(const FT_Vector *to, void *user) {
  ((cfreetype_font *)user)->pen = *to;
  return 0;
}

static int line_to(const FT_Vector *to, void *user) { return add(user, 2, (const FT_Vector *const[3]){to}); }

static int conic_to(const FT_Vector *control, const FT_Vector *to, void *user) {
  return add(user, 3, (const FT_Vector *const[3]){control, to});
}

static int cubic_to(const FT_Vector *control1, const FT_Vector *control2, const FT_Vector *to, void *user) {
  return add(user, 4, (const FT_Vector *const[3]){control1, control2, to});
}

cfreetype_result cfreetype_read_glyph(cfreetype_font *font, uint32_t index, cfreetype_glyph *glyph, cfreetype_message *message) {
  memset(glyph, 0, sizeof *glyph);
  memset(message, 0, sizeof *message);
  int flags = FT_LOAD_NO_SCALE | FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP | FT_LOAD_IGNORE_TRANSFORM;
  int error = font->freetype->FT_Load_Glyph(font->face, index, flags);
  if (error) return fail(error, message);
  FT_GlyphSlotRec *slot = font->face->glyph;
  if (slot->format != FT_GLYPH_FORMAT_OUTLINE) return refuse(message, "one of its glyphs is a picture, without an outline");
  static const FT_Outline_Funcs walk = {move_to, line_to, conic_to, cubic_to, 1, 0};
  font->count = 0;
  error = font->freetype->FT_Outline_Decompose(&slot->outline, &walk, font);
  if (error) return fail(error, message);
  glyph->advance = (int32_t)slot->metrics.horiAdvance;
  glyph->count = font->count;
  glyph->segments = font->segments;
  return CFREETYPE_DONE;
}

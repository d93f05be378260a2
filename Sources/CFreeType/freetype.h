// What is called of FreeType, and the parts of its structures that are read. They are the same in all versions whose library is called libfreetype.so.6,
// so that a build needs none of its headers.
#ifndef ETALON_FREETYPE_H
#define ETALON_FREETYPE_H

#include "cfreetype.h"

typedef struct FT_LibraryRec_ *FT_Library;
typedef struct FT_FaceRec_ *FT_Face;

typedef struct {
  long x, y;
} FT_Vector;

typedef struct {
  void *data;
  void (*finalizer)(void *);
} FT_Generic;

typedef struct {
  short n_contours, n_points;
  FT_Vector *points;
  char *tags;
  short *contours;
  int flags;
} FT_Outline;

/// The fields up to the outline.
typedef struct {
  FT_Library library;
  FT_Face face;
  void *next;
  unsigned glyph_index;
  FT_Generic generic;
  struct {
    long width, height, horiBearingX, horiBearingY, horiAdvance, vertBearingX, vertBearingY, vertAdvance;
  } metrics;
  long linearHoriAdvance, linearVertAdvance;
  FT_Vector advance;
  unsigned format;
  struct {
    unsigned rows, width;
    int pitch;
    unsigned char *buffer;
    unsigned short num_grays;
    unsigned char pixel_mode, palette_mode;
    void *palette;
  } bitmap;
  int bitmap_left, bitmap_top;
  FT_Outline outline;
} FT_GlyphSlotRec;

/// The fields up to the character map that was chosen.
struct FT_FaceRec_ {
  long num_faces, face_index, face_flags, style_flags, num_glyphs;
  char *family_name, *style_name;
  int num_fixed_sizes;
  void *available_sizes;
  int num_charmaps;
  void *charmaps;
  FT_Generic generic;
  struct {
    long xMin, yMin, xMax, yMax;
  } bbox;
  unsigned short units_per_EM;
  short ascender, descender, height, max_advance_width, max_advance_height, underline_position, underline_thickness;
  FT_GlyphSlotRec *glyph;
  void *size;
  void *charmap;
};

typedef struct FT_MemoryRec_ {
  void *user;
  void *(*alloc)(struct FT_MemoryRec_ *, long size);
  void (*free)(struct FT_MemoryRec_ *, void *block);
  void *(*realloc)(struct FT_MemoryRec_ *, long from, long to, void *block);
} FT_MemoryRec;

typedef struct {
  int (*move_to)(const FT_Vector *to, void *user);
  int (*line_to)(const FT_Vector *to, void *user);
  int (*conic_to)(const FT_Vector *control, const FT_Vector *to, void *user);
  int (*cubic_to)(const FT_Vector *control1, const FT_Vector *control2, const FT_Vector *to, void *user);
  int shift;
  long delta;
} FT_Outline_Funcs;

enum { FT_FACE_FLAG_SCALABLE = 1 };
enum { FT_LOAD_NO_SCALE = 1 << 0, FT_LOAD_NO_HINTING = 1 << 1, FT_LOAD_NO_BITMAP = 1 << 3, FT_LOAD_IGNORE_TRANSFORM = 1 << 11 };

#define ETALON_TAG(a, b, c, d) ((unsigned)(a) << 24 | (unsigned)(b) << 16 | (unsigned)(c) << 8 | (unsigned)(d))
enum { FT_GLYPH_FORMAT_OUTLINE = ETALON_TAG('o', 'u', 't', 'l'), FT_ENCODING_UNICODE = ETALON_TAG('u', 'n', 'i', 'c') };

/// The functions that are looked up.
typedef struct {
  int (*FT_New_Library)(FT_MemoryRec *, FT_Library *);
  int (*FT_Done_Library)(FT_Library);
  void (*FT_Add_Default_Modules)(FT_Library);
  int (*FT_New_Memory_Face)(FT_Library, const unsigned char *, long, long, FT_Face *);
  int (*FT_Done_Face)(FT_Face);
  int (*FT_Select_Charmap)(FT_Face, unsigned);
  unsigned long (*FT_Get_First_Char)(FT_Face, unsigned *);
  unsigned long (*FT_Get_Next_Char)(FT_Face, unsigned long, unsigned *);
  int (*FT_Load_Glyph)(FT_Face, unsigned, int);
  int (*FT_Outline_Decompose)(FT_Outline *, const FT_Outline_Funcs *, void *);
} EtalonFreeType;

#define ETALON_FREETYPE_FUNCTIONS(USE) \
  USE(FT_New_Library) \
  USE(FT_Done_Library) \
  USE(FT_Add_Default_Modules) \
  USE(FT_New_Memory_Face) \
  USE(FT_Done_Face) \
  USE(FT_Select_Charmap) \
  USE(FT_Get_First_Char) \
  USE(FT_Get_Next_Char) \
  USE(FT_Load_Glyph) \
  USE(FT_Outline_Decompose)

/// The functions; null where the library cannot be opened, which the message says.
const EtalonFreeType *etalon_freetype(cfreetype_message *message);

#endif

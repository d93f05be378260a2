// OpenEXR's libraries, opened at run time. This header needs none of OpenEXR's: handles are opaque, numbers have fixed widths.
//
// Files are read and written through OpenEXR's interface in C (`libOpenEXRCore`). Before version 3.3 that one does not unpack DWAA and DWAB, which
// the library in C++ (`libOpenEXR`) does; `dwa.cpp` calls it, and nothing else does.
#ifndef COPENEXR_H
#define COPENEXR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Failures

/// What kind of failure a message tells.
typedef enum {
  ETALON_EXR_OK = 0,
  /// The library is missing, or was not known when this was built.
  ETALON_EXR_NO_LIBRARY,
  /// A file is damaged or cut short.
  ETALON_EXR_DAMAGED,
  /// A file has what cannot be shown, such as deep pixels.
  ETALON_EXR_UNSUPPORTED,
  ETALON_EXR_NO_MEMORY,
} EtalonEXRCode;

/// What went wrong; texts end in a zero and may be empty.
typedef struct {
  EtalonEXRCode code;
  /// The function that failed.
  char operation[64];
  /// Why, in the words of the system or of OpenEXR.
  char reason[448];
} EtalonEXRMessage;

/// Opens the library, once; false where it is missing.
bool etalon_exr_library(EtalonEXRMessage *message);

/// The packages of Debian that have the library for which this was built; NULL where it was built without OpenEXR's headers.
const char *etalon_exr_packages(void);

// MARK: Reading

/// A file that is open for reading.
typedef struct EtalonEXRFile EtalonEXRFile;

/// The numbers of a channel; the values are those of the format.
typedef enum { ETALON_EXR_UINT = 0, ETALON_EXR_HALF = 1, ETALON_EXR_FLOAT = 2 } EtalonEXRType;

/// A channel; the text lives as long as the file.
typedef struct {
  const char *name;
  EtalonEXRType type;
  /// Of so many pixels one is stored.
  int32_t x_sampling, y_sampling;
} EtalonEXRChannel;

/// Columns and rows, the first and the last.
typedef struct {
  int32_t left, top, right, bottom;
} EtalonEXRWindow;

/// A picture of a file; texts live as long as the file.
typedef struct {
  /// NULL where it has none.
  const char *name;
  /// `ZIP`, or NULL for a compression that is not known.
  const char *compression;
  EtalonEXRWindow data, display;
  int32_t channel_count;
  bool is_deep;
  bool is_tiled;
  /// The size of its tiles.
  int32_t tile_width, tile_height;
  /// 0: one level, 1: mipmaps, 2: levels for each side.
  int32_t levels;
  /// How many pieces it is packed in, all levels together.
  int32_t chunk_count;
  bool has_chromaticities;
  /// x and y of red, green, blue and white.
  float chromaticities[8];
} EtalonEXRPart;

/// Opens a file that is in memory, which must stay there until the file is closed; NULL where it is damaged.
EtalonEXRFile *etalon_exr_open(const uint8_t *bytes, size_t count, EtalonEXRMessage *message);
void etalon_exr_close(EtalonEXRFile *file);

int32_t etalon_exr_part_count(const EtalonEXRFile *file);
/// Says what a part is; false where its header is damaged.
bool etalon_exr_part(const EtalonEXRFile *file, int32_t part, EtalonEXRPart *result, EtalonEXRMessage *message);
EtalonEXRChannel etalon_exr_channel(const EtalonEXRFile *file, int32_t part, int32_t index);

/// The attributes of a part that are texts: false behind the last one. `length` does not count a zero at the end.
bool etalon_exr_text(const EtalonEXRFile *file, int32_t part, int32_t *index, const char **name, const char **text, size_t *length);

/// Whether all pieces of a part of rows lie in the file; nothing is unpacked.
bool etalon_exr_is_complete(const EtalonEXRFile *file, int32_t part);

/// Reads the pixels of the largest level that lie in the display window.
///
/// `sources` are the numbers of the channels that become red, green, blue and alpha, which are as large as the picture; -1 for none, where a color is
/// left as it is, and alpha becomes 1. `pixels` has four floats for each pixel of the display window, the top row first; what the data window does not
/// have is left as it is.
bool etalon_exr_read(EtalonEXRFile *file, int32_t part, const int32_t sources[4], float *pixels, EtalonEXRMessage *message);

// MARK: Writing

/// A file that is being made.
typedef struct EtalonEXRWriter EtalonEXRWriter;

/// Begins a file of one part in rows, packed with ZIP.
EtalonEXRWriter *etalon_exr_begin(int32_t width, int32_t height, EtalonEXRType type, EtalonEXRMessage *message);
/// Adds a layer with the channels `R`, `G`, `B` and perhaps `A`, or `layer.R` and so on; before any row is given.
bool etalon_exr_add_layer(EtalonEXRWriter *writer, const char *name, bool has_alpha, EtalonEXRMessage *message);
/// Adds an attribute that is a text.
bool etalon_exr_add_text(EtalonEXRWriter *writer, const char *name, const char *text, EtalonEXRMessage *message);
/// Gives rows of a layer, four floats for each pixel.
bool etalon_exr_add_rows(
    EtalonEXRWriter *writer, int32_t layer, int32_t first_row, int32_t row_count, const float *pixels, EtalonEXRMessage *message);
/// Packs everything; the bytes live until the writer is freed. NULL where it failed.
const uint8_t *etalon_exr_finish(EtalonEXRWriter *writer, size_t *count, EtalonEXRMessage *message);
void etalon_exr_free(EtalonEXRWriter *writer);

#endif

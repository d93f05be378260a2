// libtiff behind functions that answer with a result and a message. The library is opened at run time, so that everything else works without it.
#ifndef CTIFF_H
#define CTIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What was wrong, as a C string, and what told it.
typedef struct {
  char text[240];
} ctiff_message;

/// How a call ended.
typedef enum {
  CTIFF_DONE,
  /// The library is missing, or the build was made without its headers.
  CTIFF_NO_LIBRARY,
  CTIFF_DAMAGED,
  /// The file is whole, and of a kind that is not read; the message says which, as in `it holds CMYK colors`.
  CTIFF_UNSUPPORTED,
  CTIFF_NO_MEMORY,
} ctiff_result;

/// What the first directory of a TIFF file says, and what its picture becomes.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// Bits of a sample in the file, and samples of a pixel.
  uint16_t stored_bits;
  uint16_t stored_samples;
  /// Bits of a channel of the pixels that are handed out: 8, 16 or 32.
  uint8_t bits;
  /// Whether samples are floating-point numbers.
  bool is_float;
  bool has_alpha;
  /// Whether color is multiplied by alpha ("associated" alpha).
  bool is_associated;
  /// Samples behind color and alpha that the file gives no meaning, and that are not handed out.
  uint16_t unread_samples;
  /// 1 to 8 as in Exif; 1 is upright. The pixels that are handed out are not turned.
  uint8_t orientation;
  bool is_tiled;
  bool is_planar;
  bool is_palette;
  bool is_gray;
  /// The number of the compression, and its name.
  uint16_t compression;
  char compression_name[24];
  /// Directories of the file.
  uint32_t pages;
  /// The size of the pixels before they are packed, and how many of these bytes one of the file may stand for; 0 where there is no bound.
  uint64_t plain_size;
  uint32_t expansion;
} ctiff_header;

/// Reads the first directory of a file in memory.
ctiff_result ctiff_read_header(const uint8_t *bytes, size_t count, ctiff_header *header, ctiff_message *message);

/// Decodes the first picture to four channels of the header's bits in the order r, g, b, a, little-endian, in the order of the file's rows.
///
/// `capacity` must be width × height × 4 × bits / 8 as of `ctiff_read_header` on the same bytes; fails otherwise.
ctiff_result ctiff_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, ctiff_message *message);

/// Whether this build was made with the headers of libtiff.
bool ctiff_has_headers(void);

#endif

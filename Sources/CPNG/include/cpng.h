// libpng behind functions that never jump: libpng reports errors with longjmp, which must not cross Swift frames, so every call into libpng is
// wrapped here with its own setjmp and answers with a boolean and a message.
#ifndef CPNG_H
#define CPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What libpng said, as a C string.
typedef struct {
  char text[160];
} cpng_message;

/// What the first chunks of a PNG file say.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// Bits of a sample in the file: 1, 2, 4, 8 or 16.
  uint8_t bits;
  /// Samples of a pixel in the file: 1 for gray and palette, 2, 3 or 4.
  uint8_t samples;
  /// Whether there is an alpha channel or a tRNS chunk.
  bool has_alpha;
} cpng_header;

/// Reads everything before the pixels.
bool cpng_read_header(const uint8_t *bytes, size_t count, cpng_header *header, cpng_message *message);

/// Decodes the whole file to rgba8, or to little-endian rgba16 when the file has 16 bits; the top row comes first.
///
/// `capacity` must be width × height × 4 or 8 as of `cpng_read_header` on the same bytes; fails otherwise.
bool cpng_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, cpng_message *message);

/// Takes bytes of the file; answers 0, or anything else to stop.
typedef int (*cpng_write_function)(void *context, const uint8_t *bytes, size_t count);

/// Frames chunks: length, type, data and CRC.
typedef struct cpng_writer cpng_writer;

/// Null when memory is short.
cpng_writer *cpng_writer_new(cpng_write_function write, void *context);
void cpng_writer_free(cpng_writer *writer);
/// False when the write function said stop.
bool cpng_write_signature(cpng_writer *writer);
bool cpng_write_chunk(cpng_writer *writer, const char *type, const uint8_t *data, size_t count);

/// The CRC of PNG chunks.
uint32_t cpng_crc32(const uint8_t *bytes, size_t count);

/// How pixels are laid out in the file; sources are rgba8 or little-endian rgba16.
typedef enum { CPNG_RGB8, CPNG_RGBA8, CPNG_RGB16, CPNG_RGBA16 } cpng_layout;

/// Bytes of a filtered row with its filter byte.
size_t cpng_filtered_row_size(size_t width, cpng_layout layout);

/// `cpng_filter_row` may write this many bytes behind the row.
#define CPNG_FILTER_SLACK 16

/// Filters one row with SUB, or with UP when `above` is not null; drops alpha and swaps bytes in the same pass.
void cpng_filter_row(uint8_t *out, const uint8_t *row, const uint8_t *above, size_t width, cpng_layout layout);

/// How much SUB and UP leave of a row: the sums of the differences, which go with the size after compression.
void cpng_filter_costs(const uint8_t *row, const uint8_t *above, size_t width, cpng_layout layout, uint64_t *sub, uint64_t *up);

/// Whether every alpha is the largest value.
bool cpng_is_opaque8(const uint8_t *pixels, size_t count);
bool cpng_is_opaque16(const uint8_t *pixels, size_t count);

#endif

// Decoding and encoding of JPEG with libjpeg-turbo; its errors jump, so every call is wrapped here with setjmp and answers with a boolean and a message.
#ifndef CJPEG_H
#define CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What libjpeg said, as a C string.
typedef struct {
  char text[220];
} cjpeg_message;

/// What the headers of a JPEG file say.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// 1 gray, 3 colour, 4 CMYK or YCCK.
  uint8_t components;
} cjpeg_header;

/// Reads everything before the pixels.
bool cjpeg_read_header(const uint8_t *bytes, size_t count, cjpeg_header *header, cjpeg_message *message);

/// Decodes gray and colour pictures to rgba8, top row first, without looking at the orientation.
///
/// `capacity` must be width × height × 4 as of `cjpeg_read_header` on the same bytes; fails otherwise, and when pixels are missing or damaged.
bool cjpeg_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, cjpeg_message *message);

/// Encodes rgba8, top row first, without its alpha.
///
/// `quality` is 1 to 100; `halves_colors` stores colors at half the width and height. The bytes are given back with `cjpeg_free`.
bool cjpeg_write_pixels(
    const uint8_t *pixels, uint32_t width, uint32_t height, int quality, bool halves_colors, uint8_t **bytes, size_t *count,
    cjpeg_message *message);

void cjpeg_free(uint8_t *bytes);

#endif

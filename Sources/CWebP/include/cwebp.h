// libwebp behind functions that answer with a result and a message. The library is opened at run time, so that everything else works without it.
#ifndef CWEBP_H
#define CWEBP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What was wrong, as a C string.
typedef struct {
  char text[200];
} cwebp_message;

/// How a call ended.
typedef enum {
  CWEBP_DONE,
  /// The library is missing, or the build was made without its headers.
  CWEBP_NO_LIBRARY,
  CWEBP_DAMAGED,
  CWEBP_NO_MEMORY,
} cwebp_result;

/// What the first chunks of a WebP file say.
typedef struct {
  uint32_t width;
  uint32_t height;
  bool has_alpha;
  bool is_animated;
  bool is_lossless;
} cwebp_header;

/// Reads everything before the pixels.
cwebp_result cwebp_read_header(const uint8_t *bytes, size_t count, cwebp_header *header, cwebp_message *message);

/// Decodes a still picture to rgba8 with straight alpha; the top row comes first.
///
/// `capacity` must be width × height × 4 as of `cwebp_read_header` on the same bytes; fails otherwise.
cwebp_result cwebp_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, cwebp_message *message);

/// Whether this build was made with the headers of libwebp.
bool cwebp_has_headers(void);

#endif

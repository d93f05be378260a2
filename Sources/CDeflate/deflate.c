#include "cdeflate.h"
#include "isal.h"

#include <libdeflate.h>
#include <stdlib.h>

struct cdeflate_stream {
  isal_deflater *isal;
  struct libdeflate_compressor *whole;
  const uint8_t *input;
  size_t input_size;
};

bool cdeflate_has_isal(void) { return isal_is_available(); }

const char *cdeflate_library_name(cdeflate_library library) {
  return library == CDEFLATE_ISAL ? isal_name() : "libdeflate " LIBDEFLATE_VERSION_STRING;
}

cdeflate_stream *cdeflate_new(cdeflate_library library, int level) {
  cdeflate_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
  if (library == CDEFLATE_ISAL) {
    stream->isal = isal_new(level);
  } else {
    stream->whole = libdeflate_alloc_compressor(level);
  }
  if (stream->isal || stream->whole) return stream;
  free(stream);
  return NULL;
}

void cdeflate_free(cdeflate_stream *stream) {
  if (!stream) return;
  isal_free(stream->isal);
  if (stream->whole) libdeflate_free_compressor(stream->whole);
  free(stream);
}

bool cdeflate_takes_pieces(const cdeflate_stream *stream) { return stream->isal != NULL; }

size_t cdeflate_room(const cdeflate_stream *stream, size_t input) {
  enum { pieceRoom = 1 << 20 };
  return stream->isal ? pieceRoom : libdeflate_zlib_compress_bound(stream->whole, input);
}

void cdeflate_begin(cdeflate_stream *stream) {
  if (stream->isal) isal_begin(stream->isal);
}

void cdeflate_feed(cdeflate_stream *stream, const uint8_t *bytes, size_t count, bool last) {
  if (stream->isal) {
    isal_feed(stream->isal, bytes, count, last);
  } else {
    stream->input = bytes;
    stream->input_size = count;
  }
}

cdeflate_progress cdeflate_run(cdeflate_stream *stream, uint8_t *out, size_t room, size_t *written) {
  if (stream->isal) return isal_run(stream->isal, out, room, written);
  *written = libdeflate_zlib_compress(stream->whole, stream->input, stream->input_size, out, room);
  return *written > 0 ? CDEFLATE_DONE : CDEFLATE_FAILED;
}

bool cdeflate_inflate(const uint8_t *stream, size_t count, uint8_t *out, size_t size) {
  struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
  if (!decompressor) return false;
  // Without room for a count, anything but `size` bytes is an error.
  enum libdeflate_result result = libdeflate_zlib_decompress(decompressor, stream, count, out, size, NULL);
  libdeflate_free_decompressor(decompressor);
  return result == LIBDEFLATE_SUCCESS;
}

#include "cpng.h"

#include <libdeflate.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const uint8_t *bytes;
  size_t count;
} piece;

// Everything that must survive a longjmp lives here, on the heap, and not in local variables.
typedef struct {
  png_structp png;
  png_infop info;
  png_bytep *rows;
  // What libpng reads, one behind the other; empty pieces may be among them.
  piece pieces[3];
  int current;
  size_t position;
  uint8_t *unpacked;
  cpng_message *message;
} session;

static void on_error(png_structp png, png_const_charp text) {
  session *s = png_get_error_ptr(png);
  strncpy(s->message->text, text, sizeof s->message->text - 1);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void read_bytes(png_structp png, png_bytep out, size_t count) {
  session *s = png_get_io_ptr(png);
  while (count > 0) {
    piece from = s->pieces[s->current];
    size_t left = from.count - s->position;
    size_t taken = left < count ? left : count;
    memcpy(out, from.bytes + s->position, taken);
    s->position += taken;
    out += taken;
    count -= taken;
    if (count == 0) return;
    if (s->current == 2) png_error(png, "the file ends too early");
    s->current += 1;
    s->position = 0;
  }
}

static void close_session(session *s) {
  if (!s) return;
  png_destroy_read_struct(&s->png, &s->info, NULL);
  free(s->rows);
  free(s->unpacked);
  free(s);
}

static session *open_session(const uint8_t *bytes, size_t count, cpng_message *message) {
  memset(message, 0, sizeof *message);
  session *s = calloc(1, sizeof *s);
  if (!s) {
    strcpy(message->text, "out of memory");
    return NULL;
  }
  for (int i = 0; i < 3; i++) s->pieces[i] = (piece){bytes, 0};
  s->pieces[0].count = count;
  s->message = message;
  s->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, s, on_error, on_warning);
  s->info = s->png ? png_create_info_struct(s->png) : NULL;
  if (s->info) return s;
  strcpy(message->text, "out of memory");
  close_session(s);
  return NULL;
}

// Sizes are limited by the caller, who can say so in better words; chunks that do not change pixels are skipped unread.
static void read_info(session *s) {
  png_set_user_limits(s->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(s->png, 1 << 20);
  png_set_keep_unknown_chunks(s->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_read_fn(s->png, s, read_bytes);
  png_read_info(s->png, s->info);
}

bool cpng_read_header(const uint8_t *bytes, size_t count, cpng_header *header, cpng_message *message) {
  session *s = open_session(bytes, count, message);
  if (!s) return false;
  if (setjmp(png_jmpbuf(s->png))) {
    close_session(s);
    return false;
  }
  read_info(s);
  header->width = png_get_image_width(s->png, s->info);
  header->height = png_get_image_height(s->png, s->info);
  header->bits = png_get_bit_depth(s->png, s->info);
  header->samples = png_get_channels(s->png, s->info);
  header->has_alpha = (png_get_color_type(s->png, s->info) & PNG_COLOR_MASK_ALPHA) || png_get_valid(s->png, s->info, PNG_INFO_tRNS);
  close_session(s);
  return true;
}

static void ask_for_rgba(session *s) {
  bool deep = png_get_bit_depth(s->png, s->info) == 16;
  png_set_expand(s->png);
  png_set_gray_to_rgb(s->png);
  png_set_add_alpha(s->png, deep ? 0xFFFF : 0xFF, PNG_FILLER_AFTER);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (deep) png_set_swap(s->png);
#endif
  png_set_interlace_handling(s->png);
  png_read_update_info(s->png, s->info);
}

// Pixels are unpacked before libpng reads them, because zlib takes most of the time of reading a file, and libdeflate much less. libpng then reads a
// file whose one IDAT chunk holds them in blocks that are stored, not packed. What is unusual or damaged is left as it is, so that libpng judges it:
// interlaced and very large files, chunks with a wrong CRC, pixels that are more or fewer than the rows. libdeflate takes two things that libpng takes
// or warns of, too: bytes behind the packed stream, and distances beyond the window that the stream says it needs.

enum { CHUNK_FRAME = 12, ZLIB_FRAME = 6, BLOCK_HEAD = 5, BLOCK_MOST = 65535 };
static const size_t unpacked_most = (size_t)1 << 28;

static uint32_t number(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void set_number(uint8_t *bytes, uint32_t value) {
  for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

// Where the IDAT chunks begin and end. False unless they follow one another and every critical chunk has its CRC.
static bool find_pixels(const uint8_t *bytes, size_t count, size_t *start, size_t *end) {
  *start = *end = 0;
  for (size_t at = 8; at < count;) {
    if (count - at < CHUNK_FRAME) return false;
    size_t length = number(bytes + at);
    if (length > count - at - CHUNK_FRAME) return false;
    const uint8_t *type = bytes + at + 4;
    bool is_critical = !(type[0] & 0x20);
    if (is_critical && libdeflate_crc32(0, type, length + 4) != number(type + 4 + length)) return false;
    bool is_pixels = memcmp(type, "IDAT", 4) == 0;
    if (is_pixels && *start == 0) *start = *end = at;
    if (is_pixels && *end != at) return false;
    at += length + CHUNK_FRAME;
    if (is_pixels) *end = at;
    if (memcmp(type, "IEND", 4) == 0) break;
  }
  return *start > 0;
}

// The zlib stream of the chunks from `start` to `end`, in one piece that the caller frees; null when memory is short.
static uint8_t *joined(const uint8_t *bytes, size_t start, size_t end, size_t *count) {
  uint8_t *stream = malloc(end - start);
  *count = 0;
  while (stream && start < end) {
    size_t length = number(bytes + start);
    memcpy(stream + *count, bytes + start + 8, length);
    *count += length;
    start += length + CHUNK_FRAME;
  }
  return stream;
}

// Fills `out` and tells the checksum at the end of the stream, which holds for it. False when the stream is longer, shorter or damaged.
static bool unpack(const uint8_t *stream, size_t stream_count, uint8_t *out, size_t count, uint32_t *checksum) {
  struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
  if (!decompressor) return false;
  size_t taken;
  enum libdeflate_result result = libdeflate_zlib_decompress_ex(decompressor, stream, stream_count, out, count, &taken, NULL);
  libdeflate_free_decompressor(decompressor);
  if (result != LIBDEFLATE_SUCCESS) return false;
  *checksum = number(stream + taken - 4);
  return true;
}

// Puts heads before the blocks of the `count` bytes behind `chunk + lead`, and moves them there. The CRC of the chunk is left out.
static void store(uint8_t *chunk, size_t size, size_t lead, size_t count, uint32_t checksum) {
  memset(chunk + size - 4, 0, 4);
  set_number(chunk + size - 8, checksum);
  set_number(chunk, (uint32_t)(size - CHUNK_FRAME));
  memcpy(chunk + 4, "IDAT\x78\x01", 6);
  uint8_t *out = chunk + 10;
  const uint8_t *from = chunk + lead;
  while (count > 0) {
    size_t length = count < BLOCK_MOST ? count : BLOCK_MOST;
    memmove(out + BLOCK_HEAD, from, length);
    out[0] = count == length;
    out[1] = (uint8_t)length, out[2] = (uint8_t)(length >> 8);
    out[3] = (uint8_t)~out[1], out[4] = (uint8_t)~out[2];
    out += BLOCK_HEAD + length;
    from += length;
    count -= length;
  }
}

static void unpack_pixels(session *s) {
  piece file = s->pieces[0];
  if (file.count < 33 || memcmp(file.bytes + 12, "IHDR", 4) != 0 || file.bytes[25] > 6 || file.bytes[28] != PNG_INTERLACE_NONE) return;
  static const uint8_t samples[] = {1, 0, 3, 1, 2, 0, 4};
  size_t row = ((size_t)number(file.bytes + 16) * samples[file.bytes[25]] * file.bytes[24] + 7) / 8 + 1;
  size_t height = number(file.bytes + 20);
  if (height > unpacked_most / row) return;
  size_t start, end, stream_count;
  if (!find_pixels(file.bytes, file.count, &start, &end)) return;
  size_t count = row * height;
  size_t heads = BLOCK_HEAD * ((count + BLOCK_MOST - 1) / BLOCK_MOST);
  size_t size = CHUNK_FRAME + ZLIB_FRAME + heads + count;
  size_t lead = 10 + heads;
  uint8_t *stream = joined(file.bytes, start, end, &stream_count);
  s->unpacked = malloc(size);
  uint32_t checksum;
  bool is_unpacked = stream && s->unpacked && unpack(stream, stream_count, s->unpacked + lead, count, &checksum);
  free(stream);
  if (!is_unpacked) return;
  store(s->unpacked, size, lead, count, checksum);
  s->pieces[0].count = start;
  s->pieces[1] = (piece){s->unpacked, size};
  s->pieces[2] = (piece){file.bytes + end, file.count - end};
  // The CRCs were looked at, and libpng need not work them out again; nor the checksum of the pixels, where its version can do without.
  png_set_crc_action(s->png, PNG_CRC_QUIET_USE, PNG_CRC_NO_CHANGE);
#ifdef PNG_IGNORE_ADLER32
  png_set_option(s->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
#endif
}

bool cpng_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, cpng_message *message) {
  session *s = open_session(bytes, count, message);
  if (!s) return false;
  if (setjmp(png_jmpbuf(s->png))) {
    close_session(s);
    return false;
  }
  unpack_pixels(s);
  read_info(s);
  ask_for_rgba(s);
  size_t height = png_get_image_height(s->png, s->info);
  size_t row_size = png_get_rowbytes(s->png, s->info);
  if (row_size * height != capacity) png_error(s->png, "rows of an unexpected size");
  s->rows = malloc(height * sizeof *s->rows);
  if (!s->rows) png_error(s->png, "out of memory");
  for (size_t y = 0; y < height; y++) s->rows[y] = pixels + y * row_size;
  png_read_image(s->png, s->rows);
  png_read_end(s->png, NULL);
  close_session(s);
  return true;
}

#include "cpng.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

// Everything that must survive a longjmp lives here, on the heap, and not in local variables.
typedef struct {
  png_structp png;
  png_infop info;
  png_bytep *rows;
  const uint8_t *bytes;
  size_t count;
  size_t position;
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
  if (s->count - s->position < count) png_error(png, "the file ends too early");
  memcpy(out, s->bytes + s->position, count);
  s->position += count;
}

static void close_session(session *s) {
  if (!s) return;
  png_destroy_read_struct(&s->png, &s->info, NULL);
  free(s->rows);
  free(s);
}

static session *open_session(const uint8_t *bytes, size_t count, cpng_message *message) {
  memset(message, 0, sizeof *message);
  session *s = calloc(1, sizeof *s);
  if (!s) {
    strcpy(message->text, "out of memory");
    return NULL;
  }
  s->bytes = bytes;
  s->count = count;
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

bool cpng_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, cpng_message *message) {
  session *s = open_session(bytes, count, message);
  if (!s) return false;
  if (setjmp(png_jmpbuf(s->png))) {
    close_session(s);
    return false;
  }
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

#include "libpng_baseline.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} memory;

static void append(png_structp png, png_bytep bytes, size_t count) {
  memory *file = png_get_io_ptr(png);
  if (file->count + count > file->capacity) {
    file->capacity = 2 * (file->count + count);
    file->bytes = realloc(file->bytes, file->capacity);
    if (!file->bytes) abort();
  }
  memcpy(file->bytes + file->count, bytes, count);
  file->count += count;
}

static void flush(png_structp png) { (void)png; }

size_t libpng_baseline_encode(const uint8_t *rgba, uint32_t width, uint32_t height) {
  memory file = {0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) abort();
  png_set_write_fn(png, &file, append, flush);
  png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (uint32_t y = 0; y < height; y++) png_write_row(png, rgba + (size_t)y * width * 4);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  free(file.bytes);
  return file.count;
}

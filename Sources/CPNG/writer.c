#include "cpng.h"

#include <png.h>
#include <stdlib.h>
#include <zlib.h>

struct cpng_writer {
  png_structp png;
  cpng_write_function write;
  void *context;
};

static void on_error(png_structp png, png_const_charp text) {
  (void)text;
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

// The write function has returned before libpng jumps, so no frame of the caller is ever skipped.
static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
  cpng_writer *writer = png_get_io_ptr(png);
  if (writer->write(writer->context, bytes, count)) png_error(png, "stopped");
}

static void flush_nothing(png_structp png) { (void)png; }

cpng_writer *cpng_writer_new(cpng_write_function write, void *context) {
  cpng_writer *writer = malloc(sizeof *writer);
  if (!writer) return NULL;
  writer->write = write;
  writer->context = context;
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning);
  if (!writer->png) {
    free(writer);
    return NULL;
  }
  png_set_write_fn(writer->png, writer, write_bytes, flush_nothing);
  return writer;
}

void cpng_writer_free(cpng_writer *writer) {
  if (!writer) return;
  png_destroy_write_struct(&writer->png, NULL);
  free(writer);
}

bool cpng_write_signature(cpng_writer *writer) {
  if (setjmp(png_jmpbuf(writer->png))) return false;
  png_write_sig(writer->png);
  return true;
}

bool cpng_write_chunk(cpng_writer *writer, const char *type, const uint8_t *data, size_t count) {
  if (setjmp(png_jmpbuf(writer->png))) return false;
  png_write_chunk(writer->png, (png_const_bytep)type, data, count);
  return true;
}

uint32_t cpng_crc32(const uint8_t *bytes, size_t count) {
  uLong crc = crc32(0, NULL, 0);
  while (count > 0) {
    uInt part = count > 1u << 30 ? 1u << 30 : (uInt)count;
    crc = crc32(crc, bytes, part);
    bytes += part;
    count -= part;
  }
  return (uint32_t)crc;
}

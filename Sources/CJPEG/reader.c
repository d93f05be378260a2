#include "cjpeg.h"

// jpeglib.h needs these two first.
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>
#include <setjmp.h>
#include <string.h>

// A file of a few bytes can ask for thousands of passes over a large picture; real progressive files have about ten.
enum { MOST_SCANS = 200 };

typedef struct {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  jmp_buf jump;
  cjpeg_message *message;
} session;

static void stop(session *s, const char *text) {
  strncpy(s->message->text, text, sizeof s->message->text - 1);
  longjmp(s->jump, 1);
}

static void on_error(j_common_ptr jpeg) {
  session *s = jpeg->client_data;
  char text[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, text);
  stop(s, text);
}

// libjpeg fills missing pixels with gray and warns; a picture with holes is refused. Other warnings are about harmless oddities.
static void on_message(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  switch (jpeg->err->msg_code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_JPEG_EOF:
    case JWRN_MUST_RESYNC: on_error(jpeg);
    default: return;
  }
}

static void on_output(j_common_ptr jpeg) { (void)jpeg; }

static void on_progress(j_common_ptr jpeg) {
  session *s = jpeg->client_data;
  if (s->jpeg.input_scan_number > MOST_SCANS) stop(s, "too many scans");
}

static void source_nothing(j_decompress_ptr jpeg) { (void)jpeg; }

static boolean source_ended(j_decompress_ptr jpeg) {
  stop(jpeg->client_data, "the file ends too early");
  return FALSE;
}

static void source_skip(j_decompress_ptr jpeg, long count) {
  if (count <= 0) return;
  if ((size_t)count > jpeg->src->bytes_in_buffer) source_ended(jpeg);
  jpeg->src->next_input_byte += count;
  jpeg->src->bytes_in_buffer -= (size_t)count;
}

static session *open_session(const uint8_t *bytes, size_t count, cjpeg_message *message) {
  memset(message, 0, sizeof *message);
  session *s = calloc(1, sizeof *s);
  if (!s) {
    strcpy(message->text, "out of memory");
    return NULL;
  }
  s->message = message;
  s->jpeg.err = jpeg_std_error(&s->errors);
  s->errors.error_exit = on_error;
  s->errors.emit_message = on_message;
  s->errors.output_message = on_output;
  s->source.next_input_byte = bytes;
  s->source.bytes_in_buffer = count;
  s->source.init_source = source_nothing;
  s->source.fill_input_buffer = source_ended;
  s->source.skip_input_data = source_skip;
  s->source.resync_to_restart = jpeg_resync_to_restart;
  s->source.term_source = source_nothing;
  s->progress.progress_monitor = on_progress;
  s->jpeg.client_data = s;
  return s;
}

static void close_session(session *s) {
  jpeg_destroy_decompress(&s->jpeg);
  free(s);
}

static void read_header(session *s) {
  jpeg_create_decompress(&s->jpeg);
  s->jpeg.client_data = s;
  s->jpeg.src = &s->source;
  s->jpeg.progress = &s->progress;
  jpeg_read_header(&s->jpeg, TRUE);
}

bool cjpeg_read_header(const uint8_t *bytes, size_t count, cjpeg_header *header, cjpeg_message *message) {
  session *s = open_session(bytes, count, message);
  if (!s) return false;
  if (setjmp(s->jump)) {
    close_session(s);
    return false;
  }
  read_header(s);
  header->width = s->jpeg.image_width;
  header->height = s->jpeg.image_height;
  header->components = (uint8_t)s->jpeg.num_components;
  close_session(s);
  return true;
}

bool cjpeg_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, cjpeg_message *message) {
  session *s = open_session(bytes, count, message);
  if (!s) return false;
  if (setjmp(s->jump)) {
    close_session(s);
    return false;
  }
  read_header(s);
  s->jpeg.out_color_space = JCS_EXT_RGBA;
  jpeg_start_decompress(&s->jpeg);
  size_t row_size = (size_t)s->jpeg.output_width * 4;
  if (s->jpeg.output_components != 4 || row_size * s->jpeg.output_height != capacity) stop(s, "rows of an unexpected size");
  while (s->jpeg.output_scanline < s->jpeg.output_height) {
    JSAMPROW row = pixels + s->jpeg.output_scanline * row_size;
    jpeg_read_scanlines(&s->jpeg, &row, 1);
  }
  jpeg_finish_decompress(&s->jpeg);
  close_session(s);
  return true;
}

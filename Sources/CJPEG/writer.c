#include "cjpeg.h"

// jpeglib.h needs these two first.
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <setjmp.h>
#include <string.h>

typedef struct {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  jmp_buf jump;
  cjpeg_message *message;
  unsigned char *bytes;
  unsigned long count;
} session;

static void on_error(j_common_ptr jpeg) {
  session *s = jpeg->client_data;
  char text[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, text);
  strncpy(s->message->text, text, sizeof s->message->text - 1);
  longjmp(s->jump, 1);
}

static void on_output(j_common_ptr jpeg) { (void)jpeg; }

bool cjpeg_write_pixels(
    const uint8_t *pixels, uint32_t width, uint32_t height, int quality, bool halves_colors, uint8_t **bytes, size_t *count,
    cjpeg_message *message) {
  memset(message, 0, sizeof *message);
  session *s = calloc(1, sizeof *s);
  if (!s) {
    strcpy(message->text, "out of memory");
    return false;
  }
  s->message = message;
  s->jpeg.err = jpeg_std_error(&s->errors);
  s->errors.error_exit = on_error;
  s->errors.output_message = on_output;
  s->jpeg.client_data = s;
  if (setjmp(s->jump)) {
    jpeg_destroy_compress(&s->jpeg);
    free(s->bytes);
    free(s);
    return false;
  }
  jpeg_create_compress(&s->jpeg);
  s->jpeg.client_data = s;
  jpeg_mem_dest(&s->jpeg, &s->bytes, &s->count);
  s->jpeg.image_width = width;
  s->jpeg.image_height = height;
  s->jpeg.input_components = 4;
  s->jpeg.in_color_space = JCS_EXT_RGBA;
  jpeg_set_defaults(&s->jpeg);
  jpeg_set_quality(&s->jpeg, quality, TRUE);
  if (!halves_colors) s->jpeg.comp_info[0].h_samp_factor = s->jpeg.comp_info[0].v_samp_factor = 1;
  jpeg_start_compress(&s->jpeg, TRUE);
  size_t row_size = (size_t)width * 4;
  while (s->jpeg.next_scanline < height) {
    JSAMPROW row = (JSAMPROW)(pixels + s->jpeg.next_scanline * row_size);
    jpeg_write_scanlines(&s->jpeg, &row, 1);
  }
  jpeg_finish_compress(&s->jpeg);
  jpeg_destroy_compress(&s->jpeg);
  *bytes = s->bytes;
  *count = s->count;
  free(s);
  return true;
}

void cjpeg_free(uint8_t *bytes) { free(bytes); }

#include "reader.h"

#ifdef ETALON_HAS_TIFF
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const EtalonTIFF *tiff;
  TIFF *file;
  const uint8_t *bytes;
  size_t count;
  uint64_t position;
  ctiff_message *message;
  /// Whether damage that libtiff can read past ends the reading: while pixels are decoded.
  bool is_strict;
  bool has_failed;
  etalon_tiff_form form;
} session;

// MARK: what libtiff asks for

static tmsize_t read_bytes(thandle_t handle, void *out, tmsize_t wanted) {
  session *s = handle;
  if (wanted < 0 || s->position >= s->count) return 0;
  size_t part = s->count - (size_t)s->position;
  if (part > (size_t)wanted) part = (size_t)wanted;
  memcpy(out, s->bytes + s->position, part);
  s->position += part;
  return (tmsize_t)part;
}

static tmsize_t write_nothing(thandle_t handle, void *bytes, tmsize_t count) {
  (void)handle, (void)bytes, (void)count;
  return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int origin) {
  session *s = handle;
  s->position = origin == SEEK_SET ? offset : origin == SEEK_CUR ? s->position + offset : s->count + offset;
  return s->position;
}

static int close_nothing(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t size(thandle_t handle) { return ((session *)handle)->count; }

static void tell(session *s, const char *module, const char *format, va_list values) {
  if (s->has_failed) return;
  s->has_failed = true;
  char text[sizeof s->message->text];
  vsnprintf(text, sizeof text, format, values);
  // Of strips and tiles that are not all there libtiff tells rows by numbers of its own.
  if (module && strncmp(module, "TIFFFill", 8) == 0 && strncmp(text, "Read error", 10) == 0) {
    snprintf(s->message->text, sizeof s->message->text, "the file ends too early");
    return;
  }
  size_t length = strlen(text);
  while (length > 0 && (text[length - 1] == '.' || text[length - 1] == '\n')) text[--length] = 0;
  bool names = module && module[0] && strcmp(module, "etalon") != 0;
  snprintf(s->message->text, sizeof s->message->text, "%.200s%s%.32s", text, names ? ", told by " : "", names ? module : "");
}

static int on_error(TIFF *file, void *user, const char *module, const char *format, va_list values) {
  (void)file;
  tell(user, module, format, values);
  return 1;
}

// Some codecs call missing data a warning and make up the rest of the picture.
static int on_warning(TIFF *file, void *user, const char *module, const char *format, va_list values) {
  (void)file;
  session *s = user;
  if (s->is_strict) tell(s, module, format, values);
  return 1;
}

static ctiff_result refuse(session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static ctiff_result refuse(session *s, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(s->message->text, sizeof s->message->text, format, values);
  va_end(values);
  return CTIFF_UNSUPPORTED;
}

static ctiff_result damaged(session *s, const char *text) {
  if (!s->has_failed) snprintf(s->message->text, sizeof s->message->text, "%s", text);
  return CTIFF_DAMAGED;
}

// No table of a directory is larger than the file, nor a row or a packed strip much so.
static ctiff_result begin(session *s, const uint8_t *bytes, size_t count, ctiff_message *message) {
  memset(message, 0, sizeof *message);
  memset(s, 0, sizeof *s);
  s->message = message;
  s->tiff = etalon_tiff(message);
  if (!s->tiff) return CTIFF_NO_LIBRARY;
  s->bytes = bytes;
  s->count = count;
  TIFFOpenOptions *options = s->tiff->TIFFOpenOptionsAlloc();
  if (!options) {
    snprintf(message->text, sizeof message->text, "out of memory");
    return CTIFF_NO_MEMORY;
  }
  s->tiff->TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, s);
  s->tiff->TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, s);
  s->tiff->TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)count + (64 << 20));
  s->file = s->tiff->TIFFClientOpenExt(
      "etalon", "rm", s, read_bytes, write_nothing, seek, close_nothing, size, NULL, NULL, options);
  s->tiff->TIFFOpenOptionsFree(options);
  return s->file ? CTIFF_DONE : damaged(s, "it has no directory");
}

static void end(session *s) {
  if (s->file) s->tiff->TIFFClose(s->file);
  s->file = NULL;
}

static uint16_t short_field(session *s, uint32_t tag, uint16_t without) {
  uint16_t value = 0;
  return s->tiff->TIFFGetFieldDefaulted(s->file, tag, &value) ? value : without;
}

// MARK: what the file is

typedef struct {
  uint16_t number;
  const char *name;
  /// The most bytes that one byte stands for; 0 where that has no bound.
  uint32_t expansion;
} compression;

static const compression compressions[] = {
    {COMPRESSION_NONE, "none", 1}, {COMPRESSION_CCITTRLE, "CCITT RLE", 0}, {COMPRESSION_CCITTFAX3, "CCITT T.4", 0},
    {COMPRESSION_CCITTFAX4, "CCITT T.6", 0}, {COMPRESSION_LZW, "LZW", 4096}, {COMPRESSION_OJPEG, "old JPEG", 0},
    {COMPRESSION_JPEG, "JPEG", 0}, {COMPRESSION_NEXT, "NeXT", 0}, {COMPRESSION_CCITTRLEW, "CCITT RLEW", 0},
    {COMPRESSION_PACKBITS, "PackBits", 128}, {COMPRESSION_THUNDERSCAN, "ThunderScan", 0}, {COMPRESSION_PIXARLOG, "PixarLog", 1032},
    {COMPRESSION_DEFLATE, "deflate", 1032}, {COMPRESSION_ADOBE_DEFLATE, "deflate", 1032}, {COMPRESSION_JBIG, "JBIG", 0},
    {COMPRESSION_SGILOG, "SGI Log", 0}, {COMPRESSION_SGILOG24, "SGI Log", 0}, {COMPRESSION_JP2000, "JPEG 2000", 0},
    {COMPRESSION_LERC, "LERC", 0}, {COMPRESSION_LZMA, "LZMA", 0}, {COMPRESSION_ZSTD, "Zstandard", 0},
    {COMPRESSION_WEBP, "WebP", 0}, {COMPRESSION_JXL, "JPEG XL", 0},
};

static const compression *find_compression(uint16_t number) {
  for (size_t index = 0; index < sizeof compressions / sizeof compressions[0]; index++) {
    if (compressions[index].number == number) return &compressions[index];
  }
  return NULL;
}

static const char *photometric_name(uint16_t photometric) {
  switch (photometric) {
    case PHOTOMETRIC_MASK: return "a transparency mask";
    case PHOTOMETRIC_SEPARATED: return "CMYK or other inks";
    case PHOTOMETRIC_CIELAB: case PHOTOMETRIC_ICCLAB: case PHOTOMETRIC_ITULAB: return "CIE Lab colors";
    case PHOTOMETRIC_CFA: return "the raw samples of a camera's sensor";
    case PHOTOMETRIC_LOGL: case PHOTOMETRIC_LOGLUV: return "logarithmic luminance (LogLuv)";
    case 34892: return "the linear samples of a camera's sensor";
    default: return "colors of an unknown kind";
  }
}

// The colors of a table have 16 bits; most writers put 8 into them, as the high byte, as both, or, against the standard, as the low byte.
static void take_palette(etalon_tiff_form *form, uint16_t *const table[3], unsigned count) {
  bool are_small = true, are_bytes = true;
  for (int channel = 0; channel < 3; channel++) {
    for (unsigned index = 0; index < count; index++) {
      uint16_t value = table[channel][index];
      if (value > 255) are_small = false;
      if ((value & 255) != 0 && (value & 255) != value >> 8) are_bytes = false;
    }
  }
  for (int channel = 0; channel < 3; channel++) {
    for (unsigned index = 0; index < count; index++) {
      uint16_t value = table[channel][index];
      form->palette[channel][index] = are_small ? value : are_bytes ? value >> 8 : value;
    }
  }
  form->width_of_channel = are_small || are_bytes ? 1 : 2;
  form->has_palette = true;
}

static ctiff_result take_colors(session *s, ctiff_header *header, uint16_t photometric, uint16_t format) {
  etalon_tiff_form *form = &s->form;
  unsigned bits = form->bits;
  bool is_palette = photometric == PHOTOMETRIC_PALETTE;
  bool is_gray = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;
  if (!is_palette && !is_gray && photometric != PHOTOMETRIC_RGB && photometric != PHOTOMETRIC_YCBCR) {
    return refuse(s, "it holds %s", photometric_name(photometric));
  }
  if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID && format != SAMPLEFORMAT_IEEEFP) {
    return refuse(s, "its samples are %s", format == SAMPLEFORMAT_INT ? "integers with a sign" : "complex numbers");
  }
  form->is_float = format == SAMPLEFORMAT_IEEEFP;
  bool is_known = form->is_float ? bits == 16 || bits == 32 : bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16;
  if (!is_known || (is_palette && (bits > 8 || form->is_float)) || (photometric == PHOTOMETRIC_YCBCR && bits != 8)) {
    return refuse(s, "its samples have %u bits%s", bits, form->is_float ? " as floating-point numbers" : is_palette ? " for a palette" : "");
  }
  if (form->is_float && photometric == PHOTOMETRIC_MINISWHITE) return refuse(s, "its floating-point numbers grow towards black");
  unsigned colors = is_palette || is_gray ? 1 : 3;
  if (form->samples < colors) return refuse(s, "it has %u samples a pixel, fewer than its colors need", form->samples);
  for (unsigned channel = 0; channel < 3; channel++) form->source[channel] = colors == 1 ? 0 : (int)channel;
  form->source[3] = -1;
  form->is_inverted = photometric == PHOTOMETRIC_MINISWHITE;
  form->width_of_channel = bits <= 8 ? 1 : bits / 8;
  uint16_t extra_count = 0, *extras = NULL;
  s->tiff->TIFFGetFieldDefaulted(s->file, TIFFTAG_EXTRASAMPLES, &extra_count, &extras);
  for (unsigned index = 0; index < extra_count && colors + index < form->samples; index++) {
    if (extras[index] != EXTRASAMPLE_ASSOCALPHA && extras[index] != EXTRASAMPLE_UNASSALPHA) continue;
    form->source[3] = (int)(colors + index);
    header->is_associated = extras[index] == EXTRASAMPLE_ASSOCALPHA;
    break;
  }
  header->has_alpha = form->source[3] >= 0;
  header->unread_samples = (uint16_t)(form->samples - colors - (header->has_alpha ? 1 : 0));
  header->is_palette = is_palette;
  header->is_gray = is_gray;
  if (is_palette) {
    if (header->has_alpha && bits != 8) return refuse(s, "it has a palette of %u bits beside an alpha channel", bits);
    uint16_t *table[3];
    if (!s->tiff->TIFFGetField(s->file, TIFFTAG_COLORMAP, &table[0], &table[1], &table[2])) return damaged(s, "it has no color table");
    take_palette(form, table, 1u << bits);
    if (header->has_alpha && form->width_of_channel != 1) return refuse(s, "it has a palette of 16 bits beside an alpha channel");
  }
  return CTIFF_DONE;
}

// Memory for a tile is taken before any of it is read.
static bool tiles_fit(session *s, uint32_t *across, uint32_t *down) {
  *across = *down = 0;
  s->tiff->TIFFGetField(s->file, TIFFTAG_TILEWIDTH, across);
  s->tiff->TIFFGetField(s->file, TIFFTAG_TILELENGTH, down);
  if (*across == 0 || *down == 0) return false;
  return (uint64_t)*across * *down <= 1 << 22 || (*across <= s->form.width + 1024 && *down <= s->form.height + 1024);
}

static ctiff_result examine(session *s, ctiff_header *header) {
  memset(header, 0, sizeof *header);
  etalon_tiff_form *form = &s->form;
  uint16_t photometric = 0;
  if (!s->tiff->TIFFGetField(s->file, TIFFTAG_IMAGEWIDTH, &form->width) ||
      !s->tiff->TIFFGetField(s->file, TIFFTAG_IMAGELENGTH, &form->height)) {
    return damaged(s, "it does not say its size");
  }
  form->bits = short_field(s, TIFFTAG_BITSPERSAMPLE, 1);
  form->samples = short_field(s, TIFFTAG_SAMPLESPERPIXEL, 1);
  form->is_planar = short_field(s, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE && form->samples > 1;
  if (!s->tiff->TIFFGetField(s->file, TIFFTAG_PHOTOMETRIC, &photometric)) return damaged(s, "it does not say what its samples mean");
  uint16_t number = short_field(s, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  const compression *kind = find_compression(number);
  if (!kind) return refuse(s, "it is packed with the unknown compression %u", number);
  if (!s->tiff->TIFFIsCODECConfigured(number)) return refuse(s, "it is packed with %s, which this machine's libtiff does not know", kind->name);
  if (photometric == PHOTOMETRIC_YCBCR && number == COMPRESSION_JPEG && !form->is_planar) {
    s->tiff->TIFFSetField(s->file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  } else if (photometric == PHOTOMETRIC_YCBCR) {
    form->is_converted = true;
  }
  if (number == COMPRESSION_PIXARLOG) {
    s->tiff->TIFFSetField(s->file, TIFFTAG_PIXARLOGDATAFMT, form->bits == 16 ? PIXARLOGDATAFMT_16BIT : PIXARLOGDATAFMT_8BIT);
  }
  ctiff_result result = take_colors(s, header, photometric, short_field(s, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT));
  if (result != CTIFF_DONE) return result;
  header->width = form->width;
  header->height = form->height;
  header->stored_bits = (uint16_t)form->bits;
  header->stored_samples = (uint16_t)form->samples;
  header->bits = (uint8_t)(8 * form->width_of_channel);
  header->is_float = form->is_float;
  uint16_t orientation = short_field(s, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  header->orientation = orientation >= 1 && orientation <= 8 ? (uint8_t)orientation : 1;
  header->is_tiled = s->tiff->TIFFIsTiled(s->file) != 0;
  header->is_planar = form->is_planar;
  header->compression = number;
  snprintf(header->compression_name, sizeof header->compression_name, "%s", kind->name);
  header->expansion = kind->expansion;
  header->plain_size =
      form->is_converted ? 0 : ((uint64_t)form->width * form->bits * form->samples + 7) / 8 * form->height;
  uint32_t across, down;
  if (header->is_tiled && !tiles_fit(s, &across, &down)) return refuse(s, "its tiles of %ux%u pixels are too large for it", across, down);
  return CTIFF_DONE;
}

ctiff_result ctiff_read_header(const uint8_t *bytes, size_t count, ctiff_header *header, ctiff_message *message) {
  session s;
  ctiff_result result = begin(&s, bytes, count, message);
  if (result == CTIFF_DONE) result = examine(&s, header);
  // Counting moves on to the last directory, so it comes last; what is wrong with later pages is of no consequence.
  if (result == CTIFF_DONE) {
    header->pages = s.tiff->TIFFLastDirectory(s.file) ? 1 : s.tiff->TIFFNumberOfDirectories(s.file);
    if (header->pages == 0) header->pages = 1;
  }
  end(&s);
  return result;
}

// MARK: pixels

static ctiff_result read_strips(session *s, uint8_t *pixels) {
  const etalon_tiff_form *form = &s->form;
  uint64_t row_size = s->tiff->TIFFScanlineSize64(s->file);
  uint64_t needed = ((uint64_t)form->width * form->bits * (form->is_planar ? 1 : form->samples) + 7) / 8;
  if (row_size < needed) return damaged(s, "its rows are too short");
  uint8_t *row = malloc(row_size);
  if (!row) return CTIFF_NO_MEMORY;
  size_t stride = (size_t)form->width * 4 * form->width_of_channel;
  for (unsigned plane = 0; plane < (form->is_planar ? form->samples : 1); plane++) {
    for (uint32_t y = 0; y < form->height; y++) {
      if (s->tiff->TIFFReadScanline(s->file, row, y, (uint16_t)plane) < 0 || s->has_failed) {
        free(row);
        return damaged(s, "a strip cannot be read");
      }
      etalon_tiff_put(form, row, form->is_planar ? (int)plane : -1, form->width, pixels + y * stride);
    }
  }
  free(row);
  return CTIFF_DONE;
}

static ctiff_result read_tiles(session *s, uint8_t *pixels) {
  const etalon_tiff_form *form = &s->form;
  uint32_t across, down;
  if (!tiles_fit(s, &across, &down)) return damaged(s, "its tiles are too large");
  uint64_t size = s->tiff->TIFFTileSize64(s->file), row_size = s->tiff->TIFFTileRowSize64(s->file);
  uint64_t needed = ((uint64_t)across * form->bits * (form->is_planar ? 1 : form->samples) + 7) / 8;
  if (row_size < needed || size < row_size * down) return damaged(s, "its tiles are too short");
  uint8_t *tile = malloc(size);
  if (!tile) return CTIFF_NO_MEMORY;
  size_t pixel_size = 4 * form->width_of_channel;
  ctiff_result result = CTIFF_DONE;
  for (unsigned plane = 0; plane < (form->is_planar ? form->samples : 1) && result == CTIFF_DONE; plane++) {
    for (uint64_t top = 0; top < form->height && result == CTIFF_DONE; top += down) {
      for (uint64_t left = 0; left < form->width && result == CTIFF_DONE; left += across) {
        if (s->tiff->TIFFReadTile(s->file, tile, (uint32_t)left, (uint32_t)top, 0, (uint16_t)plane) < 0 || s->has_failed) {
          result = damaged(s, "a tile cannot be read");
          break;
        }
        size_t rows = form->height - top < down ? form->height - top : down;
        size_t columns = form->width - left < across ? form->width - left : across;
        for (size_t y = 0; y < rows; y++) {
          etalon_tiff_put(
              form, tile + y * row_size, form->is_planar ? (int)plane : -1, columns, pixels + ((top + y) * form->width + left) * pixel_size);
        }
      }
    }
  }
  free(tile);
  return result;
}

// Rows come from the top of the file on when the orientation that is asked for is that of the file.
static ctiff_result read_converted(session *s, uint8_t *pixels) {
  uint16_t orientation = short_field(s, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  if (!s->tiff->TIFFReadRGBAImageOriented(s->file, s->form.width, s->form.height, (uint32_t *)(void *)pixels, orientation, 1) ||
      s->has_failed) {
    return damaged(s, "its colors cannot be read");
  }
  return CTIFF_DONE;
}

static void make_opaque(const etalon_tiff_form *form, uint8_t *pixels) {
  unsigned width = form->width_of_channel;
  static const uint8_t half[2] = {0x00, 0x3C}, single[4] = {0x00, 0x00, 0x80, 0x3F}, whole[4] = {255, 255, 255, 255};
  const uint8_t *one = !form->is_float ? whole : width == 2 ? half : single;
  size_t count = (size_t)form->width * form->height;
  for (size_t pixel = 0; pixel < count; pixel++) memcpy(pixels + (pixel * 4 + 3) * width, one, width);
}

ctiff_result ctiff_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, ctiff_message *message) {
  session s;
  ctiff_header header;
  ctiff_result result = begin(&s, bytes, count, message);
  if (result == CTIFF_DONE) result = examine(&s, &header);
  if (result == CTIFF_DONE && capacity != (uint64_t)s.form.width * s.form.height * 4 * s.form.width_of_channel) {
    result = damaged(&s, "rows of an unexpected size");
  }
  if (result == CTIFF_DONE) {
    s.is_strict = true;
    s.has_failed = false;
    result = s.form.is_converted ? read_converted(&s, pixels) : header.is_tiled ? read_tiles(&s, pixels) : read_strips(&s, pixels);
    s.is_strict = false;
  }
  if (result == CTIFF_DONE && (!header.has_alpha)) make_opaque(&s.form, pixels);
  if (result == CTIFF_NO_MEMORY) snprintf(message->text, sizeof message->text, "out of memory");
  end(&s);
  return result;
}

#endif

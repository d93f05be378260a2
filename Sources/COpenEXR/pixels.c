// Reads the pieces of a part, unpacked by the library, and puts their numbers into the picture.
#include "file.h"

#include <stdlib.h>
#include <string.h>

#if ETALON_HAS_OPENEXR

// What the pieces of a part are put into.
typedef struct {
  const EtalonEXRTarget *target;
  float *line;
  /// Where the piece lies that is read.
  int32_t left, top;
} Placing;

// The size of a piece as its channels have it, in bytes.
static uint64_t byte_count(const exr_decode_pipeline_t *piece) {
  uint64_t count = 0;
  for (int index = 0; index < piece->channel_count; index++) {
    const exr_coding_channel_info_t *channel = piece->channels + index;
    if (channel->width < 0 || channel->height < 0) return UINT64_MAX;
    count += (uint64_t)channel->width * (uint64_t)channel->height * (uint64_t)channel->bytes_per_element;
  }
  return count;
}

// Whether a row has numbers of a channel, which may have them for every second row alone.
static bool has_row(const exr_coding_channel_info_t *channel, int64_t row) {
  return channel->height > 0 && channel->width > 0 && (channel->y_samples <= 1 || row % channel->y_samples == 0);
}

static void floats(const uint8_t *bytes, uint16_t type, size_t count, float *line) {
  if (type == EXR_PIXEL_HALF) return etalon_exr_floats_from_halves(bytes, count, line);
  if (type == EXR_PIXEL_FLOAT) {
    memcpy(line, bytes, 4 * count);
    return;
  }
  for (size_t index = 0; index < count; index++) {
    uint32_t whole;
    memcpy(&whole, bytes + 4 * index, sizeof whole);
    line[index] = (float)whole;
  }
}

// Called by the library when a piece is unpacked: its rows follow each other, in each of them its channels.
static exr_result_t place(exr_decode_pipeline_t *piece) {
  const Placing *placing = piece->decoding_user_data;
  uint64_t size = byte_count(piece);
  const uint8_t *bytes = piece->unpacked_buffer;
  if (bytes == NULL) bytes = piece->packed_buffer;
  if (bytes == NULL || size != piece->chunk.unpacked_size) return EXR_ERR_CORRUPT_CHUNK;
  if (bytes == piece->packed_buffer && piece->chunk.packed_size < size) return EXR_ERR_CORRUPT_CHUNK;
  const uint8_t *place = bytes, *end = bytes + size;
  for (int32_t row = 0; row < piece->chunk.height; row++) {
    for (int index = 0; index < piece->channel_count; index++) {
      const exr_coding_channel_info_t *channel = piece->channels + index;
      if (!has_row(channel, (int64_t)placing->top + row)) continue;
      size_t length = (size_t)channel->width * (size_t)channel->bytes_per_element;
      if ((size_t)(end - place) < length) return EXR_ERR_CORRUPT_CHUNK;
      bool isWanted = false;
      for (int component = 0; component < 4; component++) isWanted |= placing->target->sources[component] == index;
      if (isWanted && channel->width <= piece->chunk.width) {
        floats(place, channel->data_type, (size_t)channel->width, placing->line);
        etalon_exr_place(placing->target, index, placing->top + row, placing->left, channel->width, placing->line);
      }
      place += length;
    }
  }
  return EXR_ERR_SUCCESS;
}

typedef struct {
  EtalonEXRFile *file;
  int32_t part;
  exr_decode_pipeline_t pipeline;
  bool is_begun;
  Placing placing;
} Reading;

// Reads one piece that was found; a piece of another size than its place in the picture has is refused before memory is asked for it.
static exr_result_t read_piece(Reading *reading, exr_chunk_info_t *chunk, int32_t width, int32_t height, const char **operation) {
  EtalonEXRFile *file = reading->file;
  exr_decode_pipeline_t *pipeline = &reading->pipeline;
  if (chunk->width != width || chunk->height != height) return EXR_ERR_CORRUPT_CHUNK;
  // What no kind of packing could have made smaller.
  if (chunk->packed_size > chunk->unpacked_size + (1 << 20) || chunk->packed_size > file->count) return EXR_ERR_CORRUPT_CHUNK;
  exr_result_t result;
  if (reading->is_begun) {
    *operation = "exr_decoding_update";
    result = exr.exr_decoding_update(file->context, reading->part, chunk, pipeline);
  } else {
    *operation = "exr_decoding_initialize";
    result = exr.exr_decoding_initialize(file->context, reading->part, chunk, pipeline);
    if (result != EXR_ERR_SUCCESS) return result;
    reading->is_begun = true;
    pipeline->decoding_user_data = &reading->placing;
    *operation = "exr_decoding_choose_default_routines";
    result = exr.exr_decoding_choose_default_routines(file->context, reading->part, pipeline);
  }
  if (result != EXR_ERR_SUCCESS) return result;
  if (byte_count(pipeline) != chunk->unpacked_size) return EXR_ERR_CORRUPT_CHUNK;
  pipeline->unpack_and_convert_fn = place;
  *operation = "exr_decoding_run";
  return exr.exr_decoding_run(file->context, reading->part, pipeline);
}

static exr_result_t read_rows(Reading *reading, const EtalonEXRPart *about, const char **operation) {
  const EtalonEXRWindow *data = &about->data, *display = &about->display;
  int32_t at_once = 0;
  *operation = "exr_get_scanlines_per_chunk";
  exr_result_t result = exr.exr_get_scanlines_per_chunk(reading->file->context, reading->part, &at_once);
  if (result != EXR_ERR_SUCCESS) return result;
  if (at_once < 1) return EXR_ERR_CORRUPT_CHUNK;
  for (int64_t row = data->top; row <= data->bottom; row += at_once) {
    if (row > display->bottom || row + at_once - 1 < display->top) continue;
    exr_chunk_info_t chunk;
    *operation = "exr_read_scanline_chunk_info";
    result = exr.exr_read_scanline_chunk_info(reading->file->context, reading->part, (int)row, &chunk);
    if (result != EXR_ERR_SUCCESS) return result;
    int64_t rest = (int64_t)data->bottom - row + 1;
    reading->placing.left = data->left;
    reading->placing.top = (int32_t)row;
    result = read_piece(reading, &chunk, data->right - data->left + 1, (int32_t)(rest < at_once ? rest : at_once), operation);
    if (result != EXR_ERR_SUCCESS) return result;
  }
  return EXR_ERR_SUCCESS;
}

static exr_result_t read_tiles(Reading *reading, const EtalonEXRPart *about, const char **operation) {
  const EtalonEXRWindow *data = &about->data, *display = &about->display;
  int64_t width = (int64_t)data->right - data->left + 1, height = (int64_t)data->bottom - data->top + 1;
  if (about->tile_width < 1 || about->tile_height < 1) return EXR_ERR_CORRUPT_CHUNK;
  for (int64_t y = 0; y < height; y += about->tile_height) {
    if (data->top + y > display->bottom || data->top + y + about->tile_height - 1 < display->top) continue;
    for (int64_t x = 0; x < width; x += about->tile_width) {
      if (data->left + x > display->right || data->left + x + about->tile_width - 1 < display->left) continue;
      exr_chunk_info_t chunk;
      *operation = "exr_read_tile_chunk_info";
      exr_result_t result = exr.exr_read_tile_chunk_info(
          reading->file->context, reading->part, (int)(x / about->tile_width), (int)(y / about->tile_height), 0, 0, &chunk);
      if (result != EXR_ERR_SUCCESS) return result;
      reading->placing.left = (int32_t)(data->left + x);
      reading->placing.top = (int32_t)(data->top + y);
      int64_t across = width - x, along = height - y;
      result = read_piece(
          reading, &chunk, (int32_t)(across < about->tile_width ? across : about->tile_width),
          (int32_t)(along < about->tile_height ? along : about->tile_height), operation);
      if (result != EXR_ERR_SUCCESS) return result;
    }
  }
  return EXR_ERR_SUCCESS;
}

static bool read_otherwise(EtalonEXRFile *file, int32_t part, const EtalonEXRPart *about, const EtalonEXRTarget *target, EtalonEXRMessage *message) {
  const char *names[4] = {NULL, NULL, NULL, NULL};
  for (int component = 0; component < 4; component++) {
    if (target->sources[component] >= 0) names[component] = etalon_exr_channel(file, part, target->sources[component]).name;
  }
  int32_t rows = about->tile_height;
  if (!about->is_tiled) exr.exr_get_scanlines_per_chunk(file->context, part, &rows);
  int64_t height = (int64_t)about->data.bottom - about->data.top + 1;
  if (rows > height) rows = (int32_t)height;
  return etalon_exr_read_with_cxx(file->bytes, file->count, part, names, target, rows, message);
}

// Whether the library in C cannot unpack a part before version 3.3: DWAA and DWAB, and what B44 and B44A leave as it is, beside halves and in small
// pieces, which it puts into a wrong order without saying so.
static bool needs_cxx(const EtalonEXRFile *file, int32_t part) {
#if OPENEXR_VERSION_MAJOR == 3 && OPENEXR_VERSION_MINOR <= 2
  exr_compression_t compression;
  if (exr.exr_get_compression(file->context, part, &compression) != EXR_ERR_SUCCESS) return false;
  return compression == EXR_COMPRESSION_DWAA || compression == EXR_COMPRESSION_DWAB || compression == EXR_COMPRESSION_B44 ||
         compression == EXR_COMPRESSION_B44A;
#else
  (void)file;
  (void)part;
  return false;
#endif
}

// Pixels of a picture without alpha cover.
static void cover(const EtalonEXRPart *about, float *pixels) {
  const EtalonEXRWindow *data = &about->data, *display = &about->display;
  int64_t left = data->left > display->left ? data->left : display->left, right = data->right < display->right ? data->right : display->right;
  int64_t top = data->top > display->top ? data->top : display->top, bottom = data->bottom < display->bottom ? data->bottom : display->bottom;
  int64_t span = (int64_t)display->right - display->left + 1;
  for (int64_t row = top; row <= bottom; row++) {
    float *line = pixels + 4 * span * (row - display->top);
    for (int64_t column = left; column <= right; column++) line[4 * (column - display->left) + 3] = 1;
  }
}

bool etalon_exr_read(EtalonEXRFile *file, int32_t part, const int32_t sources[4], float *pixels, EtalonEXRMessage *message) {
  EtalonEXRPart about;
  if (!etalon_exr_part(file, part, &about, message)) return false;
  if (sources[3] < 0) cover(&about, pixels);
  EtalonEXRTarget target = {.data = about.data, .display = about.display, .sources = sources, .pixels = pixels};
  if (needs_cxx(file, part)) return read_otherwise(file, part, &about, &target, message);
  Reading reading = {.file = file, .part = part, .pipeline = EXR_DECODE_PIPELINE_INITIALIZER};
  int64_t width = (int64_t)about.data.right - about.data.left + 1;
  reading.placing = (Placing){.target = &target, .line = malloc((size_t)width * sizeof(float))};
  if (reading.placing.line == NULL) return etalon_exr_tell(message, ETALON_EXR_NO_MEMORY, "malloc", "not enough memory");
  const char *operation = "";
  EtalonEXRWords words;
  etalon_exr_listen(&words);
  exr_result_t result = about.is_tiled ? read_tiles(&reading, &about, &operation) : read_rows(&reading, &about, &operation);
  if (reading.is_begun) exr.exr_decoding_destroy(file->context, &reading.pipeline);
  etalon_exr_listen(NULL);
  free(reading.placing.line);
  return result == EXR_ERR_SUCCESS || etalon_exr_fail(message, operation, result, &words);
}

#else

bool etalon_exr_read(EtalonEXRFile *file, int32_t part, const int32_t sources[4], float *pixels, EtalonEXRMessage *message) {
  (void)file;
  (void)part;
  (void)sources;
  (void)pixels;
  return etalon_exr_library(message);
}

#endif

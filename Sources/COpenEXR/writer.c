// Makes a file in memory: rows are taken as they come, turned into the numbers of the file, and packed by the library at the end.
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if ETALON_HAS_OPENEXR

typedef struct {
  char *name;
  // The place of red, green, blue and alpha in every row, in channels; -1 for none.
  int32_t places[4];
} Layer;

typedef struct {
  char *name;
  int32_t layer, component;
} Channel;

typedef struct {
  char *name, *text;
} Text;

struct EtalonEXRWriter {
  int32_t width, height;
  EtalonEXRType type;
  Layer *layers;
  int32_t layer_count;
  Channel *channels;
  int32_t channel_count;
  Text *texts;
  int32_t text_count;
  // The rows as the file has them before they are packed; made when the first one comes.
  uint8_t *rows;
  uint8_t *file;
  size_t file_count, file_room;
  bool is_full;
};

static bool no_memory(EtalonEXRMessage *message) {
  return etalon_exr_tell(message, ETALON_EXR_NO_MEMORY, "malloc", "not enough memory");
}

// One more element at the end of an array; NULL where there is no memory.
static void *grown(void *array, int32_t count, size_t size) { return realloc(array, (size_t)(count + 1) * size); }

EtalonEXRWriter *etalon_exr_begin(int32_t width, int32_t height, EtalonEXRType type, EtalonEXRMessage *message) {
  if (!etalon_exr_library(message)) return NULL;
  EtalonEXRWriter *writer = calloc(1, sizeof *writer);
  if (writer == NULL) {
    no_memory(message);
    return NULL;
  }
  writer->width = width;
  writer->height = height;
  writer->type = type;
  return writer;
}

void etalon_exr_free(EtalonEXRWriter *writer) {
  if (writer == NULL) return;
  for (int32_t index = 0; index < writer->layer_count; index++) free(writer->layers[index].name);
  for (int32_t index = 0; index < writer->channel_count; index++) free(writer->channels[index].name);
  for (int32_t index = 0; index < writer->text_count; index++) {
    free(writer->texts[index].name);
    free(writer->texts[index].text);
  }
  free(writer->layers);
  free(writer->channels);
  free(writer->texts);
  free(writer->rows);
  free(writer->file);
  free(writer);
}

bool etalon_exr_add_layer(EtalonEXRWriter *writer, const char *name, bool has_alpha, EtalonEXRMessage *message) {
  Layer *layers = grown(writer->layers, writer->layer_count, sizeof *layers);
  if (layers == NULL) return no_memory(message);
  writer->layers = layers;
  Layer *layer = layers + writer->layer_count;
  *layer = (Layer){.name = strdup(name), .places = {-1, -1, -1, -1}};
  if (layer->name == NULL) return no_memory(message);
  int32_t number = writer->layer_count++;
  for (int32_t component = 0; component < (has_alpha ? 4 : 3); component++) {
    Channel *channels = grown(writer->channels, writer->channel_count, sizeof *channels);
    size_t room = strlen(name) + 3;
    char *text = malloc(room);
    if (channels) writer->channels = channels;
    if (channels == NULL || text == NULL) {
      free(text);
      return no_memory(message);
    }
    snprintf(text, room, "%s%s%c", name, name[0] ? "." : "", "RGBA"[component]);
    channels[writer->channel_count++] = (Channel){.name = text, .layer = number, .component = component};
  }
  return true;
}

bool etalon_exr_add_text(EtalonEXRWriter *writer, const char *name, const char *text, EtalonEXRMessage *message) {
  Text *texts = grown(writer->texts, writer->text_count, sizeof *texts);
  if (texts == NULL) return no_memory(message);
  writer->texts = texts;
  Text *added = texts + writer->text_count;
  *added = (Text){.name = strdup(name), .text = strdup(text)};
  writer->text_count++;
  return (added->name && added->text) || no_memory(message);
}

static int by_name(const void *one, const void *other) { return strcmp(((const Channel *)one)->name, ((const Channel *)other)->name); }

static size_t number_size(const EtalonEXRWriter *writer) { return writer->type == ETALON_EXR_HALF ? 2 : 4; }

static size_t row_size(const EtalonEXRWriter *writer) {
  return (size_t)writer->width * (size_t)writer->channel_count * number_size(writer);
}

// Files have their channels in the order of their names.
static bool prepare(EtalonEXRWriter *writer, EtalonEXRMessage *message) {
  if (writer->rows) return true;
  qsort(writer->channels, (size_t)writer->channel_count, sizeof *writer->channels, by_name);
  for (int32_t index = 0; index < writer->channel_count; index++) {
    const Channel *channel = writer->channels + index;
    writer->layers[channel->layer].places[channel->component] = index;
  }
  writer->rows = calloc((size_t)writer->height, row_size(writer));
  return writer->rows || no_memory(message);
}

bool etalon_exr_add_rows(
    EtalonEXRWriter *writer, int32_t layer, int32_t first_row, int32_t row_count, const float *pixels, EtalonEXRMessage *message) {
  if (!prepare(writer, message)) return false;
  size_t width = (size_t)writer->width, size = number_size(writer);
  for (int32_t row = 0; row < row_count; row++) {
    uint8_t *line = writer->rows + (size_t)(first_row + row) * row_size(writer);
    const float *given = pixels + 4 * width * (size_t)row;
    for (int component = 0; component < 4; component++) {
      int32_t place = writer->layers[layer].places[component];
      if (place < 0) continue;
      uint8_t *numbers = line + (size_t)place * width * size;
      if (size == 2) {
        etalon_exr_halves_from_pixels(given + component, width, numbers);
      } else {
        for (size_t index = 0; index < width; index++) memcpy(numbers + 4 * index, given + 4 * index + component, 4);
      }
    }
  }
  return true;
}

static int64_t write_bytes(
    exr_const_context_t context, void *given, const void *buffer, uint64_t size, uint64_t offset, exr_stream_error_func_ptr_t fail) {
  EtalonEXRWriter *writer = given;
  (void)context;
  (void)fail;
  if (offset > SIZE_MAX / 4 || size > SIZE_MAX / 4) return -1;
  size_t end = offset + size;
  if (end > writer->file_room) {
    size_t room = writer->file_room * 2 > end ? writer->file_room * 2 : end + (1 << 16);
    uint8_t *file = realloc(writer->file, room);
    if (file == NULL) {
      writer->is_full = true;
      return -1;
    }
    // The table of places is filled at the end.
    memset(file + writer->file_room, 0, room - writer->file_room);
    writer->file = file;
    writer->file_room = room;
  }
  memcpy(writer->file + offset, buffer, size);
  if (end > writer->file_count) writer->file_count = end;
  return (int64_t)size;
}

// Called by the library for what it packs next.
static exr_result_t pack(exr_encode_pipeline_t *piece) {
  const EtalonEXRWriter *writer = piece->encoding_user_data;
  size_t size = row_size(writer) * (size_t)piece->chunk.height;
  if (piece->packed_buffer == NULL || piece->packed_alloc_size < size) return EXR_ERR_INVALID_ARGUMENT;
  memcpy(piece->packed_buffer, writer->rows + (size_t)piece->chunk.start_y * row_size(writer), size);
  piece->packed_bytes = size;
  return EXR_ERR_SUCCESS;
}

// Describes the picture; returns the name of the function that failed.
static const char *describe(EtalonEXRWriter *writer, exr_context_t context, exr_result_t *result) {
  int part = 0;
  *result = exr.exr_set_longname_support(context, 1);
  if (*result != EXR_ERR_SUCCESS) return "exr_set_longname_support";
  *result = exr.exr_add_part(context, "", EXR_STORAGE_SCANLINE, &part);
  if (*result != EXR_ERR_SUCCESS) return "exr_add_part";
  exr_attr_box2i_t window = {.min = {.x = 0, .y = 0}, .max = {.x = writer->width - 1, .y = writer->height - 1}};
  exr_attr_v2f_t center = {.x = 0, .y = 0};
  *result = exr.exr_initialize_required_attr(
      context, part, &window, &window, 1, &center, 1, EXR_LINEORDER_INCREASING_Y, EXR_COMPRESSION_ZIP);
  if (*result != EXR_ERR_SUCCESS) return "exr_initialize_required_attr";
  for (int32_t index = 0; index < writer->channel_count; index++) {
    *result = exr.exr_add_channel(
        context, part, writer->channels[index].name, (exr_pixel_type_t)writer->type, EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    if (*result != EXR_ERR_SUCCESS) return "exr_add_channel";
  }
  for (int32_t index = 0; index < writer->text_count; index++) {
    *result = exr.exr_attr_set_string(context, part, writer->texts[index].name, writer->texts[index].text);
    if (*result != EXR_ERR_SUCCESS) return "exr_attr_set_string";
  }
  *result = exr.exr_write_header(context);
  return "exr_write_header";
}

static const char *write_rows(EtalonEXRWriter *writer, exr_context_t context, exr_result_t *result) {
  exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
  int32_t at_once = 0;
  *result = exr.exr_get_scanlines_per_chunk(context, 0, &at_once);
  if (*result != EXR_ERR_SUCCESS || at_once < 1) return "exr_get_scanlines_per_chunk";
  const char *operation = "";
  for (int64_t row = 0; row < writer->height; row += at_once) {
    exr_chunk_info_t chunk;
    operation = "exr_write_scanline_chunk_info";
    *result = exr.exr_write_scanline_chunk_info(context, 0, (int)row, &chunk);
    if (*result != EXR_ERR_SUCCESS) break;
    if (row == 0) {
      operation = "exr_encoding_initialize";
      *result = exr.exr_encoding_initialize(context, 0, &chunk, &pipeline);
      if (*result != EXR_ERR_SUCCESS) return operation;
      pipeline.encoding_user_data = writer;
      for (int index = 0; index < pipeline.channel_count; index++) {
        // The library looks at these before it hears that another function takes the rows.
        exr_coding_channel_info_t *channel = pipeline.channels + index;
        channel->encode_from_ptr = writer->rows;
        channel->user_bytes_per_element = (int16_t)number_size(writer);
        channel->user_data_type = channel->data_type;
        channel->user_pixel_stride = (int32_t)number_size(writer);
        channel->user_line_stride = (int32_t)row_size(writer);
      }
      operation = "exr_encoding_choose_default_routines";
      *result = exr.exr_encoding_choose_default_routines(context, 0, &pipeline);
      if (*result != EXR_ERR_SUCCESS) break;
      pipeline.convert_and_pack_fn = pack;
    } else {
      operation = "exr_encoding_update";
      *result = exr.exr_encoding_update(context, 0, &chunk, &pipeline);
      if (*result != EXR_ERR_SUCCESS) break;
    }
    operation = "exr_encoding_run";
    *result = exr.exr_encoding_run(context, 0, &pipeline);
    if (*result != EXR_ERR_SUCCESS) break;
  }
  exr.exr_encoding_destroy(context, &pipeline);
  return operation;
}

const uint8_t *etalon_exr_finish(EtalonEXRWriter *writer, size_t *count, EtalonEXRMessage *message) {
  if (!prepare(writer, message)) return NULL;
  EtalonEXRWords words;
  etalon_exr_listen(&words);
  exr_context_t context = NULL;
  exr_context_initializer_t settings = EXR_DEFAULT_CONTEXT_INITIALIZER;
  settings.error_handler_fn = etalon_exr_hear;
  settings.user_data = writer;
  settings.write_fn = write_bytes;
  // What the library in C++ takes, which needs two thirds of the time for files that are larger by a hundredth.
  settings.zip_level = 4;
  const char *operation = "exr_start_write";
  exr_result_t result = exr.exr_start_write(&context, "memory", EXR_WRITE_FILE_DIRECTLY, &settings);
  if (result == EXR_ERR_SUCCESS) {
    operation = describe(writer, context, &result);
    if (result == EXR_ERR_SUCCESS) operation = write_rows(writer, context, &result);
    exr_result_t ended = exr.exr_finish(&context);
    if (result == EXR_ERR_SUCCESS && ended != EXR_ERR_SUCCESS) {
      operation = "exr_finish";
      result = ended;
    }
  }
  etalon_exr_listen(NULL);
  if (result == EXR_ERR_SUCCESS && !writer->is_full) {
    *count = writer->file_count;
    return writer->file;
  }
  if (writer->is_full) {
    no_memory(message);
  } else {
    etalon_exr_fail(message, operation, result, &words);
  }
  return NULL;
}

#else

EtalonEXRWriter *etalon_exr_begin(int32_t width, int32_t height, EtalonEXRType type, EtalonEXRMessage *message) {
  (void)width;
  (void)height;
  (void)type;
  etalon_exr_library(message);
  return NULL;
}
bool etalon_exr_add_layer(EtalonEXRWriter *writer, const char *name, bool has_alpha, EtalonEXRMessage *message) {
  (void)writer;
  (void)name;
  (void)has_alpha;
  return etalon_exr_library(message);
}
bool etalon_exr_add_text(EtalonEXRWriter *writer, const char *name, const char *text, EtalonEXRMessage *message) {
  (void)writer;
  (void)name;
  (void)text;
  return etalon_exr_library(message);
}
bool etalon_exr_add_rows(
    EtalonEXRWriter *writer, int32_t layer, int32_t first_row, int32_t row_count, const float *pixels, EtalonEXRMessage *message) {
  (void)writer;
  (void)layer;
  (void)first_row;
  (void)row_count;
  (void)pixels;
  return etalon_exr_library(message);
}
const uint8_t *etalon_exr_finish(EtalonEXRWriter *writer, size_t *count, EtalonEXRMessage *message) {
  (void)writer;
  (void)count;
  etalon_exr_library(message);
  return NULL;
}
void etalon_exr_free(EtalonEXRWriter *writer) { (void)writer; }

#endif

// Opens files in memory, and tells what they hold.
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if ETALON_HAS_OPENEXR

static int64_t read_bytes(
    exr_const_context_t context, void *given, void *buffer, uint64_t size, uint64_t offset, exr_stream_error_func_ptr_t fail) {
  const EtalonEXRFile *file = given;
  if (offset >= file->count) return 0;
  uint64_t there = file->count - offset;
  uint64_t length = size < there ? size : there;
  memcpy(buffer, file->bytes + offset, length);
  (void)context;
  (void)fail;
  return (int64_t)length;
}

static int64_t file_size(exr_const_context_t context, void *given) {
  (void)context;
  return (int64_t)((const EtalonEXRFile *)given)->count;
}

// What this thread is at work on: the library does not say what its words are about.
static _Thread_local EtalonEXRWords *listening;
static _Thread_local bool lacks_memory;

bool etalon_exr_lacks_memory(void) { return lacks_memory; }

void etalon_exr_listen(EtalonEXRWords *words) {
  listening = words;
  if (words) lacks_memory = false;
  if (words) words->text[0] = 0;
}

void etalon_exr_hear(exr_const_context_t context, exr_result_t code, const char *text) {
  (void)context;
  (void)code;
  // The first words are about the cause, later ones about what it prevents.
  if (listening == NULL || listening->text[0] || text == NULL) return;
  snprintf(listening->text, sizeof listening->text, "%s", text);
}

// Headers of damaged files ask for as much as they like.
static void *allocate(size_t size) {
  void *memory = size > (size_t)1 << 32 ? NULL : malloc(size);
  if (memory == NULL) lacks_memory = true;
  return memory;
}

EtalonEXRFile *etalon_exr_open(const uint8_t *bytes, size_t count, EtalonEXRMessage *message) {
  if (!etalon_exr_library(message)) return NULL;
  EtalonEXRFile *file = calloc(1, sizeof *file);
  if (file == NULL) {
    etalon_exr_tell(message, ETALON_EXR_NO_MEMORY, "calloc", "not enough memory");
    return NULL;
  }
  file->bytes = bytes;
  file->count = count;
  exr_context_initializer_t settings = EXR_DEFAULT_CONTEXT_INITIALIZER;
  settings.error_handler_fn = etalon_exr_hear;
  settings.alloc_fn = allocate;
  settings.free_fn = free;
  settings.user_data = file;
  settings.read_fn = read_bytes;
  settings.size_fn = file_size;
  settings.max_image_width = settings.max_image_height = ETALON_EXR_MOST;
  settings.max_tile_width = settings.max_tile_height = ETALON_EXR_MOST;
  // Pieces whose places are lost are not searched for: a file without them is damaged.
  settings.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
  EtalonEXRWords words;
  etalon_exr_listen(&words);
  exr_result_t result = exr.exr_start_read(&file->context, "memory", &settings);
  etalon_exr_listen(NULL);
  if (result != EXR_ERR_SUCCESS) {
    etalon_exr_fail(message, "exr_start_read", result, &words);
    free(file);
    return NULL;
  }
  return file;
}

void etalon_exr_close(EtalonEXRFile *file) {
  if (file == NULL) return;
  exr.exr_finish(&file->context);
  free(file);
}

int32_t etalon_exr_part_count(const EtalonEXRFile *file) {
  int count = 0;
  return exr.exr_get_count(file->context, &count) == EXR_ERR_SUCCESS ? count : 0;
}

static EtalonEXRWindow window(exr_attr_box2i_t box) {
  return (EtalonEXRWindow){.left = box.min.x, .top = box.min.y, .right = box.max.x, .bottom = box.max.y};
}

bool etalon_exr_part(const EtalonEXRFile *file, int32_t part, EtalonEXRPart *result, EtalonEXRMessage *message) {
  static const char *const names[] = {"NONE", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB"};
  *result = (EtalonEXRPart){0};
  exr_const_context_t context = file->context;
  EtalonEXRWords silent = {""};
  exr_storage_t storage;
  exr_result_t failure = exr.exr_get_storage(context, part, &storage);
  if (failure != EXR_ERR_SUCCESS) return etalon_exr_fail(message, "exr_get_storage", failure, &silent);
  result->is_tiled = storage == EXR_STORAGE_TILED || storage == EXR_STORAGE_DEEP_TILED;
  result->is_deep = storage == EXR_STORAGE_DEEP_SCANLINE || storage == EXR_STORAGE_DEEP_TILED;
  exr_compression_t compression;
  failure = exr.exr_get_compression(context, part, &compression);
  if (failure != EXR_ERR_SUCCESS) return etalon_exr_fail(message, "exr_get_compression", failure, &silent);
  if ((size_t)compression < sizeof names / sizeof *names) result->compression = names[compression];
  exr_attr_box2i_t box;
  failure = exr.exr_get_data_window(context, part, &box);
  if (failure != EXR_ERR_SUCCESS) return etalon_exr_fail(message, "exr_get_data_window", failure, &silent);
  result->data = window(box);
  failure = exr.exr_get_display_window(context, part, &box);
  if (failure != EXR_ERR_SUCCESS) return etalon_exr_fail(message, "exr_get_display_window", failure, &silent);
  result->display = window(box);
  const exr_attr_chlist_t *channels = NULL;
  failure = exr.exr_get_channels(context, part, &channels);
  if (failure != EXR_ERR_SUCCESS) return etalon_exr_fail(message, "exr_get_channels", failure, &silent);
  result->channel_count = channels->num_channels;
  if (exr.exr_get_name(context, part, &result->name) != EXR_ERR_SUCCESS) result->name = NULL;
  if (result->is_tiled) {
    uint32_t width = 0, height = 0;
    exr_tile_level_mode_t levels;
    exr_tile_round_mode_t rounding;
    failure = exr.exr_get_tile_descriptor(context, part, &width, &height, &levels, &rounding);
    if (failure != EXR_ERR_SUCCESS) return etalon_exr_fail(message, "exr_get_tile_descriptor", failure, &silent);
    result->tile_width = width > ETALON_EXR_MOST ? 0 : (int32_t)width;
    result->tile_height = height > ETALON_EXR_MOST ? 0 : (int32_t)height;
    result->levels = levels == EXR_TILE_MIPMAP_LEVELS ? 1 : levels == EXR_TILE_RIPMAP_LEVELS ? 2 : 0;
  }
  if (exr.exr_get_chunk_count(context, part, &result->chunk_count) != EXR_ERR_SUCCESS) result->chunk_count = 0;
  exr_attr_chromaticities_t found;
  result->has_chromaticities = exr.exr_attr_get_chromaticities(context, part, "chromaticities", &found) == EXR_ERR_SUCCESS;
  if (result->has_chromaticities) {
    const float values[8] = {found.red_x, found.red_y, found.green_x, found.green_y, found.blue_x, found.blue_y, found.white_x, found.white_y};
    memcpy(result->chromaticities, values, sizeof values);
  }
  return true;
}

EtalonEXRChannel etalon_exr_channel(const EtalonEXRFile *file, int32_t part, int32_t index) {
  const exr_attr_chlist_t *channels = NULL;
  exr.exr_get_channels(file->context, part, &channels);
  const exr_attr_chlist_entry_t *entry = channels->entries + index;
  return (EtalonEXRChannel){
      .name = entry->name.str,
      .type = (EtalonEXRType)entry->pixel_type,
      .x_sampling = entry->x_sampling,
      .y_sampling = entry->y_sampling,
  };
}

bool etalon_exr_text(const EtalonEXRFile *file, int32_t part, int32_t *index, const char **name, const char **text, size_t *length) {
  int32_t count = 0;
  if (exr.exr_get_attribute_count(file->context, part, &count) != EXR_ERR_SUCCESS) return false;
  for (; *index < count; ++*index) {
    const exr_attribute_t *found = NULL;
    exr_result_t result =
        exr.exr_get_attribute_by_index(file->context, part, EXR_ATTR_LIST_FILE_ORDER, *index, &found);
    if (result != EXR_ERR_SUCCESS || found->type != EXR_ATTR_STRING || found->string->str == NULL || found->string->length < 0) continue;
    *name = found->name;
    *text = found->string->str;
    *length = (size_t)found->string->length;
    ++*index;
    return true;
  }
  return false;
}

bool etalon_exr_is_complete(const EtalonEXRFile *file, int32_t part) {
  EtalonEXRPart about;
  EtalonEXRMessage message;
  int32_t rows = 0;
  if (!etalon_exr_part(file, part, &about, &message) || about.is_tiled || about.is_deep) return false;
  if (exr.exr_get_scanlines_per_chunk(file->context, part, &rows) != EXR_ERR_SUCCESS || rows < 1) return false;
  if ((size_t)about.chunk_count > file->count / 8) return false;
  for (int64_t row = about.data.top; row <= about.data.bottom; row += rows) {
    exr_chunk_info_t chunk;
    if (exr.exr_read_scanline_chunk_info(file->context, part, (int)row, &chunk) != EXR_ERR_SUCCESS) return false;
    if (chunk.data_offset > file->count || chunk.packed_size > file->count - chunk.data_offset) return false;
  }
  return true;
}

#else

EtalonEXRFile *etalon_exr_open(const uint8_t *bytes, size_t count, EtalonEXRMessage *message) {
  (void)bytes;
  (void)count;
  etalon_exr_library(message);
  return NULL;
}
void etalon_exr_close(EtalonEXRFile *file) { (void)file; }
int32_t etalon_exr_part_count(const EtalonEXRFile *file) {
  (void)file;
  return 0;
}
bool etalon_exr_part(const EtalonEXRFile *file, int32_t part, EtalonEXRPart *result, EtalonEXRMessage *message) {
  (void)file;
  (void)part;
  (void)result;
  return etalon_exr_library(message);
}
EtalonEXRChannel etalon_exr_channel(const EtalonEXRFile *file, int32_t part, int32_t index) {
  (void)file;
  (void)part;
  (void)index;
  return (EtalonEXRChannel){0};
}
bool etalon_exr_text(const EtalonEXRFile *file, int32_t part, int32_t *index, const char **name, const char **text, size_t *length) {
  (void)file;
  (void)part;
  (void)index;
  (void)name;
  (void)text;
  (void)length;
  return false;
}
bool etalon_exr_is_complete(const EtalonEXRFile *file, int32_t part) {
  (void)file;
  (void)part;
  return false;
}

#endif

// Opens libwebp and decodes with it.
#define _GNU_SOURCE
#include "cwebp.h"

#include <stdio.h>
#include <string.h>

#if __has_include(<webp/decode.h>)
#include <dlfcn.h>
#include <pthread.h>
#include <webp/decode.h>

// The inline functions of the header call these with the version of its structures.
static struct {
  __typeof__(WebPGetFeaturesInternal) *features;
  __typeof__(WebPInitDecoderConfigInternal) *init;
  __typeof__(WebPDecode) *decode;
} webp;

static char reason[sizeof((cwebp_message *)0)->text];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *function(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (!found && !reason[0]) snprintf(reason, sizeof reason, "libwebp.so.7 has no function %s", name);
  return found;
}

static void load(void) {
  void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *told = dlerror();
    snprintf(reason, sizeof reason, "%s", told ? told : "libwebp.so.7");
    return;
  }
  void *features = function(library, "WebPGetFeaturesInternal");
  void *init = function(library, "WebPInitDecoderConfigInternal");
  void *decode = function(library, "WebPDecode");
  memcpy(&webp.features, &features, sizeof features);
  memcpy(&webp.init, &init, sizeof init);
  memcpy(&webp.decode, &decode, sizeof decode);
}

static bool is_open(cwebp_message *message) {
  memset(message, 0, sizeof *message);
  pthread_once(&once, load);
  if (!reason[0]) return true;
  snprintf(message->text, sizeof message->text, "%s", reason);
  return false;
}

static cwebp_result fail(VP8StatusCode code, cwebp_message *message) {
  const char *text = code == VP8_STATUS_OUT_OF_MEMORY         ? "out of memory"
                     : code == VP8_STATUS_NOT_ENOUGH_DATA     ? "the file ends too early"
                     : code == VP8_STATUS_SUSPENDED           ? "the file ends too early"
                     : code == VP8_STATUS_UNSUPPORTED_FEATURE ? "it uses what the library does not know"
                     : code == VP8_STATUS_BITSTREAM_ERROR     ? "its data makes no picture"
                                                              : "it cannot be decoded";
  snprintf(message->text, sizeof message->text, "%s", text);
  return code == VP8_STATUS_OUT_OF_MEMORY ? CWEBP_NO_MEMORY : CWEBP_DAMAGED;
}

cwebp_result cwebp_read_header(const uint8_t *bytes, size_t count, cwebp_header *header, cwebp_message *message) {
  if (!is_open(message)) return CWEBP_NO_LIBRARY;
  WebPBitstreamFeatures features;
  VP8StatusCode code = webp.features(bytes, count, &features, WEBP_DECODER_ABI_VERSION);
  if (code != VP8_STATUS_OK) return fail(code, message);
  *header = (cwebp_header){
      .width = (uint32_t)features.width,
      .height = (uint32_t)features.height,
      .has_alpha = features.has_alpha != 0,
      .is_animated = features.has_animation != 0,
      .is_lossless = features.format == 2,
  };
  return CWEBP_DONE;
}

cwebp_result cwebp_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, cwebp_message *message) {
  cwebp_header header;
  cwebp_result result = cwebp_read_header(bytes, count, &header, message);
  if (result != CWEBP_DONE) return result;
  if (header.is_animated || capacity != (size_t)header.width * header.height * 4) {
    snprintf(message->text, sizeof message->text, "rows of an unexpected size");
    return CWEBP_DAMAGED;
  }
  WebPDecoderConfig config;
  if (!webp.init(&config, WEBP_DECODER_ABI_VERSION)) {
    snprintf(message->text, sizeof message->text, "the library has another version than this build was made for");
    return CWEBP_NO_LIBRARY;
  }
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = pixels;
  config.output.u.RGBA.stride = (int)(header.width * 4);
  config.output.u.RGBA.size = capacity;
  VP8StatusCode code = webp.decode(bytes, count, &config);
  return code == VP8_STATUS_OK ? CWEBP_DONE : fail(code, message);
}

bool cwebp_has_headers(void) { return true; }

#else

bool cwebp_has_headers(void) { return false; }

static cwebp_result no_library(cwebp_message *message) {
  snprintf(message->text, sizeof message->text, "this build was made without libwebp's headers");
  return CWEBP_NO_LIBRARY;
}

cwebp_result cwebp_read_header(const uint8_t *bytes, size_t count, cwebp_header *header, cwebp_message *message) {
  (void)bytes, (void)count, (void)header;
  return no_library(message);
}

cwebp_result cwebp_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, cwebp_message *message) {
  (void)bytes, (void)count, (void)pixels, (void)capacity;
  return no_library(message);
}

#endif

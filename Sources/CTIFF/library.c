// Opens libtiff and fills the table of its functions.
#define _GNU_SOURCE
#include "libtiff.h"

#include <stdio.h>

#ifdef ETALON_HAS_TIFF
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static EtalonTIFF functions;
static char reason[sizeof((ctiff_message *)0)->text];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define LOAD(name) \
  { \
    void *found = dlsym(library, #name); \
    if (found == NULL) { \
      snprintf(reason, sizeof reason, "libtiff.so.6 has no function %s", #name); \
      return; \
    } \
    memcpy(&functions.name, &found, sizeof found); \
  }

// The library is never closed: its codecs may have handlers for the end of the process.
static void load(void) {
  void *library = dlopen("libtiff.so.6", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *told = dlerror();
    snprintf(reason, sizeof reason, "%s", told ? told : "libtiff.so.6");
    return;
  }
  ETALON_TIFF_FUNCTIONS(LOAD)
}

const EtalonTIFF *etalon_tiff(ctiff_message *message) {
  pthread_once(&once, load);
  if (reason[0] == 0) return &functions;
  snprintf(message->text, sizeof message->text, "%s", reason);
  return NULL;
}

bool ctiff_has_headers(void) { return true; }

#else

bool ctiff_has_headers(void) { return false; }

static ctiff_result no_library(ctiff_message *message) {
  snprintf(message->text, sizeof message->text, "this build was made without libtiff's headers");
  return CTIFF_NO_LIBRARY;
}

ctiff_result ctiff_read_header(const uint8_t *bytes, size_t count, ctiff_header *header, ctiff_message *message) {
  (void)bytes, (void)count, (void)header;
  return no_library(message);
}

ctiff_result ctiff_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, ctiff_message *message) {
  (void)bytes, (void)count, (void)pixels, (void)capacity;
  return no_library(message);
}

#endif

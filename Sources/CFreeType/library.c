// Opens FreeType and fills the table of its functions.
#define _GNU_SOURCE
#include "freetype.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static EtalonFreeType functions;
static char reason[sizeof((cfreetype_message *)0)->text];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define LOAD(name) \
  { \
    void *found = dlsym(library, #name); \
    if (found == NULL) { \
      snprintf(reason, sizeof reason, "libfreetype.so.6 has no function %s", #name); \
      return; \
    } \
    memcpy(&functions.name, &found, sizeof found); \
  }

static void load(void) {
  void *library = dlopen("libfreetype.so.6", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *told = dlerror();
    snprintf(reason, sizeof reason, "%s", told ? told : "libfreetype.so.6");
    return;
  }
  ETALON_FREETYPE_FUNCTIONS(LOAD)
}

const EtalonFreeType *etalon_freetype(cfreetype_message *message) {
  pthread_once(&once, load);
  if (reason[0] == 0) return &functions;
  snprintf(message->text, sizeof message->text, "%s", reason);
  return NULL;
}

// Opens the library of the version that the headers have, and fills the table of its functions.
#define _GNU_SOURCE
#include "libraries.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool etalon_exr_tell(EtalonEXRMessage *message, EtalonEXRCode code, const char *operation, const char *format, ...) {
  memset(message, 0, sizeof *message);
  message->code = code;
  snprintf(message->operation, sizeof message->operation, "%s", operation ? operation : "");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message->reason, sizeof message->reason, format, arguments);
  va_end(arguments);
  return false;
}

#if ETALON_HAS_OPENEXR
#include <dlfcn.h>
#include <pthread.h>

#define NUMBER_TEXT(number) #number
#define NUMBER(number) NUMBER_TEXT(number)
#define VERSION NUMBER(OPENEXR_VERSION_MAJOR) "_" NUMBER(OPENEXR_VERSION_MINOR)

// The numbers behind `.so` follow the versions of the library one by one.
#if OPENEXR_VERSION_MAJOR == 3 && OPENEXR_VERSION_MINOR == 1
#define ABI "30"
#elif OPENEXR_VERSION_MAJOR == 3 && OPENEXR_VERSION_MINOR == 2
#define ABI "31"
#elif OPENEXR_VERSION_MAJOR == 3 && OPENEXR_VERSION_MINOR == 3
#define ABI "32"
#elif OPENEXR_VERSION_MAJOR == 3 && OPENEXR_VERSION_MINOR == 4
#define ABI "33"
#else
#define ABI ""
#endif

EtalonEXRFunctions exr;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_open;

static bool open_library(EtalonEXRMessage *message) {
  if (ABI[0] == 0) return etalon_exr_tell(message, ETALON_EXR_NO_LIBRARY, NULL, "this build has the headers of OpenEXR " VERSION ", which it does not know");
  // It is never closed: its tables belong to threads that may still run.
  void *library = dlopen("libOpenEXRCore-" VERSION ".so." ABI, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *reason = dlerror();
    return etalon_exr_tell(message, ETALON_EXR_NO_LIBRARY, "dlopen", "%s", reason ? reason : "");
  }
#define ETALON_EXR_LOAD(name) \
  { \
    void *found = dlsym(library, #name); \
    if (found == NULL) return etalon_exr_tell(message, ETALON_EXR_NO_LIBRARY, "dlsym", "OpenEXR's library has no function " #name); \
    memcpy(&exr.name, &found, sizeof found); \
  }
  ETALON_EXR_FUNCTIONS(ETALON_EXR_LOAD)
  return true;
}

bool etalon_exr_library(EtalonEXRMessage *message) {
  memset(message, 0, sizeof *message);
  pthread_mutex_lock(&lock);
  if (!is_open) is_open = open_library(message);
  bool result = is_open;
  pthread_mutex_unlock(&lock);
  return result;
}

const char *etalon_exr_packages(void) {
  return "libopenexr-" NUMBER(OPENEXR_VERSION_MAJOR) "-" NUMBER(OPENEXR_VERSION_MINOR) "-" ABI;
}

bool etalon_exr_fail(EtalonEXRMessage *message, const char *operation, exr_result_t result, const EtalonEXRWords *words) {
  // Damaged pixels of PIZ are told as a lack of memory, too.
  EtalonEXRCode code = result == EXR_ERR_OUT_OF_MEMORY && etalon_exr_lacks_memory() ? ETALON_EXR_NO_MEMORY : ETALON_EXR_DAMAGED;
  return etalon_exr_tell(message, code, operation, "%s", words->text[0] ? words->text : exr.exr_get_default_error_message(result));
}

#else

bool etalon_exr_library(EtalonEXRMessage *message) {
  return etalon_exr_tell(message, ETALON_EXR_NO_LIBRARY, NULL, "this build was made without OpenEXR's headers");
}

const char *etalon_exr_packages(void) { return NULL; }

#endif

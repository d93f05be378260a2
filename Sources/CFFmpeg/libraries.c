// Opens the libraries of the major versions that the headers have, and fills the table of their functions.
#define _GNU_SOURCE
#include "libraries.h"

#if ETALON_HAS_FFMPEG
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_TEXT(number) #number
#define NUMBER(number) NUMBER_TEXT(number)

EtalonFFmpeg ff;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// Where the libraries were found; empty for where the system looks.
static char found_in[4096];
static char versions[160];
static EtalonVideoInterface interface;

// The order in which they are opened; the first needs all others.
static const char *const names[] = {
    "libavformat.so." NUMBER(LIBAVFORMAT_VERSION_MAJOR),
    "libavcodec.so." NUMBER(LIBAVCODEC_VERSION_MAJOR),
    "libavutil.so." NUMBER(LIBAVUTIL_VERSION_MAJOR),
    "libswresample.so." NUMBER(LIBSWRESAMPLE_VERSION_MAJOR),
};
enum { avformat, avcodec, avutil, swresample, libraryCount };

// Opens one library. It is never closed: threads and exit handlers of codecs would run into unmapped code.
static void *open_library(const char *folder, const char *name, EtalonVideoMessage *message) {
  char path[4096];
  int length = snprintf(path, sizeof path, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
  void *opened = length < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (opened == NULL) {
    const char *reason = length < (int)sizeof path ? dlerror() : NULL;
    etalon_tell(message, ETALON_VIDEO_NO_LIBRARY, "dlopen", "%s", reason ? reason : name);
  }
  return opened;
}

#define LOAD(name) \
  { \
    void *found = dlsym(library, #name); \
    if (found == NULL) return #name; \
    memcpy(&functions->name, &found, sizeof found); \
  }

// Fills the table; returns the name of the first function that is missing.
static const char *load(void *const opened[libraryCount], EtalonFFmpeg *functions) {
  void *library = opened[avformat];
  ETALON_AVFORMAT_FUNCTIONS(LOAD)
  library = opened[avcodec];
  ETALON_AVCODEC_FUNCTIONS(LOAD)
  library = opened[avutil];
  ETALON_AVUTIL_FUNCTIONS(LOAD)
  library = opened[swresample];
  ETALON_SWRESAMPLE_FUNCTIONS(LOAD)
  // Found in the libraries that libavformat needs, too.
  library = opened[avformat];
  ETALON_SIDE_DATA_FUNCTIONS(LOAD)
  return NULL;
}

// Structures grow at their end from one minor version to the next, so libraries must not be older than the headers.
static bool is_new_enough(unsigned found, unsigned built, const char *name, EtalonVideoMessage *message) {
  if (AV_VERSION_MAJOR(found) == AV_VERSION_MAJOR(built) && AV_VERSION_MINOR(found) >= AV_VERSION_MINOR(built)) return true;
  etalon_tell(
      message, ETALON_VIDEO_NO_LIBRARY, name, "%s has the version %u.%u, and this build needs %u.%u or later of the same major version", name,
      AV_VERSION_MAJOR(found), AV_VERSION_MINOR(found), AV_VERSION_MAJOR(built), AV_VERSION_MINOR(built));
  return false;
}

static bool check_versions(const EtalonFFmpeg *functions, EtalonVideoMessage *message) {
  return is_new_enough(functions->avformat_version(), LIBAVFORMAT_VERSION_INT, names[avformat], message) &&
         is_new_enough(functions->avcodec_version(), LIBAVCODEC_VERSION_INT, names[avcodec], message) &&
         is_new_enough(functions->avutil_version(), LIBAVUTIL_VERSION_INT, names[avutil], message) &&
         is_new_enough(functions->swresample_version(), LIBSWRESAMPLE_VERSION_INT, names[swresample], message);
}

static int version_text(char *text, size_t room, const char *name, unsigned version) {
  return snprintf(
      text, room, "%s %u.%u.%u", name, AV_VERSION_MAJOR(version), AV_VERSION_MINOR(version), AV_VERSION_MICRO(version));
}

static void fill_interface(void) {
  int length = version_text(versions, sizeof versions, "libavformat", ff.avformat_version());
  length += version_text(versions + length, sizeof versions - length, ", libavcodec", ff.avcodec_version());
  version_text(versions + length, sizeof versions - length, ", libavutil", ff.avutil_version());
  interface = (EtalonVideoInterface){
      .layout = ETALON_VIDEO_LAYOUT,
      .major = LIBAVFORMAT_VERSION_MAJOR,
      .versions = versions,
      .license = ff.avcodec_license(),
      .reading = &etalon_reading,
      .writing = &etalon_writing,
  };
}

// With the lock held.
static const EtalonVideoInterface *open_all(const char *folder, EtalonVideoMessage *message) {
  // A host that uses the same libraries keeps its own log.
  void *present = dlopen(names[avutil], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (present) dlclose(present);
  void *opened[libraryCount];
  for (int index = 0; index < libraryCount; index++) {
    opened[index] = open_library(folder, names[index], message);
    if (opened[index] == NULL) return NULL;
  }
  EtalonFFmpeg functions;
  const char *missing = load(opened, &functions);
  if (missing) {
    etalon_tell(message, ETALON_VIDEO_NO_LIBRARY, "dlsym", "FFmpeg's libraries have no function %s", missing);
    return NULL;
  }
  if (!check_versions(&functions, message)) return NULL;
  if (interface.layout == 0) {
    ff = functions;
    snprintf(found_in, sizeof found_in, "%s", folder ? folder : "");
    if (!present) etalon_log_install();
    // SVT-AV1 prints what it does on standard error, unless this says that it shall print its errors only.
    setenv("SVT_LOG", "1", 0);
    fill_interface();
  } else if (ff.avformat_version != functions.avformat_version) {
    etalon_tell(message, ETALON_VIDEO_NO_LIBRARY, "dlopen", "the libraries of another folder are open already");
    return NULL;
  }
  return &interface;
}

__attribute__((visibility("default"))) const EtalonVideoInterface *etalon_video_shim(
    const char *folder, EtalonVideoMessage *message) {
  pthread_mutex_lock(&lock);
  const EtalonVideoInterface *result = open_all(folder, message);
  pthread_mutex_unlock(&lock);
  return result;
}

// The headers of libavdevice are not needed: its major version is the one of the same release as libavformat's from 57 to 62 on.
#define DEVICE_LIBRARY "libavdevice.so." NUMBER(LIBAVFORMAT_VERSION_MAJOR)
#define DEVICE_PACKAGE "libavdevice" NUMBER(LIBAVFORMAT_VERSION_MAJOR)

static bool open_devices(EtalonVideoMessage *message) {
  static bool is_open;
  if (is_open) return true;
  void *library = open_library(found_in[0] ? found_in : NULL, DEVICE_LIBRARY, message);
  void *found = library ? dlsym(library, "avdevice_register_all") : NULL;
  if (found == NULL) {
    etalon_tell(
        message, ETALON_VIDEO_NO_LIBRARY, "dlopen", "cameras need FFmpeg's " DEVICE_LIBRARY " (apt-get install " DEVICE_PACKAGE ")");
    return false;
  }
  void (*register_all)(void);
  memcpy(&register_all, &found, sizeof found);
  register_all();
  return is_open = true;
}

bool etalon_devices_open(EtalonVideoMessage *message) {
  pthread_mutex_lock(&lock);
  bool result = open_devices(message);
  pthread_mutex_unlock(&lock);
  return result;
}

const char *etalon_video_packages(void) {
  return "libavformat" NUMBER(LIBAVFORMAT_VERSION_MAJOR) " libavcodec" NUMBER(LIBAVCODEC_VERSION_MAJOR) " libavutil" NUMBER(
      LIBAVUTIL_VERSION_MAJOR) " libswresample" NUMBER(LIBSWRESAMPLE_VERSION_MAJOR);
}

#else

#include <stdio.h>

const char *etalon_video_packages(void) { return NULL; }

const EtalonVideoInterface *etalon_video_shim(const char *folder, EtalonVideoMessage *message) {
  (void)folder;
  *message = (EtalonVideoMessage){.code = ETALON_VIDEO_NO_LIBRARY};
  snprintf(message->reason, sizeof message->reason, "this build was made without FFmpeg's headers");
  return NULL;
}

#endif

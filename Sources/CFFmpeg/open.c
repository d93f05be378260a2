// Chooses the shim whose libraries are on the machine. Not part of the shims that are shared libraries.
#define _GNU_SOURCE
#include "CFFmpeg.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool folder_of_executable(char *path, size_t room) {
  ssize_t length = readlink("/proc/self/exe", path, room - 1);
  if (length <= 0) return false;
  path[length] = 0;
  char *slash = strrchr(path, '/');
  if (slash == NULL) return false;
  *slash = 0;
  return true;
}

static const EtalonVideoInterface *open_shim(const char *shims, unsigned major, const char *folder, EtalonVideoMessage *message) {
  char path[4352];
  int length = snprintf(path, sizeof path, "%s/libetalon-ffmpeg-%u.so", shims, major);
  if (length >= (int)sizeof path || access(path, R_OK) != 0) return NULL;
  void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (opened == NULL) return NULL;
  void *found = dlsym(opened, "etalon_video_shim");
  EtalonVideoShim *shim = NULL;
  memcpy(&shim, &found, sizeof found);
  const EtalonVideoInterface *result = shim ? shim(folder, message) : NULL;
  return result && result->layout == ETALON_VIDEO_LAYOUT ? result : NULL;
}

const EtalonVideoInterface *etalon_video_open(const char *folder, const char *shims, EtalonVideoMessage *message) {
  memset(message, 0, sizeof *message);
  const EtalonVideoInterface *result = etalon_video_shim(folder, message);
  if (result) return result;
  char beside[4096];
  if (shims == NULL && folder_of_executable(beside, sizeof beside)) shims = beside;
  static const unsigned majors[] = {ETALON_VIDEO_MAJORS};
  // The message is that of the shim of this build.
  EtalonVideoMessage ignored;
  for (size_t index = 0; shims && index < sizeof majors / sizeof *majors; index++) {
    result = open_shim(shims, majors[index], folder, &ignored);
    if (result) return result;
  }
  return NULL;
}

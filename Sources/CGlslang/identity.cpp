#include "CGlslang.h"

#include <cstdio>

#include <glslang/build_info.h>
#include <spirv-tools/libspirv.h>

const char *cglslang_identity(void) {
  static char text[512];
  snprintf(text, sizeof text, "glslang %d.%d.%d%s; %s", GLSLANG_VERSION_MAJOR, GLSLANG_VERSION_MINOR, GLSLANG_VERSION_PATCH,
           GLSLANG_VERSION_FLAVOR, spvSoftwareVersionDetailsString());
  return text;
}

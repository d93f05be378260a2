// The files of the pages that `etalon test` and `etalon survey` write, put into the program by the C compiler: Swift's takes a minute for the same bytes as an array.
#ifndef CREPORTPAGE_H
#define CREPORTPAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  const uint8_t *bytes;
  size_t count;
} creport_file;

/// The file of this name; without bytes where there is none.
creport_file creport_file_named(const char *name);

#endif

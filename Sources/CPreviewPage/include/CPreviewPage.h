// The files of the page that `etalon preview` serves, put into the program by the C compiler: Swift's takes a minute for the same bytes as an array.
#ifndef CPREVIEWPAGE_H
#define CPREVIEWPAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  const uint8_t *bytes;
  size_t count;
} cpreview_file;

/// The file of this name; without bytes where there is none.
cpreview_file cpreview_file_named(const char *name);

#endif

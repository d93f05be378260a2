#ifndef ETALON_EXR_FILE_H
#define ETALON_EXR_FILE_H

#include "libraries.h"

#if ETALON_HAS_OPENEXR

struct EtalonEXRFile {
  const uint8_t *bytes;
  size_t count;
  exr_context_t context;
};

/// Says where this thread keeps what the library says from now on, which is nothing for NULL.
void etalon_exr_listen(EtalonEXRWords *words);
void etalon_exr_hear(exr_const_context_t context, exr_result_t code, const char *text);

/// The most pixels of a side, of pictures and of tiles.
enum { ETALON_EXR_MOST = 1 << 20 };

#endif
#endif

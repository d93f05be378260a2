// libtiff's functions as a table that is filled at run time. Code of the shim calls `tiff->TIFFReadScanline(...)`.
#ifndef ETALON_LIBTIFF_H
#define ETALON_LIBTIFF_H

#include "ctiff.h"

#if __has_include(<tiffio.h>)
#include <tiffio.h>

// Handlers and limits of a single file came with 4.5, together with the name libtiff.so.6.
#if TIFFLIB_VERSION >= 20221213
#define ETALON_HAS_TIFF 1

#define ETALON_TIFF_FUNCTIONS(X) \
  X(TIFFClientOpenExt) \
  X(TIFFClose) \
  X(TIFFGetField) \
  X(TIFFGetFieldDefaulted) \
  X(TIFFIsCODECConfigured) \
  X(TIFFIsTiled) \
  X(TIFFLastDirectory) \
  X(TIFFNumberOfDirectories) \
  X(TIFFOpenOptionsAlloc) \
  X(TIFFOpenOptionsFree) \
  X(TIFFOpenOptionsSetErrorHandlerExtR) \
  X(TIFFOpenOptionsSetMaxSingleMemAlloc) \
  X(TIFFOpenOptionsSetWarningHandlerExtR) \
  X(TIFFReadRGBAImageOriented) \
  X(TIFFReadScanline) \
  X(TIFFReadTile) \
  X(TIFFScanlineSize64) \
  X(TIFFSetField) \
  X(TIFFTileRowSize64) \
  X(TIFFTileSize64)

#define ETALON_MEMBER(name) __typeof__(name) *name;

typedef struct {
  ETALON_TIFF_FUNCTIONS(ETALON_MEMBER)
} EtalonTIFF;

/// The functions, opened once; NULL where the library is missing, with the reason.
const EtalonTIFF *etalon_tiff(ctiff_message *message);

#endif
#endif
#endif

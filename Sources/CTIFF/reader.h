// A file that is being read.
#ifndef ETALON_TIFF_READER_H
#define ETALON_TIFF_READER_H

#include "libtiff.h"

#ifdef ETALON_HAS_TIFF

/// How samples become pixels.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// As they come from libtiff.
  unsigned bits;
  unsigned samples;
  bool is_float;
  bool is_inverted;
  bool is_planar;
  /// Read with libtiff's own conversion to colors, because chroma may be stored at half the size.
  bool is_converted;
  /// The sample of the channels r, g, b and a; -1 for alpha that is not there.
  int source[4];
  /// Bytes of a channel of the pixels.
  unsigned width_of_channel;
  /// A color table with entries of the width of a channel; empty where samples are colors.
  bool has_palette;
  uint16_t palette[3][256];
} etalon_tiff_form;

/// Puts `count` pixels of samples at the beginning of `out`.
///
/// - plane: the sample that the row has of each pixel; -1 for all of them.
void etalon_tiff_put(const etalon_tiff_form *form, const uint8_t *samples, int plane, size_t count, uint8_t *out);

#endif
#endif

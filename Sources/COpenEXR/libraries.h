// OpenEXR's functions as a table that is filled at run time. Code of the shim calls `exr.exr_finish(...)`.
#ifndef ETALON_EXR_LIBRARIES_H
#define ETALON_EXR_LIBRARIES_H

#include "COpenEXR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sets a message; returns false.
bool etalon_exr_tell(EtalonEXRMessage *message, EtalonEXRCode code, const char *operation, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Where pixels of the display window go, and where they come from.
typedef struct {
  EtalonEXRWindow data, display;
  const int32_t *sources;
  float *pixels;
} EtalonEXRTarget;

/// Reads a part with the library in C++.
///
/// `names` are those of the channels of `sources`; rows are read so many at a time, which is a multiple of what is packed together.
bool etalon_exr_read_with_cxx(
    const uint8_t *bytes, size_t count, int32_t part, const char *const names[4], const EtalonEXRTarget *target, int32_t rows_at_once,
    EtalonEXRMessage *message);

/// Puts a row of one channel of floats into the picture; `left` is the column of its first number, and rows that are not shown are ignored.
void etalon_exr_place(const EtalonEXRTarget *target, int32_t channel, int32_t row, int32_t left, int32_t width, const float *numbers);

void etalon_exr_floats_from_halves(const uint8_t *halves, size_t count, float *floats);
/// Takes every fourth number.
void etalon_exr_halves_from_pixels(const float *pixels, size_t count, uint8_t *halves);

#ifdef __cplusplus
}
#endif

#if __has_include(<OpenEXR/openexr.h>) && !defined(__cplusplus)
#define ETALON_HAS_OPENEXR 1

#include <OpenEXR/openexr.h>

#define ETALON_EXR_FUNCTIONS(X) \
  X(exr_add_channel) \
  X(exr_add_part) \
  X(exr_attr_get_chromaticities) \
  X(exr_attr_set_string) \
  X(exr_decoding_choose_default_routines) \
  X(exr_decoding_destroy) \
  X(exr_decoding_initialize) \
  X(exr_decoding_run) \
  X(exr_decoding_update) \
  X(exr_encoding_choose_default_routines) \
  X(exr_encoding_destroy) \
  X(exr_encoding_initialize) \
  X(exr_encoding_run) \
  X(exr_encoding_update) \
  X(exr_finish) \
  X(exr_get_attribute_by_index) \
  X(exr_get_attribute_count) \
  X(exr_get_channels) \
  X(exr_get_chunk_count) \
  X(exr_get_compression) \
  X(exr_get_count) \
  X(exr_get_data_window) \
  X(exr_get_default_error_message) \
  X(exr_get_display_window) \
  X(exr_get_name) \
  X(exr_get_scanlines_per_chunk) \
  X(exr_get_storage) \
  X(exr_get_tile_descriptor) \
  X(exr_initialize_required_attr) \
  X(exr_read_scanline_chunk_info) \
  X(exr_read_tile_chunk_info) \
  X(exr_set_longname_support) \
  X(exr_start_read) \
  X(exr_start_write) \
  X(exr_write_header) \
  X(exr_write_scanline_chunk_info)

typedef struct {
#define ETALON_EXR_DECLARE(name) __typeof__(&name) name;
  ETALON_EXR_FUNCTIONS(ETALON_EXR_DECLARE)
#undef ETALON_EXR_DECLARE
} EtalonEXRFunctions;

/// The functions; filled once `etalon_exr_library` returned true.
extern EtalonEXRFunctions exr;

/// The last words of the library about a file.
typedef struct {
  char text[320];
} EtalonEXRWords;

/// Whether memory was refused since the library was listened to.
bool etalon_exr_lacks_memory(void);
/// Sets a message about a call that failed, with what the library said last; returns false.
bool etalon_exr_fail(EtalonEXRMessage *message, const char *operation, exr_result_t result, const EtalonEXRWords *words);
#endif

#endif

// What an ordinary program does: libpng with its default settings, RGBA in, a file in memory out.
#ifndef LIBPNG_BASELINE_H
#define LIBPNG_BASELINE_H

#include <stddef.h>
#include <stdint.h>

/// The size of the file, 0 when libpng fails.
size_t libpng_baseline_encode(const uint8_t *rgba, uint32_t width, uint32_t height);

#endif

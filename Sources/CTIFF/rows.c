// Turns samples of any depth into pixels of four channels.
#include "reader.h"

#ifdef ETALON_HAS_TIFF
#include <string.h>

static inline uint32_t sample_at(const uint8_t *samples, size_t index, unsigned bits) {
  switch (bits) {
    case 8: return samples[index];
    case 16: {
      uint16_t word;
      memcpy(&word, samples + 2 * index, sizeof word);
      return word;
    }
    case 32: {
      uint32_t word;
      memcpy(&word, samples + 4 * index, sizeof word);
      return word;
    }
    default: {
      // Samples of 1, 2 and 4 bits lie from the highest bit of a byte down.
      size_t bit = index * bits;
      return (samples[bit >> 3] >> (8 - bits - (bit & 7))) & ((1u << bits) - 1);
    }
  }
}

static inline void store(uint8_t *out, unsigned width, uint32_t value) {
  for (unsigned byte = 0; byte < width; byte++) out[byte] = (uint8_t)(value >> (8 * byte));
}

// A sample as a channel: small ones become fractions of 255, dark where white is the smallest number.
static inline uint32_t channel(const etalon_tiff_form *form, uint32_t sample) {
  if (form->is_float) return sample;
  uint32_t largest = form->bits >= 16 ? 0xFFFF : (1u << form->bits) - 1;
  if (form->is_inverted) sample = largest - sample;
  return form->bits < 8 ? sample * (255 / largest) : sample;
}

void etalon_tiff_put(const etalon_tiff_form *form, const uint8_t *samples, int plane, size_t count, uint8_t *out) {
  unsigned width = form->width_of_channel;
  unsigned step = plane < 0 ? form->samples : 1;
  for (int target = 0; target < 4; target++) {
    int source = form->source[target];
    if (source < 0 || (plane >= 0 && source != plane)) continue;
    size_t place = plane < 0 ? (size_t)source : 0;
    bool is_color = target < 3;
    for (size_t pixel = 0; pixel < count; pixel++, place += step) {
      uint32_t sample = sample_at(samples, place, form->bits);
      uint32_t value = 0;
      if (is_color && form->has_palette) {
        value = form->palette[target][sample];
      } else if (is_color || !form->is_inverted) {
        value = channel(form, sample);
      } else {
        // Only color is upside down, not coverage.
        etalon_tiff_form plain = {.bits = form->bits, .is_float = form->is_float};
        value = channel(&plain, sample);
      }
      store(out + (pixel * 4 + (size_t)target) * width, width, value);
    }
  }
}

#endif

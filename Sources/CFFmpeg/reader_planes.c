// Takes pictures apart into planes, whatever order their samples have in memory. Values stay as they are.
#include "reader.h"

#if ETALON_HAS_FFMPEG
#include <string.h>

enum { fewestBits = 8, mostBits = 16 };

const char *etalon_unsupported(enum AVPixelFormat format) {
  const AVPixFmtDescriptor *description = ff.av_pix_fmt_desc_get(format);
  if (!description) return "unknown";
  if (format == AV_PIX_FMT_PAL8) return NULL;
  const uint64_t others = AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT |
                          AV_PIX_FMT_FLAG_PAL;
  if ((description->flags & others) || strncmp(description->name, "xyz", 3) == 0) return description->name;
  for (int index = 0; index < description->nb_components; index++) {
    const AVComponentDescriptor *component = &description->comp[index];
    if (component->depth != description->comp[0].depth || component->depth < fewestBits || component->depth + component->shift > mostBits) {
      return description->name;
    }
  }
  return NULL;
}

void etalon_pixel_layout(enum AVPixelFormat format, EtalonPixelLayout *layout) {
  const AVPixFmtDescriptor *description = ff.av_pix_fmt_desc_get(format);
  bool has_palette = format == AV_PIX_FMT_PAL8;
  bool is_rgb = has_palette || (description->flags & AV_PIX_FMT_FLAG_RGB);
  int count = has_palette ? ETALON_MOST_PLANES : description->nb_components;
  *layout = (EtalonPixelLayout){
      .name = description->name,
      .layout = is_rgb ? ETALON_LAYOUT_RGB : count <= 2 ? ETALON_LAYOUT_GRAY : ETALON_LAYOUT_YCBCR,
      .has_alpha = count % 2 == 0,
      .bits = description->comp[0].depth,
      .chroma_shift_x = description->log2_chroma_w,
      .chroma_shift_y = description->log2_chroma_h,
      .plane_count = count,
  };
}

void etalon_plane_size(const EtalonFrame *opaque, int32_t plane, int32_t *width, int32_t *height) {
  const AVFrame *frame = (const AVFrame *)opaque;
  EtalonPixelLayout layout;
  etalon_pixel_layout(frame->format, &layout);
  bool is_chroma = layout.layout == ETALON_LAYOUT_YCBCR && (plane == 1 || plane == 2);
  *width = is_chroma ? AV_CEIL_RSHIFT(frame->width, layout.chroma_shift_x) : frame->width;
  *height = is_chroma ? AV_CEIL_RSHIFT(frame->height, layout.chroma_shift_y) : frame->height;
}

// The palette holds alpha, red, green and blue from the highest byte of a word down.
static void copy_palette_row(const AVFrame *frame, const uint8_t *row, int shift, uint8_t *bytes, int width) {
  const uint32_t *palette = (const uint32_t *)frame->data[1];
  for (int x = 0; x < width; x++) bytes[x] = (uint8_t)(palette[row[x]] >> shift);
}

static void copy_bytes_row(const uint8_t *row, const AVComponentDescriptor *component, uint8_t *bytes, int width) {
  unsigned mask = (1u << component->depth) - 1;
  for (int x = 0; x < width; x++) bytes[x] = (uint8_t)((row[(ptrdiff_t)x * component->step] >> component->shift) & mask);
}

static void copy_words_row(
    const uint8_t *row, const AVComponentDescriptor *component, bool is_big_endian, uint8_t *bytes, int width) {
  unsigned mask = (1u << component->depth) - 1;
  int low = is_big_endian ? 1 : 0;
  for (int x = 0; x < width; x++) {
    const uint8_t *place = row + (ptrdiff_t)x * component->step;
    unsigned word = place[low] | (unsigned)place[1 - low] << 8;
    uint16_t value = (uint16_t)((word >> component->shift) & mask);
    memcpy(bytes + 2 * (size_t)x, &value, sizeof value);
  }
}

void etalon_copy_plane(const EtalonFrame *opaque, int32_t plane, uint8_t *bytes) {
  const AVFrame *frame = (const AVFrame *)opaque;
  const AVPixFmtDescriptor *description = ff.av_pix_fmt_desc_get(frame->format);
  static const int paletteShifts[ETALON_MOST_PLANES] = {16, 8, 0, 24};
  bool has_palette = frame->format == AV_PIX_FMT_PAL8;
  const AVComponentDescriptor *component = &description->comp[has_palette ? 0 : plane];
  int width, height;
  etalon_plane_size(opaque, plane, &width, &height);
  bool is_big_endian = (description->flags & AV_PIX_FMT_FLAG_BE) != 0;
  bool is_byte = component->shift + component->depth <= 8;
  size_t row_bytes = (size_t)width * (component->depth > 8 ? 2 : 1);
  bool is_plain = component->shift == 0 && component->step == (is_byte ? 1 : 2) && (is_byte || !is_big_endian);
  for (int y = 0; y < height; y++, bytes += row_bytes) {
    const uint8_t *row = frame->data[component->plane] + (ptrdiff_t)y * frame->linesize[component->plane] + component->offset;
    if (has_palette) {
      copy_palette_row(frame, row, paletteShifts[plane], bytes, width);
    } else if (is_plain) {
      memcpy(bytes, row, row_bytes);
    } else if (is_byte) {
      copy_bytes_row(row + is_big_endian, component, bytes, width);
    } else {
      copy_words_row(row, component, is_big_endian, bytes, width);
    }
  }
}

#endif

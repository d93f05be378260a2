// Decodes sound: samples of every kind become floats, one channel after the other. Rates and channels stay as they are.
#include "reader.h"

#if ETALON_HAS_FFMPEG

EtalonVideoCode etalon_next_sound(EtalonReader *reader, EtalonSoundInfo *info, EtalonVideoMessage *message) {
  AVFrame *sound = reader->sound;
  ff.av_frame_unref(sound);
  if (reader->first) {
    ff.av_frame_move_ref(sound, reader->first);
    ff.av_frame_free(&reader->first);
  } else {
    EtalonVideoCode code = etalon_decode(reader, sound, message);
    if (code != ETALON_VIDEO_OK) return code;
  }
  if (sound->decode_error_flags || (sound->flags & AV_FRAME_FLAG_CORRUPT)) reader->damaged++;
  *info = (EtalonSoundInfo){
      .time_stamp = sound->best_effort_timestamp,
      .sample_rate = sound->sample_rate,
      .channels = sound->ch_layout.nb_channels,
      .samples = sound->nb_samples,
  };
  return ETALON_VIDEO_OK;
}

// Whole numbers become fractions of their largest magnitude.
#define COPY(type, expression) \
  { \
    const type *source = (const type *)data + start; \
    for (int index = 0; index < count; index++) { \
      type value = source[(ptrdiff_t)index * step]; \
      samples[index] = (float)(expression); \
    } \
    break; \
  }

void etalon_copy_channel(EtalonReader *reader, int32_t channel, float *samples) {
  const AVFrame *sound = reader->sound;
  enum AVSampleFormat format = sound->format;
  bool is_planar = ff.av_sample_fmt_is_planar(format);
  int count = sound->nb_samples, step = is_planar ? 1 : sound->ch_layout.nb_channels;
  const uint8_t *data = sound->extended_data[is_planar ? channel : 0];
  int start = is_planar ? 0 : channel;
  switch (ff.av_get_planar_sample_fmt(format)) {
  case AV_SAMPLE_FMT_U8P: COPY(uint8_t, (value - 128) / 128.0)
  case AV_SAMPLE_FMT_S16P: COPY(int16_t, value / 32768.0)
  case AV_SAMPLE_FMT_S32P: COPY(int32_t, value / 2147483648.0)
  case AV_SAMPLE_FMT_S64P: COPY(int64_t, (double)value / 9223372036854775808.0)
  case AV_SAMPLE_FMT_FLTP: COPY(float, value)
  case AV_SAMPLE_FMT_DBLP: COPY(double, value)
  default:
    for (int index = 0; index < count; index++) samples[index] = 0;
  }
}

#endif

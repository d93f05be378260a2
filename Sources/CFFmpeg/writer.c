// Writes videos: the table of functions, and what its files share.
#include "writer.h"

#if ETALON_HAS_FFMPEG
#include <string.h>

int64_t etalon_ticks(EtalonVideoFraction seconds, AVRational base) {
  __int128 top = (__int128)seconds.numerator * base.den;
  __int128 bottom = (__int128)seconds.denominator * base.num;
  __int128 half = bottom / 2;
  // Towards negative infinity, so that ticks of equal distance stay so on both sides of zero.
  __int128 sum = top + half;
  __int128 quotient = sum / bottom;
  if (sum % bottom < 0) quotient--;
  return (int64_t)quotient;
}

bool etalon_add_options(AVDictionary **dictionary, const EtalonOption *options, int32_t count) {
  for (int32_t index = 0; index < count; index++) {
    if (ff.av_dict_set(dictionary, options[index].name, options[index].value, 0) < 0) return false;
  }
  return true;
}

int32_t etalon_check_taken(const AVDictionary *rest, const char *operation, EtalonVideoMessage *message) {
  const AVDictionaryEntry *entry = ff.av_dict_get(rest, "", NULL, AV_DICT_IGNORE_SUFFIX);
  if (entry == NULL) return DONE;
  etalon_tell(message, ETALON_VIDEO_BAD_OPTION, operation, "the libraries have no option '%s'", entry->key);
  return FAILED;
}

static bool has_encoder(const char *codec) { return ff.avcodec_find_encoder_by_name(codec) != NULL; }

static bool has_container(const char *container) { return ff.av_guess_format(container, NULL, NULL) != NULL; }

static bool container_holds(const char *container, const char *codec) {
  const AVOutputFormat *format = ff.av_guess_format(container, NULL, NULL);
  const AVCodecDescriptor *descriptor = ff.avcodec_descriptor_get_by_name(codec);
  return format && descriptor && ff.avformat_query_codec(format, descriptor->id, FF_COMPLIANCE_NORMAL) == 1;
}

const EtalonWriting etalon_writing = {
    .has_encoder = has_encoder,
    .has_container = has_container,
    .container_holds = container_holds,
    .packet_new = etalon_packet_new,
    .packet_free = etalon_packet_free,
    .packet_contents = etalon_packet_contents,
    .packet_side_data = etalon_packet_side_data,
    .packet_set = etalon_packet_set,
    .packet_add = etalon_packet_add,
    .encoder_open = etalon_encoder_open,
    .encoder_send = etalon_encoder_send,
    .encoder_end = etalon_encoder_end,
    .encoder_receive = etalon_encoder_receive,
    .encoder_header = etalon_encoder_header,
    .encoder_close = etalon_encoder_close,
    .muxer_open = etalon_muxer_open,
    .muxer_add_video = etalon_muxer_add_video,
    .muxer_add_sound = etalon_muxer_add_sound,
    .muxer_begin = etalon_muxer_begin,
    .muxer_write = etalon_muxer_write,
    .muxer_finish = etalon_muxer_finish,
    .muxer_close = etalon_muxer_close,
    .sound_open = etalon_sound_open,
    .sound_copy = etalon_sound_copy,
    .sound_encode = etalon_sound_encode,
    .sound_next = etalon_sound_next,
    .sound_close = etalon_sound_close,
};

#endif

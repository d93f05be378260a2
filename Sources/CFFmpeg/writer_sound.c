// Reads the sound of another file, and gives its packets with time stamps behind the start of a range.
//
// A range begins in the middle of a packet, as a rule. Where the container has edit lists, that packet comes with a negative time stamp, and the ones
// that a decoder needs before it come, too: players start to decode there, and leave out what lies before zero. Elsewhere the first packet is the first
// that begins in the range: the sound begins up to one packet late, and stays in step. Uncompressed sound is cut to the sample.
#include "writer_sound.h"

#if ETALON_HAS_FFMPEG
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { mostPixels = 1 << 26, patienceMilliseconds = 10000 };

int32_t etalon_sound_fail(EtalonVideoMessage *message, EtalonVideoCode code, const char *operation, int error) {
  etalon_tell_error(message, code, operation, error);
  return FAILED;
}

// MARK: Opening

// Lists of files and movies whose samples are elsewhere are not followed.
static int refuse_to_open(AVFormatContext *container, AVIOContext **io, const char *address, int flags, AVDictionary **options) {
  (void)container, (void)io, (void)address, (void)flags, (void)options;
  return AVERROR(EPERM);
}

// Pictures of the file are not decoded, except where libavformat looks for properties of their streams, for which few pixels are enough.
static int find_properties(AVFormatContext *input) {
  unsigned count = input->nb_streams;
  AVDictionary **options = calloc(count ? count : 1, sizeof *options);
  if (options == NULL) return AVERROR(ENOMEM);
  for (unsigned index = 0; index < count; index++) ff.av_dict_set_int(&options[index], "max_pixels", mostPixels, 0);
  int result = ff.avformat_find_stream_info(input, options);
  for (unsigned index = 0; index < count; index++) ff.av_dict_free(&options[index]);
  free(options);
  return result;
}

static int32_t open_input(EtalonSoundSource *source, const char *path, EtalonVideoMessage *message) {
  EtalonReadOptions options = {.path = path, .patience_milliseconds = patienceMilliseconds};
  if (!etalon_source_open(&source->file, &options, message)) return FAILED;
  source->input = ff.avformat_alloc_context();
  if (source->input == NULL) return etalon_sound_fail(message, ETALON_VIDEO_NO_MEMORY, "avformat_alloc_context", AVERROR(ENOMEM));
  source->input->pb = source->file.io;
  source->input->io_open = refuse_to_open;
  // Without a name the form is told by content only. Frees the context if it fails.
  int result = ff.avformat_open_input(&source->input, "", NULL, NULL);
  if (result == AVERROR_INVALIDDATA) {
    etalon_tell(message, ETALON_VIDEO_UNSUPPORTED, "", "its form is not known");
    return FAILED;
  }
  if (result < 0) return etalon_sound_fail(message, ETALON_VIDEO_DAMAGED, "avformat_open_input", result);
  result = find_properties(source->input);
  return result < 0 ? etalon_sound_fail(message, ETALON_VIDEO_DAMAGED, "avformat_find_stream_info", result) : DONE;
}

// The sound of a number among all of the file, or the one that players take; -1 where there is none.
static int find_track(const AVFormatContext *input, int32_t track) {
  if (track < 0) return ff.av_find_best_stream((AVFormatContext *)input, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0);
  for (unsigned index = 0; index < input->nb_streams; index++) {
    if (input->streams[index]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO && track-- == 0) return (int)index;
  }
  return -1;
}

static int32_t choose_track(EtalonSoundSource *source, int32_t track, EtalonVideoMessage *message) {
  AVFormatContext *input = source->input;
  int found = find_track(input, track);
  if (found < 0 && track >= 0 && find_track(input, 0) >= 0) {
    etalon_tell(message, ETALON_VIDEO_UNSUPPORTED, "", "it has no sound track %d", track);
    return FAILED;
  }
  if (found < 0) {
    etalon_tell(message, ETALON_VIDEO_UNSUPPORTED, "", "it has no sound");
    return FAILED;
  }
  source->stream = input->streams[found];
  const AVCodecParameters *parameters = source->stream->codecpar;
  if (parameters->sample_rate <= 0 || parameters->ch_layout.nb_channels <= 0) {
    etalon_tell(message, ETALON_VIDEO_DAMAGED, "avformat_find_stream_info", "its sound has no rate or no channels");
    return FAILED;
  }
  for (unsigned index = 0; index < input->nb_streams; index++) {
    if ((int)index != found) input->streams[index]->discard = AVDISCARD_ALL;
  }
  source->isPCM = strncmp(ff.avcodec_get_name(parameters->codec_id), "pcm_", 4) == 0 && parameters->block_align > 0;
  return DONE;
}

static void set_range(EtalonSoundSource *source, EtalonVideoFraction start, bool countsFromBeginning, EtalonVideoFraction end) {
  const AVStream *stream = source->stream;
  // What lies before zero is the delay of a codec, which is not heard.
  bool isLater = stream->start_time != AV_NOPTS_VALUE && stream->start_time > 0;
  EtalonVideoFraction first = {.numerator = (isLater ? stream->start_time : 0) * stream->time_base.num, .denominator = stream->time_base.den};
  if (start.denominator == 0) {
    start = first;
  } else if (countsFromBeginning && first.numerator > 0) {
    start.numerator = start.numerator * first.denominator + first.numerator * start.denominator;
    start.denominator *= first.denominator;
  }
  source->start = start;
  source->end = end;
}

// Reading begins a second before the range, for decoders that need earlier packets. In files without time stamps it begins at the first packet, because
// those that libavformat makes up after a jump are not exact.
static void seek(EtalonSoundSource *source) {
  if (source->input->iformat->flags & AVFMT_GENERIC_INDEX) return;
  int64_t base = AV_TIME_BASE;
  int64_t start = etalon_ticks(source->start, (AVRational){1, AV_TIME_BASE}) - base;
  int64_t first = source->input->start_time == AV_NOPTS_VALUE ? 0 : source->input->start_time;
  if (start <= first) return;
  int64_t target = etalon_ticks((EtalonVideoFraction){start, base}, source->stream->time_base);
  ff.avformat_seek_file(source->input, source->stream->index, INT64_MIN, target, target, 0);
}

static void copy_text(char *text, size_t room, const char *value) { snprintf(text, room, "%s", value ? value : ""); }

static void copy_tag(char *text, size_t room, const AVDictionary *tags, const char *key) {
  const AVDictionaryEntry *entry = ff.av_dict_get(tags, key, NULL, 0);
  copy_text(text, room, entry ? entry->value : NULL);
}

static void describe(const EtalonSoundSource *source, EtalonSoundInformation *information) {
  const AVCodecParameters *parameters = source->stream->codecpar;
  const AVCodecDescriptor *descriptor = ff.avcodec_descriptor_get(parameters->codec_id);
  memset(information, 0, sizeof *information);
  copy_text(information->codec, sizeof information->codec, ff.avcodec_get_name(parameters->codec_id));
  copy_text(information->container, sizeof information->container, source->input->iformat->name);
  copy_tag(information->language, sizeof information->language, source->stream->metadata, "language");
  copy_tag(information->title, sizeof information->title, source->stream->metadata, "title");
  information->sampleRate = parameters->sample_rate;
  information->channels = parameters->ch_layout.nb_channels;
  int bits = parameters->bits_per_raw_sample ? parameters->bits_per_raw_sample : ff.av_get_exact_bits_per_sample(parameters->codec_id);
  information->bits = bits ? bits : parameters->bits_per_coded_sample;
  information->isLossless = descriptor && (descriptor->props & AV_CODEC_PROP_LOSSLESS) && !(descriptor->props & AV_CODEC_PROP_LOSSY);
}

EtalonSoundSource *etalon_sound_open(
    const char *path, int32_t track, EtalonVideoFraction start, bool countsFromBeginning, EtalonVideoFraction end, EtalonSoundInformation *information,
    EtalonVideoMessage *message) {
  EtalonSoundSource *source = calloc(1, sizeof *source);
  if (source == NULL) {
    etalon_sound_fail(message, ETALON_VIDEO_NO_MEMORY, "calloc", AVERROR(ENOMEM));
    return NULL;
  }
  etalon_log_begin();
  source->file.descriptor = -1;
  source->packet = ff.av_packet_alloc();
  source->held = ff.av_packet_alloc();
  source->earlier = ff.av_packet_alloc();
  bool hasMemory = source->packet && source->held && source->earlier;
  if (!hasMemory) etalon_sound_fail(message, ETALON_VIDEO_NO_MEMORY, "av_packet_alloc", AVERROR(ENOMEM));
  if (hasMemory && open_input(source, path, message) == DONE && choose_track(source, track, message) == DONE) {
    set_range(source, start, countsFromBeginning, end);
    seek(source);
    describe(source, information);
    return source;
  }
  etalon_sound_close(source);
  return NULL;
}

void etalon_sound_close(EtalonSoundSource *source) {
  etalon_recode_close(source);
  ff.av_packet_free(&source->packet);
  ff.av_packet_free(&source->held);
  ff.av_packet_free(&source->earlier);
  ff.avformat_close_input(&source->input);
  etalon_source_close(&source->file);
  free(source);
}

int etalon_sound_parameters(const EtalonSoundSource *source, AVCodecParameters *parameters, AVRational *base) {
  *base = source->base;
  if (source->encoder) return ff.avcodec_parameters_from_context(parameters, source->encoder);
  return ff.avcodec_parameters_copy(parameters, source->stream->codecpar);
}

// MARK: Reading

int32_t etalon_sound_read(EtalonSoundSource *source, EtalonVideoMessage *message) {
  while (true) {
    ff.av_packet_unref(source->packet);
    int result = ff.av_read_frame(source->input, source->packet);
    if (result == AVERROR_EOF) return NOTHING;
    if (result < 0) return etalon_sound_fail(message, ETALON_VIDEO_CANNOT_READ, "av_read_frame", result);
    if (source->packet->stream_index == source->stream->index) return DONE;
  }
}

int64_t etalon_sound_end(const EtalonSoundSource *source, AVRational base) {
  if (source->end.denominator == 0) return INT64_MAX;
  return etalon_ticks(source->end, base) - etalon_ticks(source->start, base);
}

// MARK: Packets as they are

int32_t etalon_sound_copy(EtalonSoundSource *source, bool keepsEarlier, EtalonVideoMessage *message) {
  (void)message;
  source->keepsEarlier = keepsEarlier;
  // Packets of lossless codecs stand for themselves, and FFmpeg 7 leaves out too much where the first one is not heard at all.
  enum AVCodecID codec = source->stream->codecpar->codec_id;
  source->needsEarlier = keepsEarlier && !source->isPCM && codec != AV_CODEC_ID_ALAC && codec != AV_CODEC_ID_FLAC;
  source->base = (AVRational){1, source->stream->codecpar->sample_rate};
  return DONE;
}

// The samples at the beginning of Opus that are not heard, which Matroska has a word for.
static int64_t delay(const EtalonSoundSource *source) {
  const AVCodecParameters *parameters = source->stream->codecpar;
  return parameters->codec_id == AV_CODEC_ID_OPUS ? parameters->initial_padding : 0;
}

// Times count samples behind the start. Files that count milliseconds give times beside the sample at which a packet begins; as long as they agree with
// the packets before, those are taken.
static void set_times(EtalonSoundSource *source) {
  AVPacket *packet = source->packet;
  AVRational tick = source->stream->time_base;
  int64_t rough = ff.av_rescale_q(1, tick, source->base) + 1;
  int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
  bool isKnown = time != AV_NOPTS_VALUE;
  time = isKnown ? ff.av_rescale_q(time, tick, source->base) - etalon_ticks(source->start, source->base) : source->next;
  int64_t told = packet->duration > 0 ? ff.av_rescale_q(packet->duration, tick, source->base) : 0;
  int64_t counted = ff.av_get_audio_frame_duration2(source->stream->codecpar, packet->size);
  bool agrees = counted > 0 && (told == 0 || llabs(counted - told) <= rough);
  packet->duration = agrees ? counted : told > 0 ? told : 1;
  int64_t expected = source->next != 0 ? source->next : -delay(source);
  if (expected != 0 && llabs(time - expected) <= rough) time = expected;
  packet->pts = packet->dts = time;
  source->next = time + packet->duration;
}

// Cuts samples off the front of an uncompressed packet.
static void drop_samples(const EtalonSoundSource *source, AVPacket *packet, int64_t count) {
  int64_t bytes = count * source->stream->codecpar->block_align;
  if (count <= 0 || bytes >= packet->size) return;
  packet->data += bytes;
  packet->size -= (int)bytes;
  packet->pts = packet->dts = packet->pts + count;
  packet->duration -= count;
}

// Shortens a packet so that it ends with the range. What is compressed keeps its bytes: players leave out what is behind the duration.
static void shorten(const EtalonSoundSource *source, AVPacket *packet, int64_t end) {
  if (packet->pts + packet->duration <= end) return;
  packet->duration = end - packet->pts;
  int64_t bytes = packet->duration * source->stream->codecpar->block_align;
  if (source->isPCM && bytes < packet->size) ff.av_shrink_packet(packet, (int)bytes);
}

// How far before the start a packet may begin.
static int64_t earliest(const EtalonSoundSource *source) {
  return source->keepsEarlier || source->isPCM ? INT64_MIN : -delay(source);
}

// Reads up to the first packet that is heard.
static int32_t begin(EtalonSoundSource *source, EtalonVideoMessage *message) {
  while (true) {
    int32_t result = etalon_sound_read(source, message);
    if (result != DONE) return result;
    set_times(source);
    AVPacket *packet = source->packet;
    if (packet->pts + packet->duration > 0 && packet->pts >= earliest(source)) break;
    if (!source->needsEarlier) continue;
    ff.av_packet_unref(source->earlier);
    ff.av_packet_move_ref(source->earlier, packet);
  }
  source->hasBegun = true;
  if (source->isPCM) drop_samples(source, source->packet, -source->packet->pts);
  return DONE;
}

static int32_t hold_next(EtalonSoundSource *source, EtalonVideoMessage *message) {
  int32_t result = DONE;
  if (!source->hasBegun) {
    result = begin(source, message);
  } else if (source->packet->data == NULL) {
    result = etalon_sound_read(source, message);
    if (result == DONE) set_times(source);
  }
  if (result != DONE) return result;
  bool joins = source->earlier->data && source->earlier->pts + source->earlier->duration == source->packet->pts;
  ff.av_packet_move_ref(source->held, joins ? source->earlier : source->packet);
  ff.av_packet_unref(source->earlier);
  int64_t end = etalon_sound_end(source, source->base);
  if (source->held->pts >= end) {
    ff.av_packet_unref(source->held);
    return NOTHING;
  }
  shorten(source, source->held, end);
  return DONE;
}

static int32_t copy_next(EtalonSoundSource *source, int64_t limit, bool isLast, AVPacket *packet, EtalonVideoMessage *message) {
  AVPacket *held = source->held;
  if (source->inputHasEnded) return NOTHING;
  if (held->data == NULL) {
    int32_t result = hold_next(source, message);
    source->inputHasEnded = result != DONE;
    if (result != DONE) return result;
  }
  if (held->pts >= limit || (!isLast && held->pts + held->duration > limit)) return NOTHING;
  shorten(source, held, limit);
  ff.av_packet_unref(packet);
  ff.av_packet_move_ref(packet, held);
  return DONE;
}

int32_t etalon_sound_next(
    EtalonSoundSource *source, EtalonVideoFraction limit, bool isLast, EtalonPacket *packet, EtalonVideoMessage *message) {
  etalon_log_begin();
  int64_t ticks = etalon_ticks(limit, source->base);
  if (source->encoder) return etalon_recode_next(source, ticks, isLast, packet_of(packet), message);
  return copy_next(source, ticks, isLast, packet_of(packet), message);
}

#endif

// Writes packets of several tracks into one file.
#include "writer.h"

#if ETALON_HAS_FFMPEG
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { trackLimit = 2 };

struct EtalonMuxer {
  AVFormatContext *context;
  AVDictionary *options;
  // The ticks of the packets that each track is given.
  AVRational bases[trackLimit];
  // What is added to the time stamps of each track.
  int64_t shifts[trackLimit];
  bool hasBegun;
  // What muxers of many files do not tell: the first error of one of them.
  int fileError;
  int (*openFile)(AVFormatContext *, AVIOContext **, const char *, int, AVDictionary **);
  char *openName;
};

// An error of the file itself stays in its `AVIOContext`, and tells more than the one that a muxer made of it.
static int32_t fail(const EtalonMuxer *muxer, EtalonVideoMessage *message, const char *operation, int error) {
  const AVIOContext *file = muxer->context ? muxer->context->pb : NULL;
  int fileError = file && file->error < 0 ? file->error : muxer->fileError;
  if (fileError) etalon_log_begin();
  etalon_tell_error(message, ETALON_VIDEO_CANNOT_WRITE, operation, fileError ? fileError : error);
  return FAILED;
}

static int file_error(const EtalonMuxer *muxer) {
  const AVIOContext *file = muxer->context->pb;
  return file && file->error < 0 ? file->error : muxer->fileError;
}

static void keep_error(EtalonMuxer *muxer, int error) {
  if (error < 0 && muxer->fileError == 0) muxer->fileError = error;
}

static int open_part(AVFormatContext *context, AVIOContext **file, const char *name, int flags, AVDictionary **options) {
  EtalonMuxer *muxer = context->opaque;
  int result = muxer->openFile(context, file, name, flags, options);
  keep_error(muxer, result);
  free(muxer->openName);
  muxer->openName = strdup(strncmp(name, "file:", 5) == 0 ? name + 5 : name);
  return result;
}

// A part that could not be written is removed, so that it is not taken for a whole one.
static int close_part(AVFormatContext *context, AVIOContext *file) {
  EtalonMuxer *muxer = context->opaque;
  ff.avio_flush(file);
  int error = file->error, result = ff.avio_closep(&file);
  if (error >= 0) error = result;
  if (error < 0 && muxer->openName) unlink(muxer->openName);
  keep_error(muxer, error);
  return error;
}

#if LIBAVFORMAT_VERSION_INT < AV_VERSION_INT(59, 12, 100)
static void close_part_quietly(AVFormatContext *context, AVIOContext *file) { close_part(context, file); }
#endif

static int32_t open_file(EtalonMuxer *muxer, const EtalonMuxerSettings *settings, EtalonVideoMessage *message) {
  int result = ff.avformat_alloc_output_context2(&muxer->context, NULL, settings->container, NULL);
  if (result < 0) return fail(muxer, message, "avformat_alloc_output_context2", result);
  AVFormatContext *context = muxer->context;
  // Neither dates nor versions, so that the same frames give the same bytes.
  context->flags |= AVFMT_FLAG_BITEXACT;
  if (!etalon_add_options(&muxer->options, settings->options, settings->optionCount) ||
      !etalon_add_options(&context->metadata, settings->metadata, settings->metadataCount)) {
    return fail(muxer, message, "av_dict_set", AVERROR(ENOMEM));
  }
  // The prefix keeps names with a colon from being taken for a protocol. The context opens the file again to move the index to its front.
  size_t room = strlen(settings->path) + sizeof "file:";
  context->url = ff.av_malloc(room);
  if (context->url == NULL) return fail(muxer, message, "av_malloc", AVERROR(ENOMEM));
  snprintf(context->url, room, "file:%s", settings->path);
  if (context->oformat->flags & AVFMT_NOFILE) {
    muxer->openFile = context->io_open;
    context->opaque = muxer;
    context->io_open = open_part;
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(59, 12, 100)
    context->io_close2 = close_part;
#else
    context->io_close = close_part_quietly;
#endif
    return DONE;
  }
  result = ff.avio_open2(&context->pb, context->url, AVIO_FLAG_WRITE, NULL, NULL);
  return result < 0 ? fail(muxer, message, "open", result) : DONE;
}

EtalonMuxer *etalon_muxer_open(const EtalonMuxerSettings *settings, EtalonVideoMessage *message) {
  EtalonMuxer *muxer = calloc(1, sizeof *muxer);
  if (muxer == NULL) {
    etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "calloc", AVERROR(ENOMEM));
    return NULL;
  }
  etalon_log_begin();
  if (open_file(muxer, settings, message) == DONE) return muxer;
  etalon_muxer_close(muxer);
  return NULL;
}

void etalon_muxer_close(EtalonMuxer *muxer) {
  if (muxer->context) {
    if (muxer->context->pb) ff.avio_closep(&muxer->context->pb);
    ff.avformat_free_context(muxer->context);
  }
  ff.av_dict_free(&muxer->options);
  free(muxer->openName);
  free(muxer);
}

// MARK: Tracks

static int set_side_data(AVStream *stream, enum AVPacketSideDataType kind, const void *data, size_t bytes) {
#if LIBAVFORMAT_VERSION_INT < AV_VERSION_INT(60, 15, 100)
  uint8_t *place = ff.av_stream_new_side_data(stream, kind, bytes);
#else
  AVCodecParameters *parameters = stream->codecpar;
  AVPacketSideData *entry = ff.av_packet_side_data_new(
      &parameters->coded_side_data, &parameters->nb_coded_side_data, kind, bytes, 0);
  uint8_t *place = entry ? entry->data : NULL;
#endif
  if (place == NULL) return AVERROR(ENOMEM);
  memcpy(place, data, bytes);
  return 0;
}

// The volume of colors of SMPTE ST 2086: the primaries and the white of ITU-R BT.2020, from 0.0001 candela per square meter on.
static int set_light(AVStream *stream, EtalonLight light) {
  AVMasteringDisplayMetadata display = {
      .display_primaries = {{{708, 1000}, {292, 1000}}, {{170, 1000}, {797, 1000}}, {{131, 1000}, {46, 1000}}},
      .white_point = {{3127, 10000}, {3290, 10000}},
      .min_luminance = {1, 10000},
      .max_luminance = {light.peak, 1},
      .has_primaries = 1,
      .has_luminance = 1,
  };
  int result = set_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &display, sizeof display);
  AVContentLightMetadata content = {.MaxCLL = light.brightest, .MaxFALL = light.brightestMean};
  return result < 0 ? result : set_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &content, sizeof content);
}

// How pictures are turned, and how bright they are. From version 60.15.100 on this is a part of the parameters of the codec, which have to be there.
static int set_picture_data(AVStream *stream, const EtalonTrackSettings *settings) {
  int result = 0;
  if (settings->displayMatrix) {
    result = set_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, settings->displayMatrix, 9 * sizeof *settings->displayMatrix);
  }
  return result >= 0 && settings->light.peak > 0 ? set_light(stream, settings->light) : result;
}

static AVStream *add_track(EtalonMuxer *muxer, const EtalonTrackSettings *settings, EtalonVideoMessage *message) {
  AVStream *stream = muxer->context->nb_streams < trackLimit ? ff.avformat_new_stream(muxer->context, NULL) : NULL;
  int result = stream ? 0 : AVERROR(ENOMEM);
  if (result >= 0 && !etalon_add_options(&stream->metadata, settings->metadata, settings->metadataCount)) result = AVERROR(ENOMEM);
  if (result >= 0) return stream;
  fail(muxer, message, "avformat_new_stream", result);
  return NULL;
}

int32_t etalon_muxer_add_video(
    EtalonMuxer *muxer, const EtalonEncoder *encoder, const EtalonTrackSettings *settings, EtalonVideoMessage *message) {
  const AVCodecContext *context = etalon_encoder_context(encoder);
  AVStream *stream = add_track(muxer, settings, message);
  if (stream == NULL) return FAILED;
  int result = ff.avcodec_parameters_from_context(stream->codecpar, context);
  if (result < 0) return fail(muxer, message, "avcodec_parameters_from_context", result);
  result = set_picture_data(stream, settings);
  if (result < 0) return fail(muxer, message, "av_packet_side_data_new", result);
  stream->time_base = context->time_base;
  stream->sample_aspect_ratio = context->sample_aspect_ratio;
  // QuickTime's name for parameter sets that stand in the header only; Apple's players know HEVC by no other.
  const char *container = muxer->context->oformat->name;
  bool isMovie = strcmp(container, "mp4") == 0 || strcmp(container, "mov") == 0;
  if (context->codec_id == AV_CODEC_ID_HEVC && isMovie) stream->codecpar->codec_tag = MKTAG('h', 'v', 'c', '1');
  if (context->framerate.num) stream->avg_frame_rate = stream->r_frame_rate = context->framerate;
  muxer->bases[stream->index] = context->time_base;
  return stream->index;
}

// Matroska has an element for the samples of Opus that are not heard, by which players shift the sound. Up to version 59.30.100 libavformat writes the
// element without adding the delay to the time stamps; later it does so, and for other codecs, too, whose first packets are left out here.
static void set_delay(EtalonMuxer *muxer, AVStream *stream) {
  const char *container = muxer->context->oformat->name;
  AVCodecParameters *parameters = stream->codecpar;
  if (strcmp(container, "matroska") != 0 && strcmp(container, "webm") != 0) return;
  if (parameters->codec_id != AV_CODEC_ID_OPUS) {
    parameters->initial_padding = 0;
  } else if (ff.avformat_version() <= AV_VERSION_INT(59, 30, 100)) {
    muxer->shifts[stream->index] = parameters->initial_padding;
  }
}

int32_t etalon_muxer_add_sound(
    EtalonMuxer *muxer, const EtalonSoundSource *source, const EtalonTrackSettings *settings, EtalonVideoMessage *message) {
  AVStream *stream = add_track(muxer, settings, message);
  if (stream == NULL) return FAILED;
  AVRational *base = &muxer->bases[stream->index];
  int result = etalon_sound_parameters(source, stream->codecpar, base);
  if (result < 0) return fail(muxer, message, "avcodec_parameters_copy", result);
  stream->codecpar->codec_tag = 0;
  set_delay(muxer, stream);
  stream->time_base = *base;
  stream->disposition |= AV_DISPOSITION_DEFAULT;
  return stream->index;
}

// MARK: Packets

int32_t etalon_muxer_begin(EtalonMuxer *muxer, EtalonVideoMessage *message) {
  etalon_log_begin();
  int result = ff.avformat_write_header(muxer->context, &muxer->options);
  if (result < 0) return fail(muxer, message, "avformat_write_header", result);
  muxer->hasBegun = true;
  return etalon_check_taken(muxer->options, "avformat_write_header", message);
}

int32_t etalon_muxer_write(EtalonMuxer *muxer, int32_t track, EtalonPacket *packet, EtalonVideoMessage *message) {
  AVPacket *written = packet_of(packet);
  written->stream_index = track;
  written->pts += muxer->shifts[track];
  written->dts += muxer->shifts[track];
  ff.av_packet_rescale_ts(written, muxer->bases[track], muxer->context->streams[track]->time_base);
  etalon_log_begin();
  int result = ff.av_interleaved_write_frame(muxer->context, written);
  if (result >= 0) result = file_error(muxer);
  return result < 0 ? fail(muxer, message, "av_interleaved_write_frame", result) : DONE;
}

int32_t etalon_muxer_finish(EtalonMuxer *muxer, EtalonVideoMessage *message) {
  etalon_log_begin();
  int result = ff.av_write_trailer(muxer->context);
  if (result >= 0) result = file_error(muxer);
  if (result < 0) return fail(muxer, message, "av_write_trailer", result);
  if (muxer->context->pb) result = ff.avio_closep(&muxer->context->pb);
  return result < 0 ? fail(muxer, message, "close", result) : DONE;
}

#endif

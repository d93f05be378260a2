// Opens containers and decoders: only forms that are listed, and only from the file itself.
#include "reader.h"

#if ETALON_HAS_FFMPEG
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Forms that FFmpeg would read besides are playlists, lists of other files, devices, and single pictures.
static const char *const forms[] = {
    "mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "avi", "mpegts", "mpeg", "mpegvideo", "ogg", "flv", "gif", "apng", "yuv4mpegpipe", "ivf", "mxf",
    "asf", "wav", "w64", "aiff", "caf", "au", "flac", "mp3", "aac", "ac3", "eac3", "wv",
};

static bool is_listed(const char *name) {
  for (size_t index = 0; index < sizeof forms / sizeof *forms; index++) {
    if (strcmp(forms[index], name) == 0) return true;
  }
  return false;
}

// A movie may name other files as the place of its samples.
int etalon_refuse_to_open(
    AVFormatContext *container, AVIOContext **io, const char *address, int flags, AVDictionary **options) {
  (void)container, (void)io, (void)address, (void)flags, (void)options;
  return AVERROR(EPERM);
}

int etalon_interrupt(void *source) { return etalon_source_is_stopped(source); }

const char *etalon_forms(void) {
  static _Thread_local char list[512];
  list[0] = 0;
  for (size_t index = 0; index < sizeof forms / sizeof *forms; index++) {
    size_t length = strlen(list);
    snprintf(list + length, sizeof list - length, "%s%s", index ? "," : "", forms[index]);
  }
  return list;
}

EtalonVideoCode etalon_tell_closed(EtalonVideoMessage *message) {
  etalon_tell(message, ETALON_VIDEO_CANNOT_READ, "", "it could not be opened again");
  return message->code;
}

bool etalon_can_seek(const EtalonReader *reader) {
  const EtalonSource *source = &reader->source;
  if (etalon_source_is_local(source)) return !source->is_pipe;
  if (source->kind != ETALON_FROM_WEB) return false;
  const AVFormatContext *container = reader->container;
  // A playlist is open at its end until it is finished.
  if (strcmp(container->iformat->name, "hls") == 0) return container->duration != AV_NOPTS_VALUE;
  return container->pb && (container->pb->seekable & AVIO_SEEKABLE_NORMAL);
}

static bool fail(EtalonReader *reader, EtalonVideoMessage *message, EtalonVideoCode code, const char *operation, int error) {
  if (!etalon_source_was_stopped(&reader->source, message)) etalon_tell_error(message, code, operation, error);
  return false;
}

static const AVInputFormat *find_form(EtalonReader *reader, EtalonVideoMessage *message) {
  const AVInputFormat *form = NULL;
  etalon_log_begin();
  // By content only: without a name, text in a file with the ending of a video is not taken for a damaged video.
  int result = ff.av_probe_input_buffer2(reader->source.io, &form, "", NULL, 0, 0);
  if (etalon_source_was_stopped(&reader->source, message)) return NULL;
  if (result < 0 || form == NULL) {
    etalon_tell(message, ETALON_VIDEO_UNSUPPORTED, "", "its form is not known");
    return NULL;
  }
  if (!is_listed(form->name)) {
    etalon_tell(message, ETALON_VIDEO_UNSUPPORTED, "", "it looks like '%s', which is not read", form->name);
    return NULL;
  }
  return form;
}

bool etalon_is_picture(const AVStream *stream) {
  return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC);
}

static bool is_wanted(const EtalonReader *reader, const AVStream *stream) {
  return reader->options.sound ? stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO : etalon_is_picture(stream);
}

// The stream that was asked for, or the main one.
static AVStream *find_stream(EtalonReader *reader, EtalonVideoMessage *message) {
  AVFormatContext *container = reader->container;
  const char *kind = reader->options.sound ? "sound" : "video";
  int wanted = reader->options.stream, count = 0;
  AVStream *found = NULL, *only = NULL;
  for (unsigned index = 0; index < container->nb_streams; index++) {
    if (!is_wanted(reader, container->streams[index])) continue;
    only = container->streams[index];
    if (count++ == wanted) found = only;
  }
  if (count == 0) {
    etalon_tell(message, ETALON_VIDEO_UNSUPPORTED, "", "it has no %s", kind);
    return NULL;
  }
  if (wanted >= 0) {
    if (!found) etalon_tell(message, ETALON_VIDEO_UNSUPPORTED, "", "it has no %s stream %d, only %d", kind, wanted, count);
    return found;
  }
  int best = ff.av_find_best_stream(
      container, reader->options.sound ? AVMEDIA_TYPE_AUDIO : AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
  return best >= 0 && is_wanted(reader, container->streams[best]) ? container->streams[best] : only;
}

// Small files can say that they hold pictures of any size, so memory is bounded by the size of the file, as for single pictures.
static int64_t most_pixels(const EtalonReader *reader) {
  const int64_t plainPixels = 1 << 26, pixelsPerByte = 64;
  int64_t most = reader->options.most_pixels;
  if (!etalon_source_is_local(&reader->source) || reader->source.is_pipe || reader->source.size > most / pixelsPerByte) return most;
  int64_t allowed = reader->source.size * pixelsPerByte;
  if (allowed < plainPixels) allowed = plainPixels;
  return allowed < most ? allowed : most;
}

bool etalon_is_small_enough(EtalonReader *reader, int64_t width, int64_t height, EtalonVideoMessage *message) {
  int32_t side = reader->options.most_side;
  int64_t most = most_pixels(reader);
  if (width <= side && height <= side && width * height <= most) return true;
  etalon_tell(
      message, ETALON_VIDEO_TOO_LARGE, "", "its pictures are %lldx%lld, a side may have %d pixels and a picture of this file %lld",
      (long long)width, (long long)height, side, (long long)most);
  return false;
}

static bool is_stream_small_enough(EtalonReader *reader, const AVStream *stream, EtalonVideoMessage *message) {
  return etalon_is_small_enough(reader, stream->codecpar->width, stream->codecpar->height, message);
}

// Decoders that look for properties of streams have the same limit as ours.
static bool find_stream_info(EtalonReader *reader, EtalonVideoMessage *message) {
  AVFormatContext *container = reader->container;
  // Containers such as MPEG-TS add streams while they are read.
  unsigned count = container->nb_streams;
  AVDictionary **options = calloc(count ? count : 1, sizeof *options);
  for (unsigned index = 0; options && index < count; index++) {
    ff.av_dict_set_int(&options[index], "max_pixels", most_pixels(reader), 0);
  }
  // The usual 20 pictures for the rate may be more than a live stream has by now.
  if (!etalon_can_seek(reader)) container->fps_probe_size = 4;
  int result = ff.avformat_find_stream_info(container, options);
  for (unsigned index = 0; options && index < count; index++) ff.av_dict_free(&options[index]);
  free(options);
  return result >= 0 || fail(reader, message, ETALON_VIDEO_DAMAGED, "avformat_find_stream_info", result);
}

static bool open_local(EtalonReader *reader, EtalonVideoMessage *message) {
  const AVInputFormat *form = find_form(reader, message);
  if (form == NULL) return false;
  reader->container = ff.avformat_alloc_context();
  if (reader->container == NULL) return fail(reader, message, ETALON_VIDEO_NO_MEMORY, "avformat_alloc_context", AVERROR(ENOMEM));
  reader->container->pb = reader->source.io;
  reader->container->io_open = etalon_refuse_to_open;
  reader->container->interrupt_callback = (AVIOInterruptCB){.callback = etalon_interrupt, .opaque = &reader->source};
  etalon_log_begin();
  // Frees the context if it fails.
  int result = ff.avformat_open_input(&reader->container, reader->options.path, form, NULL);
  return result >= 0 || fail(reader, message, ETALON_VIDEO_DAMAGED, "avformat_open_input", result);
}

bool etalon_container_open(EtalonReader *reader, EtalonVideoMessage *message) {
  bool is_local = etalon_source_is_local(&reader->source);
  if (!(is_local ? open_local(reader, message) : etalon_address_open(reader, message))) return false;
  for (unsigned index = 0; index < reader->container->nb_streams; index++) {
    const AVStream *stream = reader->container->streams[index];
    if (is_wanted(reader, stream) && !is_stream_small_enough(reader, stream, message)) return false;
  }
  if (!find_stream_info(reader, message)) return false;
  if (etalon_source_is_stopped(&reader->source)) return !etalon_source_was_stopped(&reader->source, message);
  reader->stream = find_stream(reader, message);
  if (reader->stream == NULL || !is_stream_small_enough(reader, reader->stream, message)) return false;
  for (unsigned index = 0; index < reader->container->nb_streams; index++) {
    if (reader->container->streams[index] != reader->stream) reader->container->streams[index]->discard = AVDISCARD_ALL;
  }
  return true;
}

// FFmpeg's own decoders of VP8 and VP9 leave alpha out, which is a second stream in the side data of packets.
static const AVCodec *find_decoder(EtalonReader *reader, EtalonVideoMessage *message) {
  enum AVCodecID id = reader->stream->codecpar->codec_id;
  const AVDictionaryEntry *alpha = ff.av_dict_get(reader->stream->metadata, "alpha_mode", NULL, 0);
  bool has_alpha = alpha && strcmp(alpha->value, "1") == 0 && (id == AV_CODEC_ID_VP8 || id == AV_CODEC_ID_VP9);
  const AVCodec *codec = has_alpha ? ff.avcodec_find_decoder_by_name(id == AV_CODEC_ID_VP9 ? "libvpx-vp9" : "libvpx")
                                   : ff.avcodec_find_decoder(id);
  if (codec == NULL && has_alpha) {
    etalon_tell(message, ETALON_VIDEO_UNSUPPORTED, "", "it has alpha, which this build of FFmpeg cannot decode: it has no libvpx");
  } else if (codec == NULL) {
    etalon_tell(
        message, ETALON_VIDEO_UNSUPPORTED, "", "this build of FFmpeg has no decoder for its codec '%s'", ff.avcodec_get_name(id));
  }
  return codec;
}

bool etalon_decoder_open(EtalonReader *reader, EtalonVideoMessage *message) {
  const AVCodec *codec = find_decoder(reader, message);
  if (codec == NULL) return false;
  AVCodecContext *decoder = reader->decoder = ff.avcodec_alloc_context3(codec);
  if (decoder == NULL) return fail(reader, message, ETALON_VIDEO_NO_MEMORY, "avcodec_alloc_context3", AVERROR(ENOMEM));
  int result = ff.avcodec_parameters_to_context(decoder, reader->stream->codecpar);
  if (result < 0) return fail(reader, message, ETALON_VIDEO_DAMAGED, "avcodec_parameters_to_context", result);
  // Copied to the threads of the decoder, whose messages `keep` counts.
  decoder->opaque = reader->has_jumped ? &reader->remarks : &reader->complaints;
  decoder->pkt_timebase = reader->stream->time_base;
  decoder->max_pixels = most_pixels(reader);
  decoder->thread_count = reader->options.threads;
  // Otherwise the decoder of H.264 leaves out the last pictures after a start at a keyframe of an open group. What is not whole is marked.
  decoder->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
  // Cropping that does not fit the alignment of memory is done exactly.
  decoder->flags |= AV_CODEC_FLAG_UNALIGNED;
  // Frames of FLAC have checksums, without which changed samples are not noticed; those of other codecs are often wrong in whole files.
  if (codec->id == AV_CODEC_ID_FLAC) decoder->err_recognition |= AV_EF_CRCCHECK;
  etalon_log_begin();
  result = ff.avcodec_open2(decoder, codec, NULL);
  return result >= 0 || fail(reader, message, ETALON_VIDEO_UNSUPPORTED, "avcodec_open2", result);
}

#endif

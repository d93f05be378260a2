// Makes packets of frames.
#include "writer.h"

#if ETALON_HAS_FFMPEG
#include <stdlib.h>
#include <string.h>

// Encoders hold back fewer frames than this: libx264 up to 250 and one for each thread.
enum { timeCount = 1024, planeLimit = 4 };

struct EtalonEncoder {
  AVCodecContext *context;
  AVFrame *frame;
  // A packet whose duration is not known yet.
  AVPacket *held;
  EtalonPlaneOrder order;
  int planeCount;
  // Blue, green, red and alpha in turn.
  uint8_t *packed;
  // Whether frames follow each other at a fixed rate: then each lasts one tick.
  bool isRegular;
  // The time stamps of the last frames, a ring.
  int64_t times[timeCount];
  int64_t sent;
  int64_t received;
  // The time stamps of the first packet.
  int64_t firstTime;
  int64_t firstDecodingTime;
  bool hasEnded;
  int64_t end;
  bool isOpen;
  // Pictures that need none before: how many ticks lie between them, 0 where the encoder chooses, and when the next one is due.
  int64_t keyInterval, nextKey;
};

const AVCodecContext *etalon_encoder_context(const EtalonEncoder *encoder) { return encoder->context; }

static int32_t fail(EtalonVideoMessage *message, EtalonVideoCode code, const char *operation, int error) {
  etalon_tell_error(message, code, operation, error);
  return FAILED;
}

static void configure(AVCodecContext *context, const EtalonEncoderSettings *settings) {
  context->width = settings->width;
  context->height = settings->height;
  context->time_base = rational_of(settings->timeBase);
  if (settings->frameRate.denominator) context->framerate = rational_of(settings->frameRate);
  if (settings->pixelAspect.denominator) context->sample_aspect_ratio = rational_of(settings->pixelAspect);
  context->pix_fmt = ff.av_get_pix_fmt(settings->pixelFormat);
  context->color_range = (enum AVColorRange)settings->range;
  context->colorspace = (enum AVColorSpace)settings->matrix;
  context->color_primaries = (enum AVColorPrimaries)settings->primaries;
  context->color_trc = (enum AVColorTransferCharacteristic)settings->transfer;
  context->chroma_sample_location = (enum AVChromaLocation)settings->chromaLocation;
  context->thread_count = settings->threads;
  // libavcodec's own threads for frames would read the caller's planes after they were given back; encoders with threads of their own have copies.
  bool hasOwnThreads = context->codec->capabilities & AV_CODEC_CAP_OTHER_THREADS;
  context->thread_type = hasOwnThreads ? FF_THREAD_FRAME : FF_THREAD_SLICE;
  context->flags |= AV_CODEC_FLAG_BITEXACT;
  // Parameters of the stream stand before the first packet, as the containers ask for it.
  if (settings->planeOrder != ETALON_PLANES_PALETTE) context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
}

static int32_t open_context(EtalonEncoder *encoder, const EtalonEncoderSettings *settings, EtalonVideoMessage *message) {
  const AVCodec *codec = ff.avcodec_find_encoder_by_name(settings->codec);
  if (codec == NULL) {
    etalon_tell(message, ETALON_VIDEO_UNSUPPORTED, "avcodec_find_encoder_by_name", "libavcodec has no encoder '%s'", settings->codec);
    return FAILED;
  }
  encoder->context = ff.avcodec_alloc_context3(codec);
  encoder->frame = ff.av_frame_alloc();
  encoder->held = ff.av_packet_alloc();
  if (!encoder->context || !encoder->frame || !encoder->held) return fail(message, ETALON_VIDEO_NO_MEMORY, "avcodec_alloc_context3", AVERROR(ENOMEM));
  configure(encoder->context, settings);
  AVDictionary *options = NULL;
  if (!etalon_add_options(&options, settings->options, settings->optionCount)) {
    ff.av_dict_free(&options);
    return fail(message, ETALON_VIDEO_NO_MEMORY, "av_dict_set", AVERROR(ENOMEM));
  }
  etalon_log_begin();
  EtalonScheduling scheduling;
  etalon_scheduling_begin(&scheduling);
  int result = ff.avcodec_open2(encoder->context, codec, &options);
  etalon_scheduling_end(&scheduling);
  int32_t taken = result < 0 ? fail(message, ETALON_VIDEO_BAD_OPTION, "avcodec_open2", result)
                             : etalon_check_taken(options, "avcodec_open2", message);
  ff.av_dict_free(&options);
  encoder->isOpen = result >= 0;
  return taken;
}

EtalonEncoder *etalon_encoder_open(const EtalonEncoderSettings *settings, EtalonVideoMessage *message) {
  EtalonEncoder *encoder = calloc(1, sizeof *encoder);
  if (encoder == NULL) {
    etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "calloc", AVERROR(ENOMEM));
    return NULL;
  }
  encoder->order = settings->planeOrder;
  encoder->planeCount = settings->planeCount;
  encoder->isRegular = settings->frameRate.denominator != 0;
  encoder->keyInterval = settings->keyInterval;
  encoder->nextKey = INT64_MIN;
  if (open_context(encoder, settings, message) == DONE) return encoder;
  etalon_encoder_close(encoder);
  return NULL;
}

const uint8_t *etalon_encoder_header(const EtalonEncoder *encoder, int32_t *byteCount) {
  *byteCount = encoder->context->extradata_size;
  return encoder->context->extradata;
}

static void send_black_frame(EtalonEncoder *encoder) {
  AVFrame *frame = encoder->frame;
  frame->width = encoder->context->width;
  frame->height = encoder->context->height;
  frame->format = encoder->context->pix_fmt;
  frame->pts = 0;
  int result = ff.av_frame_get_buffer(frame, 0);
  for (int plane = 0; result >= 0 && frame->buf[plane]; plane++) memset(frame->buf[plane]->data, 0, frame->buf[plane]->size);
  if (result >= 0) ff.avcodec_send_frame(encoder->context, frame);
  ff.av_frame_unref(frame);
}

static void drop_packets(EtalonEncoder *encoder) {
  do {
    ff.av_packet_unref(encoder->held);
  } while (ff.avcodec_receive_packet(encoder->context, encoder->held) >= 0);
}

// SVT-AV1 (1.4) waits for ever when it is freed before the end of its frames was told, or without a single frame.
static void end_frames(EtalonEncoder *encoder) {
  if (!encoder->isOpen || encoder->hasEnded || strcmp(encoder->context->codec->name, "libsvtav1") != 0) return;
  drop_packets(encoder);
  if (encoder->sent == 0) send_black_frame(encoder);
  if (ff.avcodec_send_frame(encoder->context, NULL) >= 0) drop_packets(encoder);
}

void etalon_encoder_close(EtalonEncoder *encoder) {
  end_frames(encoder);
  ff.avcodec_free_context(&encoder->context);
  ff.av_frame_free(&encoder->frame);
  ff.av_packet_free(&encoder->held);
  free(encoder->packed);
  free(encoder);
}

// MARK: Frames

static void keep_memory(void *opaque, uint8_t *data) {
  (void)opaque;
  (void)data;
}

// The frame refers to memory that is not its own. Encoders read it only while they are called.
static int lend(AVFrame *frame, uint8_t *memory) {
  frame->buf[0] = ff.av_buffer_create(memory, 1, keep_memory, NULL, AV_BUFFER_FLAG_READONLY);
  return frame->buf[0] ? 0 : AVERROR(ENOMEM);
}

static int set_planes(EtalonEncoder *encoder, const EtalonPlane *planes) {
  static const int sameOrder[planeLimit] = {0, 1, 2, 3};
  static const int gbrOrder[planeLimit] = {2, 0, 1, 3};
  const int *place = encoder->order == ETALON_PLANES_GBR ? gbrOrder : sameOrder;
  AVFrame *frame = encoder->frame;
  for (int plane = 0; plane < encoder->planeCount; plane++) {
    frame->data[place[plane]] = (uint8_t *)planes[plane].rows;
    frame->linesize[place[plane]] = (int)planes[plane].bytesPerRow;
  }
  return lend(frame, frame->data[0]);
}

static int pack(EtalonEncoder *encoder, const EtalonPlane *planes) {
  size_t width = (size_t)encoder->context->width, height = (size_t)encoder->context->height;
  if (encoder->packed == NULL) encoder->packed = malloc(width * height * 4);
  if (encoder->packed == NULL) return AVERROR(ENOMEM);
  for (size_t y = 0; y < height; y++) {
    const uint8_t *rows[planeLimit] = {0};
    for (int plane = 0; plane < encoder->planeCount; plane++) rows[plane] = planes[plane].rows + (ptrdiff_t)y * planes[plane].bytesPerRow;
    uint8_t *out = encoder->packed + y * width * 4;
    for (size_t x = 0; x < width; x++, out += 4) {
      out[0] = rows[2][x];
      out[1] = rows[1][x];
      out[2] = rows[0][x];
      out[3] = rows[3] ? rows[3][x] : 255;
    }
  }
  encoder->frame->data[0] = encoder->packed;
  encoder->frame->linesize[0] = (int)width * 4;
  return lend(encoder->frame, encoder->packed);
}

static int copy_indices(EtalonEncoder *encoder, const EtalonPlane *planes) {
  AVFrame *frame = encoder->frame;
  int result = ff.av_frame_get_buffer(frame, 0);
  if (result < 0) return result;
  for (int y = 0; y < frame->height; y++) {
    memcpy(frame->data[0] + (ptrdiff_t)y * frame->linesize[0], planes[0].rows + y * planes[0].bytesPerRow, (size_t)frame->width);
  }
  memcpy(frame->data[1], planes[1].rows, AVPALETTE_SIZE);
  return 0;
}

static int interleave(EtalonEncoder *encoder, const EtalonPlane *planes) {
  AVFrame *frame = encoder->frame;
  int result = ff.av_frame_get_buffer(frame, 0);
  if (result < 0) return result;
  bool isWide = frame->format == AV_PIX_FMT_RGB48BE || frame->format == AV_PIX_FMT_RGBA64BE;
  int count = encoder->planeCount;
  for (int plane = 0; plane < count; plane++) {
    for (int y = 0; y < frame->height; y++) {
      const uint8_t *row = planes[plane].rows + (ptrdiff_t)y * planes[plane].bytesPerRow;
      uint8_t *out = frame->data[0] + (ptrdiff_t)y * frame->linesize[0] + plane * (isWide ? 2 : 1);
      for (int x = 0; x < frame->width; x++, out += count * (isWide ? 2 : 1)) {
        if (isWide) {
          out[0] = row[2 * x + 1];
          out[1] = row[2 * x];
        } else {
          out[0] = row[x];
        }
      }
    }
  }
  return 0;
}

static int fill_frame(EtalonEncoder *encoder, const EtalonPlane *planes) {
  switch (encoder->order) {
    case ETALON_PLANES_BGRA: return pack(encoder, planes);
    case ETALON_PLANES_INTERLEAVED: return interleave(encoder, planes);
    case ETALON_PLANES_PALETTE: return copy_indices(encoder, planes);
    default: return set_planes(encoder, planes);
  }
}

static void mark_key(EtalonEncoder *encoder, int64_t time) {
  if (encoder->keyInterval == 0 || time < encoder->nextKey) return;
  encoder->frame->pict_type = AV_PICTURE_TYPE_I;
  int64_t start = encoder->nextKey == INT64_MIN ? time : encoder->nextKey;
  encoder->nextKey = start + ((time - start) / encoder->keyInterval + 1) * encoder->keyInterval;
}

int32_t etalon_encoder_send(EtalonEncoder *encoder, const EtalonPlane *planes, int64_t time, EtalonVideoMessage *message) {
  AVFrame *frame = encoder->frame;
  const AVCodecContext *context = encoder->context;
  frame->width = context->width;
  frame->height = context->height;
  frame->format = context->pix_fmt;
  frame->sample_aspect_ratio = context->sample_aspect_ratio;
  frame->color_range = context->color_range;
  frame->colorspace = context->colorspace;
  frame->color_primaries = context->color_primaries;
  frame->color_trc = context->color_trc;
  frame->chroma_location = context->chroma_sample_location;
  frame->pts = time;
  mark_key(encoder, time);
  etalon_log_begin();
  int result = fill_frame(encoder, planes);
  if (result >= 0) result = ff.avcodec_send_frame(encoder->context, frame);
  ff.av_frame_unref(frame);
  if (result < 0) return fail(message, ETALON_VIDEO_UNSUPPORTED, "avcodec_send_frame", result);
  encoder->times[encoder->sent++ % timeCount] = time;
  return DONE;
}

int32_t etalon_encoder_end(EtalonEncoder *encoder, int64_t end, EtalonVideoMessage *message) {
  etalon_log_begin();
  int result = ff.avcodec_send_frame(encoder->context, NULL);
  if (result < 0 && result != AVERROR_EOF) return fail(message, ETALON_VIDEO_UNSUPPORTED, "avcodec_send_frame", result);
  encoder->hasEnded = true;
  encoder->end = end;
  return DONE;
}

// MARK: Packets

// When the last frame ends.
static int64_t end_time(const EtalonEncoder *encoder) {
  int64_t last = encoder->times[(encoder->sent - 1) % timeCount];
  if (encoder->end > last) return encoder->end;
  return encoder->sent > 1 ? 2 * last - encoder->times[(encoder->sent - 2) % timeCount] : last + 1;
}

// How long the frame of a time stamp lasts, in ticks; 0 as long as the next frame is not known.
static int64_t duration(const EtalonEncoder *encoder, int64_t time) {
  if (encoder->isRegular) return 1;
  int64_t first = encoder->sent > timeCount ? encoder->sent - timeCount : 0;
  for (int64_t index = encoder->sent - 1; index >= first; index--) {
    if (encoder->times[index % timeCount] != time) continue;
    if (index + 1 < encoder->sent) return encoder->times[(index + 1) % timeCount] - time;
    return encoder->hasEnded ? end_time(encoder) - time : 0;
  }
  return 1;
}

// Containers add up the distances of packets in the order of decoding, in which the last packet need not be the last frame. So it lasts until the
// sum is the duration of all frames.
static int64_t last_duration(const EtalonEncoder *encoder, const AVPacket *packet) {
  int64_t end = end_time(encoder);
  int64_t wanted = end - encoder->firstTime - (packet->dts - encoder->firstDecodingTime);
  int64_t most = end - packet->pts;
  return wanted < 1 ? 1 : wanted > most ? most : wanted;
}

// x265 (3.5) knows with the third frame how far its decoding times lie before those of showing, and takes what is in memory until then. Two frames
// are never reordered.
static bool is_too_short_for_times(const EtalonEncoder *encoder) {
  return encoder->hasEnded && encoder->sent < 3 && strcmp(encoder->context->codec->name, "libx265") == 0;
}

int32_t etalon_encoder_receive(EtalonEncoder *encoder, EtalonPacket *packet, EtalonVideoMessage *message) {
  AVPacket *held = encoder->held;
  if (held->data == NULL) {
    etalon_log_begin();
    int result = ff.avcodec_receive_packet(encoder->context, held);
    if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) return NOTHING;
    if (result < 0) return fail(message, ETALON_VIDEO_UNSUPPORTED, "avcodec_receive_packet", result);
    if (is_too_short_for_times(encoder)) held->dts = held->pts;
    if (encoder->received++ == 0) {
      encoder->firstTime = held->pts;
      encoder->firstDecodingTime = held->dts;
    }
  }
  held->duration = duration(encoder, held->pts);
  if (held->duration == 0) return NOTHING;
  if (!encoder->isRegular && encoder->hasEnded && encoder->received == encoder->sent) held->duration = last_duration(encoder, held);
  ff.av_packet_unref(packet_of(packet));
  ff.av_packet_move_ref(packet_of(packet), held);
  return DONE;
}

#endif

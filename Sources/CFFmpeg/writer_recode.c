// Decodes the sound of another file, and encodes it for a container that does not hold it as it is. It is cut to the sample.
#include "writer_sound.h"

#if ETALON_HAS_FFMPEG
#include <stdlib.h>
#include <string.h>

enum {
  // Time stamps may be this part of a second beside the samples that were counted.
  tolerancePart = 20,
  // Samples of silence that are made in one step.
  silenceStep = 16384,
  // Samples in a packet of codecs that take any number.
  freeFrame = 1024,
  mostChannels = 8,
};

// MARK: Opening

static int32_t open_decoder(EtalonSoundSource *source, EtalonVideoMessage *message) {
  const AVCodecParameters *parameters = source->stream->codecpar;
  const AVCodec *codec = ff.avcodec_find_decoder(parameters->codec_id);
  if (codec == NULL) {
    etalon_tell(
        message, ETALON_VIDEO_UNSUPPORTED, "avcodec_find_decoder", "libavcodec has no decoder for '%s'",
        ff.avcodec_get_name(parameters->codec_id));
    return FAILED;
  }
  source->decoder = ff.avcodec_alloc_context3(codec);
  int result = source->decoder ? ff.avcodec_parameters_to_context(source->decoder, parameters) : AVERROR(ENOMEM);
  if (result >= 0) {
    source->decoder->pkt_timebase = source->stream->time_base;
    source->decoder->thread_count = 1;
    result = ff.avcodec_open2(source->decoder, codec, NULL);
  }
  return result < 0 ? etalon_sound_fail(message, ETALON_VIDEO_UNSUPPORTED, "avcodec_open2", result) : DONE;
}

// The form of samples and the rate that an encoder takes.
static void choose_format(AVCodecContext *encoder, const char *codec, const AVCodecParameters *source) {
  static const int rates[] = {96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 0};
  encoder->sample_rate = source->sample_rate;
  encoder->sample_fmt = AV_SAMPLE_FMT_FLTP;
  if (strcmp(codec, "libopus") == 0) {
    encoder->sample_fmt = AV_SAMPLE_FMT_FLT;
    encoder->sample_rate = 48000;
  } else if (strcmp(codec, "aac") == 0) {
    const int *rate = rates;
    while (*rate && *rate != source->sample_rate) rate++;
    if (*rate == 0) encoder->sample_rate = 48000;
  } else if (strcmp(codec, "pcm_s16le") == 0 || strcmp(codec, "flac") == 0) {
    bool isDeep = codec[0] == 'f' && source->bits_per_raw_sample > 16;
    encoder->sample_fmt = isDeep ? AV_SAMPLE_FMT_S32 : AV_SAMPLE_FMT_S16;
    if (isDeep) encoder->bits_per_raw_sample = 24;
  } else if (strcmp(codec, "pcm_s24le") == 0) {
    encoder->sample_fmt = AV_SAMPLE_FMT_S32;
    encoder->bits_per_raw_sample = 24;
  }
}

static int choose_channels(AVCodecContext *encoder, const AVCodecParameters *source) {
  int count = source->ch_layout.nb_channels;
  if (source->ch_layout.order == AV_CHANNEL_ORDER_NATIVE && count <= mostChannels) {
    return ff.av_channel_layout_copy(&encoder->ch_layout, &source->ch_layout);
  }
  ff.av_channel_layout_default(&encoder->ch_layout, count <= mostChannels ? count : 2);
  return 0;
}

static int32_t open_encoder(EtalonSoundSource *source, const char *name, int32_t bitRate, bool isStereo, EtalonVideoMessage *message) {
  const AVCodec *codec = ff.avcodec_find_encoder_by_name(name);
  if (codec == NULL) {
    etalon_tell(message, ETALON_VIDEO_UNSUPPORTED, "avcodec_find_encoder_by_name", "libavcodec has no encoder '%s'", name);
    return FAILED;
  }
  AVCodecContext *encoder = ff.avcodec_alloc_context3(codec);
  source->encoder = encoder;
  if (encoder == NULL) return etalon_sound_fail(message, ETALON_VIDEO_NO_MEMORY, "avcodec_alloc_context3", AVERROR(ENOMEM));
  choose_format(encoder, name, source->stream->codecpar);
  int result = 0;
  if (isStereo) {
    ff.av_channel_layout_default(&encoder->ch_layout, 2);
  } else {
    result = choose_channels(encoder, source->stream->codecpar);
  }
  encoder->time_base = (AVRational){1, encoder->sample_rate};
  encoder->flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER;
  if (bitRate) encoder->bit_rate = (int64_t)bitRate * encoder->ch_layout.nb_channels;
  if (result >= 0) result = ff.avcodec_open2(encoder, codec, NULL);
  return result < 0 ? etalon_sound_fail(message, ETALON_VIDEO_UNSUPPORTED, "avcodec_open2", result) : DONE;
}

int32_t etalon_sound_encode(EtalonSoundSource *source, const char *codec, int32_t bitRate, EtalonVideoMessage *message) {
  etalon_log_begin();
  if (open_decoder(source, message) != DONE) return FAILED;
  if (open_encoder(source, codec, bitRate, false, message) != DONE) {
    // Not every encoder knows every arrangement of channels.
    ff.avcodec_free_context(&source->encoder);
    if (open_encoder(source, codec, bitRate, true, message) != DONE) return FAILED;
  }
  source->base = source->encoder->time_base;
  source->decoded = ff.av_frame_alloc();
  source->converted = ff.av_frame_alloc();
  source->samples = ff.av_audio_fifo_alloc(source->encoder->sample_fmt, source->encoder->ch_layout.nb_channels, freeFrame);
  if (source->decoded && source->converted && source->samples) return DONE;
  return etalon_sound_fail(message, ETALON_VIDEO_NO_MEMORY, "av_frame_alloc", AVERROR(ENOMEM));
}

void etalon_recode_close(EtalonSoundSource *source) {
  ff.avcodec_free_context(&source->decoder);
  ff.avcodec_free_context(&source->encoder);
  ff.swr_free(&source->resampler);
  ff.av_frame_free(&source->decoded);
  ff.av_frame_free(&source->converted);
  if (source->samples) ff.av_audio_fifo_free(source->samples);
}

// MARK: Decoding

// Converts samples of the decoder and keeps them; without input, what the resampler still has.
static int convert(EtalonSoundSource *source, const uint8_t **input, int count) {
  AVFrame *frame = source->converted;
  const AVCodecContext *encoder = source->encoder;
  // Silence that was injected waits in the resampler, too.
  int64_t delay = ff.swr_get_delay(source->resampler, encoder->sample_rate);
  frame->nb_samples = (int)(delay + (int64_t)count * encoder->sample_rate / source->rate + 64);
  frame->format = encoder->sample_fmt;
  frame->sample_rate = encoder->sample_rate;
  int result = ff.av_channel_layout_copy(&frame->ch_layout, &encoder->ch_layout);
  if (result >= 0) result = ff.av_frame_get_buffer(frame, 0);
  if (result >= 0) result = ff.swr_convert(source->resampler, frame->extended_data, frame->nb_samples, input, count);
  if (result > 0) result = ff.av_audio_fifo_write(source->samples, (void **)frame->extended_data, result);
  ff.av_frame_unref(frame);
  return result;
}

static int open_resampler(EtalonSoundSource *source) {
  const AVFrame *frame = source->decoded;
  // Versions differ in whether these are constant.
  AVChannelLayout output = {0}, input = {0};
  int result = ff.av_channel_layout_copy(&output, &source->encoder->ch_layout);
  if (result >= 0) result = ff.av_channel_layout_copy(&input, &frame->ch_layout);
  if (result >= 0 && input.order == AV_CHANNEL_ORDER_UNSPEC) ff.av_channel_layout_default(&input, frame->ch_layout.nb_channels);
  if (result >= 0) {
    result = ff.swr_alloc_set_opts2(
        &source->resampler, &output, source->encoder->sample_fmt, source->encoder->sample_rate, &input, (enum AVSampleFormat)frame->format,
        frame->sample_rate, 0, NULL);
  }
  ff.av_channel_layout_uninit(&output);
  ff.av_channel_layout_uninit(&input);
  if (result >= 0) result = ff.swr_init(source->resampler);
  if (source->rate) {
    source->taken = source->taken * frame->sample_rate / source->rate;
    source->next = source->next * frame->sample_rate / source->rate;
  }
  source->format = frame->format;
  source->rate = frame->sample_rate;
  source->channels = frame->ch_layout.nb_channels;
  return result;
}

// The resampler for the decoded frame; a file may change its form in the middle.
static int prepare_resampler(EtalonSoundSource *source) {
  const AVFrame *frame = source->decoded;
  if (frame->sample_rate <= 0 || frame->ch_layout.nb_channels <= 0) return AVERROR_INVALIDDATA;
  bool isSame = frame->format == source->format && frame->sample_rate == source->rate && frame->ch_layout.nb_channels == source->channels;
  if (source->resampler && isSame) return 0;
  int result = source->resampler ? convert(source, NULL, 0) : 0;
  ff.swr_free(&source->resampler);
  return result < 0 ? result : open_resampler(source);
}

// Sets how much silence comes before the decoded frame, or how many of its samples come too late; returns the latter.
//
// Samples are counted from the first frame on, because many files round time stamps. They are looked at only for gaps, and not in files that have none.
static int64_t place(EtalonSoundSource *source) {
  const AVFrame *frame = source->decoded;
  AVRational sample = {1, source->rate};
  bool hasTimes = !(source->input->iformat->flags & AVFMT_GENERIC_INDEX) && frame->best_effort_timestamp != AV_NOPTS_VALUE;
  if (hasTimes || !source->hasBegun) {
    int64_t stamp = frame->best_effort_timestamp == AV_NOPTS_VALUE ? 0 : frame->best_effort_timestamp;
    int64_t time = ff.av_rescale_q(stamp, source->stream->time_base, sample) - etalon_ticks(source->start, sample);
    if (!source->hasBegun || llabs(time - source->next) > source->rate / tolerancePart) source->next = time;
  }
  source->hasBegun = true;
  int64_t begins = source->next;
  source->next += frame->nb_samples;
  if (begins > source->taken) source->silence = begins - source->taken;
  return begins < source->taken ? source->taken - begins : 0;
}

static int take_frame(EtalonSoundSource *source, int64_t late) {
  const AVFrame *frame = source->decoded;
  if (late >= frame->nb_samples) return 0;
  const uint8_t *input[AV_NUM_DATA_POINTERS] = {0};
  bool isPlanar = ff.av_sample_fmt_is_planar((enum AVSampleFormat)frame->format);
  int channels = frame->ch_layout.nb_channels;
  int sampleBytes = ff.av_get_bytes_per_sample((enum AVSampleFormat)frame->format);
  int count = frame->nb_samples - (int)late;
  source->taken += count;
  // Sounds of more channels than a frame has pointers are cut at its beginning only.
  if (late == 0 || channels > AV_NUM_DATA_POINTERS) return convert(source, (const uint8_t **)frame->extended_data, count);
  for (int plane = 0; plane < (isPlanar ? channels : 1); plane++) {
    input[plane] = frame->extended_data[plane] + late * sampleBytes * (isPlanar ? 1 : channels);
  }
  return convert(source, input, count);
}

// Makes some of the silence.
static int take_silence(EtalonSoundSource *source) {
  int count = source->silence > silenceStep ? silenceStep : (int)source->silence;
  source->silence -= count;
  source->taken += count;
  int result = ff.swr_inject_silence(source->resampler, count);
  return result < 0 ? result : convert(source, NULL, 0);
}

// Gets the next frame of the decoder; NOTHING at the end.
static int32_t decode(EtalonSoundSource *source, EtalonVideoMessage *message) {
  while (true) {
    int result = ff.avcodec_receive_frame(source->decoder, source->decoded);
    if (result >= 0) return DONE;
    if (result == AVERROR_EOF) return NOTHING;
    if (result != AVERROR(EAGAIN)) return etalon_sound_fail(message, ETALON_VIDEO_DAMAGED, "avcodec_receive_frame", result);
    int32_t read = source->inputHasEnded ? NOTHING : etalon_sound_read(source, message);
    if (read == FAILED) return FAILED;
    source->inputHasEnded = read == NOTHING;
    result = ff.avcodec_send_packet(source->decoder, read == DONE ? source->packet : NULL);
    // One damaged packet is a gap, which becomes silence.
    if (result < 0 && result != AVERROR_INVALIDDATA && result != AVERROR_EOF) {
      return etalon_sound_fail(message, ETALON_VIDEO_DAMAGED, "avcodec_send_packet", result);
    }
  }
}

// Gets more samples; NOTHING at the end of the sound.
static int32_t fill(EtalonSoundSource *source, EtalonVideoMessage *message) {
  int64_t late = 0;
  int result = 0;
  if (source->silence > 0) {
    result = take_silence(source);
    if (result >= 0 && source->silence == 0) result = take_frame(source, 0);
    return result < 0 ? etalon_sound_fail(message, ETALON_VIDEO_DAMAGED, "swr_convert", result) : DONE;
  }
  if (source->decoderHasEnded) return NOTHING;
  int32_t decoded = decode(source, message);
  if (decoded == FAILED) return FAILED;
  if (decoded == NOTHING) {
    source->decoderHasEnded = true;
    if (source->resampler) result = convert(source, NULL, 0);
  } else {
    result = prepare_resampler(source);
    if (result >= 0) late = place(source);
    if (result >= 0 && source->silence == 0) result = take_frame(source, late);
  }
  return result < 0 ? etalon_sound_fail(message, ETALON_VIDEO_DAMAGED, "swr_convert", result) : DONE;
}

// MARK: Encoding

static int send(EtalonSoundSource *source, int count) {
  AVFrame *frame = source->converted;
  const AVCodecContext *encoder = source->encoder;
  frame->nb_samples = count;
  frame->format = encoder->sample_fmt;
  frame->sample_rate = encoder->sample_rate;
  frame->pts = source->sent;
  int result = ff.av_channel_layout_copy(&frame->ch_layout, &encoder->ch_layout);
  if (result >= 0) result = ff.av_frame_get_buffer(frame, 0);
  if (result >= 0) result = ff.av_audio_fifo_read(source->samples, (void **)frame->extended_data, count);
  if (result >= 0) result = ff.avcodec_send_frame(source->encoder, frame);
  ff.av_frame_unref(frame);
  source->sent += count;
  return result;
}

// Gives the encoder what it can take before the limit; NOTHING when that is not a whole frame.
static int32_t encode(EtalonSoundSource *source, int64_t limit, bool isLast, EtalonVideoMessage *message) {
  int64_t frame = source->encoder->frame_size > 0 ? source->encoder->frame_size : freeFrame;
  int64_t room = limit - source->sent;
  if (!isLast && room < frame) return NOTHING;
  int64_t wanted = room < frame ? room : frame;
  while (ff.av_audio_fifo_size(source->samples) < wanted) {
    int32_t filled = fill(source, message);
    if (filled == FAILED) return FAILED;
    if (filled == NOTHING) break;
  }
  int64_t present = ff.av_audio_fifo_size(source->samples);
  int64_t count = present < wanted ? present : wanted;
  int result = 0;
  if (count > 0) result = send(source, (int)count);
  // A shorter frame is the last one.
  if (result >= 0 && count < frame) {
    source->encoderHasEnded = true;
    result = ff.avcodec_send_frame(source->encoder, NULL);
  }
  return result < 0 ? etalon_sound_fail(message, ETALON_VIDEO_UNSUPPORTED, "avcodec_send_frame", result) : DONE;
}

int32_t etalon_recode_next(EtalonSoundSource *source, int64_t limit, bool isLast, AVPacket *packet, EtalonVideoMessage *message) {
  int64_t end = etalon_sound_end(source, source->base);
  if (limit >= end) {
    limit = end;
    isLast = true;
  }
  while (true) {
    int result = ff.avcodec_receive_packet(source->encoder, packet);
    if (result >= 0) return DONE;
    if (result == AVERROR_EOF) return NOTHING;
    if (result != AVERROR(EAGAIN)) return etalon_sound_fail(message, ETALON_VIDEO_UNSUPPORTED, "avcodec_receive_packet", result);
    int32_t encoded = source->encoderHasEnded ? NOTHING : encode(source, limit, isLast, message);
    if (encoded != DONE) return encoded;
  }
}

#endif

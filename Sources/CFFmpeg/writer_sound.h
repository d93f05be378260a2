// What the files about sound share.
#ifndef ETALON_WRITER_SOUND_H
#define ETALON_WRITER_SOUND_H

#include "reader.h"
#include "writer.h"

#if ETALON_HAS_FFMPEG

struct EtalonSoundSource {
  // What FFmpeg reads from.
  EtalonSource file;
  AVFormatContext *input;
  AVStream *stream;
  // The packet that was read last.
  AVPacket *packet;
  // The seconds in the file that become 0, and those at which the sound ends.
  EtalonVideoFraction start;
  EtalonVideoFraction end;
  // One sample of what comes out.
  AVRational base;

  // When the next packet or decoded frame begins, in samples behind the start.
  int64_t next;
  bool hasBegun;

  // Packets as they are: the next one that comes out, and the one before the first.
  AVPacket *held;
  AVPacket *earlier;
  // Whether the first packet may begin before the range, and whether decoders need the one before it.
  bool keepsEarlier, needsEarlier;
  bool isPCM;

  // Packets that are made anew; the encoder is null where they are not.
  AVCodecContext *decoder;
  AVCodecContext *encoder;
  SwrContext *resampler;
  // What the resampler takes.
  int format;
  int rate;
  int channels;
  AVAudioFifo *samples;
  // A frame of the decoder, of which some samples or the silence before it may have been taken.
  AVFrame *decoded;
  AVFrame *converted;
  // Samples at the rate of the decoder that were taken, and the silence that comes next.
  int64_t taken;
  int64_t silence;
  // Samples that went to the encoder.
  int64_t sent;
  bool inputHasEnded;
  bool decoderHasEnded;
  bool encoderHasEnded;
};

int32_t etalon_sound_fail(EtalonVideoMessage *message, EtalonVideoCode code, const char *operation, int error);

/// Reads the next packet of the track; NOTHING at the end.
int32_t etalon_sound_read(EtalonSoundSource *source, EtalonVideoMessage *message);

/// When the sound ends, in ticks behind the start; INT64_MAX where it ends with the file.
int64_t etalon_sound_end(const EtalonSoundSource *source, AVRational base);

// writer_recode.c
int32_t etalon_recode_next(EtalonSoundSource *source, int64_t limit, bool isLast, AVPacket *packet, EtalonVideoMessage *message);
void etalon_recode_close(EtalonSoundSource *source);

#endif
#endif

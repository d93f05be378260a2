// What the files of the writer share.
#ifndef ETALON_WRITER_H
#define ETALON_WRITER_H

#include "libraries.h"

#if ETALON_HAS_FFMPEG
#include <sched.h>
#include <sys/types.h>

enum { DONE = 1, NOTHING = 0, FAILED = -1 };

static inline AVPacket *packet_of(EtalonPacket *packet) { return (AVPacket *)packet; }

static inline AVRational rational_of(EtalonVideoFraction fraction) {
  return (AVRational){(int)fraction.numerator, (int)fraction.denominator};
}

/// The nearest tick of a time in seconds.
int64_t etalon_ticks(EtalonVideoFraction seconds, AVRational base);

/// Adds options to a dictionary; false without memory.
bool etalon_add_options(AVDictionary **dictionary, const EtalonOption *options, int32_t count);

/// Fails where a dictionary still has an entry, which no object took.
int32_t etalon_check_taken(const AVDictionary *rest, const char *operation, EtalonVideoMessage *message);

// writer_packet.c
EtalonPacket *etalon_packet_new(void);
void etalon_packet_free(EtalonPacket *);
EtalonPacketContents etalon_packet_contents(const EtalonPacket *);
EtalonSideData etalon_packet_side_data(const EtalonPacket *, int32_t);
int32_t etalon_packet_set(EtalonPacket *, const EtalonPacketContents *, EtalonVideoMessage *);
int32_t etalon_packet_add(EtalonPacket *, const EtalonSideData *, EtalonVideoMessage *);

// scheduling.c
typedef struct {
  int policy;
  struct sched_param parameters;
  // The threads of the process.
  pid_t *threads;
  int count, room;
} EtalonScheduling;
/// Notes how this thread is scheduled, and which threads there are.
void etalon_scheduling_begin(EtalonScheduling *);
/// Gives this thread, and those that have come since, that scheduling where they have become real-time threads.
void etalon_scheduling_end(EtalonScheduling *);

// writer_encoder.c
EtalonEncoder *etalon_encoder_open(const EtalonEncoderSettings *, EtalonVideoMessage *);
int32_t etalon_encoder_send(EtalonEncoder *, const EtalonPlane *, int64_t, EtalonVideoMessage *);
int32_t etalon_encoder_end(EtalonEncoder *, int64_t, EtalonVideoMessage *);
int32_t etalon_encoder_receive(EtalonEncoder *, EtalonPacket *, EtalonVideoMessage *);
const uint8_t *etalon_encoder_header(const EtalonEncoder *, int32_t *);
void etalon_encoder_close(EtalonEncoder *);
const AVCodecContext *etalon_encoder_context(const EtalonEncoder *);

// writer_muxer.c
EtalonMuxer *etalon_muxer_open(const EtalonMuxerSettings *, EtalonVideoMessage *);
int32_t etalon_muxer_add_video(EtalonMuxer *, const EtalonEncoder *, const EtalonTrackSettings *, EtalonVideoMessage *);
int32_t etalon_muxer_add_sound(EtalonMuxer *, const EtalonSoundSource *, const EtalonTrackSettings *, EtalonVideoMessage *);
int32_t etalon_muxer_begin(EtalonMuxer *, EtalonVideoMessage *);
int32_t etalon_muxer_write(EtalonMuxer *, int32_t, EtalonPacket *, EtalonVideoMessage *);
int32_t etalon_muxer_finish(EtalonMuxer *, EtalonVideoMessage *);
void etalon_muxer_close(EtalonMuxer *);

// writer_sound.c, writer_resample.c
EtalonSoundSource *etalon_sound_open(
    const char *, int32_t, EtalonVideoFraction, bool, EtalonVideoFraction, EtalonSoundInformation *, EtalonVideoMessage *);
int32_t etalon_sound_copy(EtalonSoundSource *, bool, EtalonVideoMessage *);
int32_t etalon_sound_encode(EtalonSoundSource *, const char *, int32_t, EtalonVideoMessage *);
int32_t etalon_sound_next(EtalonSoundSource *, EtalonVideoFraction, bool, EtalonPacket *, EtalonVideoMessage *);
void etalon_sound_close(EtalonSoundSource *);
/// Fills what a track is going to hold.
int etalon_sound_parameters(const EtalonSoundSource *, AVCodecParameters *, AVRational *base);

#endif
#endif

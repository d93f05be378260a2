// What the files of the reader share.
#ifndef ETALON_READER_H
#define ETALON_READER_H

#include "libraries.h"
#include <stdatomic.h>

#if ETALON_HAS_FFMPEG

enum { ETALON_LOST_ADDRESSES = 32 };

// A file, or a pipe, that FFmpeg reads through us; or a stream or a camera, which FFmpeg opens itself and asks us whether to go on.
typedef struct {
  EtalonSourceKind kind;
  int descriptor;
  bool is_pipe;
  bool has_data;
  const volatile int32_t *cancelled;
  int32_t patience;
  // Why reading was given up; ETALON_VIDEO_OK if it was not.
  EtalonVideoCode stopped;
  int64_t size;
  AVIOContext *io;
  // When a stream counts as stalled, in milliseconds; 0 for never.
  int64_t deadline;
  // The container of a stream is open, so that what fails from now on is tried again.
  bool is_connected;
  // A recorded stream broke off: how many seconds of it came, and how many it says that it has.
  double ended, length;
  // A stream names what may not be opened for it.
  char refused[256];
  // Hashes of the last parts that could not be had.
  uint64_t lost[ETALON_LOST_ADDRESSES];
  EtalonConnectionInfo connection;
} EtalonSource;

typedef struct {
  AVPacket **packets;
  int count, room;
  // The place of the first one that is left.
  int start;
  int64_t bytes;
} EtalonQueue;

static const uint64_t ETALON_HASH_START = 0xcbf29ce484222325;
// Goes on with a hash (FNV-1a): not safe against intent, but enough to tell one content from another.
static inline uint64_t etalon_hash(uint64_t hash, const uint8_t *bytes, size_t count) {
  for (size_t index = 0; index < count; index++) hash = (hash ^ bytes[index]) * 0x100000001b3;
  return hash;
}

struct EtalonReader {
  EtalonSource source;
  AVFormatContext *container;
  AVStream *stream;
  AVCodecContext *decoder;
  AVPacket *packet;
  // Packets that were read while a keyframe was looked for, and are not yet decoded.
  EtalonQueue queue;
  // The file has no more packets, and the decoder knows that.
  bool is_draining;
  bool is_at_end;
  // The decoder has had a packet since it began.
  bool is_fed;
  // The connection of an RTSP stream broke; it is made again once the decoder has given what it holds.
  bool is_broken;
  // The place of the stream's first packet.
  int64_t first_position, first_time;
  int64_t last_time;
  int64_t damaged;
  // How often the decoder, or one of its threads, logged an error while the stream was read from its start. After a jump, pictures that are
  // not shown lack those before them, which decoders log as well: what they log then counts as remarks.
  atomic_int complaints;
  bool has_jumped;
  atomic_int remarks;
  // Pictures before the last one that is not after the goal are not asked for. The nearest to it that went to the decoder since the last jump, and
  // whether one was left out.
  int64_t goal, nearest;
  bool has_left_out;
  // The time of decoding of the last packet, and whether packets came that do not follow each other at the usual distance: one may be missing, and
  // decoders fill in what is missing from whatever they decoded before. From then on nothing is left out.
  int64_t last_decoding;
  bool is_uneven;
  // The first picture, until it is given out.
  AVFrame *first;
  // What describes all pictures is taken from the first one.
  AVFrame *model;
  AVFrame *sound;
  // The timecode was found in this text.
  const char *timecode;
  EtalonReadOptions options;
  char *path;
};

// reader_source.c
bool etalon_source_open(EtalonSource *source, const EtalonReadOptions *options, EtalonVideoMessage *message);
void etalon_source_close(EtalonSource *source);
bool etalon_source_rewind(EtalonSource *source);
// A file or a pipe, which FFmpeg reads through us.
static inline bool etalon_source_is_local(const EtalonSource *source) {
  return source->kind == ETALON_FROM_FILE || source->kind == ETALON_FROM_DESCRIPTOR;
}
// A stream has its whole time again for what comes next.
void etalon_source_expect(EtalonSource *source);
// Waits, unless reading is to end; false if it is.
bool etalon_source_pause(EtalonSource *source, int milliseconds);
// Whether reading is to end, or was given up.
bool etalon_source_is_stopped(EtalonSource *source);
// Fills a message if reading was given up.
bool etalon_source_was_stopped(const EtalonSource *source, EtalonVideoMessage *message);

// reader_open.c
bool etalon_container_open(EtalonReader *reader, EtalonVideoMessage *message);
bool etalon_decoder_open(EtalonReader *reader, EtalonVideoMessage *message);
// No container but a playlist may name anything.
int etalon_refuse_to_open(AVFormatContext *container, AVIOContext **io, const char *address, int flags, AVDictionary **options);
// A list of all forms that are read, as FFmpeg takes it.
const char *etalon_forms(void);
// Whether FFmpeg's work is to end.
int etalon_interrupt(void *source);
// Whether the container is there: it is not where it could not be opened a second time.
static inline bool etalon_is_open(const EtalonReader *reader) { return reader->container && reader->stream; }
EtalonVideoCode etalon_tell_closed(EtalonVideoMessage *message);
// Whether the container can be read again from an earlier place.
bool etalon_can_seek(const EtalonReader *reader);
bool etalon_is_picture(const AVStream *stream);
bool etalon_is_small_enough(EtalonReader *reader, int64_t width, int64_t height, EtalonVideoMessage *message);

// reader_address.c
// Opens the container of a stream or of a camera; where that fails, `reader->container` is null.
bool etalon_address_open(EtalonReader *reader, EtalonVideoMessage *message);
// Connects again with an RTSP server that has gone, with growing pauses; the decoder begins anew.
bool etalon_address_reopen(EtalonReader *reader, EtalonVideoMessage *message);

// reader_camera.c
bool etalon_camera(int32_t index, EtalonCameraInfo *camera);
bool etalon_camera_mode(const char *path, int32_t index, EtalonCameraMode *mode);

// reader_decode.c
EtalonVideoCode etalon_decode(EtalonReader *reader, AVFrame *frame, EtalonVideoMessage *message);
EtalonVideoCode etalon_read_packet(EtalonReader *reader, EtalonVideoMessage *message);
int64_t etalon_packet_time(const AVPacket *packet);
void etalon_set_goal(EtalonReader *reader, int64_t time);

// reader_seek.c
EtalonVideoCode etalon_seek(EtalonReader *reader, int64_t time, EtalonSeekInfo *info, EtalonVideoMessage *message);
// Begins decoding anew.
bool etalon_forget(EtalonReader *reader, EtalonVideoMessage *message);
int32_t etalon_has_keyframe(EtalonReader *reader, int64_t time);
// Moves the reader's packet to the end of the queue.
bool etalon_queue_add(EtalonReader *reader, EtalonVideoMessage *message);
// Moves the first packet of the queue to the reader's packet; false if there is none.
bool etalon_queue_take(EtalonReader *reader);
void etalon_queue_clear(EtalonReader *reader);

// reader_describe.c
void etalon_describe(EtalonReader *reader, EtalonVideoDescription *description);
bool etalon_describe_sound(EtalonReader *reader, int32_t index, EtalonSoundDescription *description);
bool etalon_metadata(EtalonReader *reader, bool of_stream, int32_t index, const char **key, const char **value);
void etalon_frame_info(const AVFrame *frame, EtalonFrameInfo *info);

// reader_planes.c
// Why pictures of a format are not taken apart; null if they are.
const char *etalon_unsupported(enum AVPixelFormat format);
void etalon_pixel_layout(enum AVPixelFormat format, EtalonPixelLayout *layout);
void etalon_plane_size(const EtalonFrame *frame, int32_t plane, int32_t *width, int32_t *height);
void etalon_copy_plane(const EtalonFrame *frame, int32_t plane, uint8_t *bytes);

// reader_sound.c
EtalonVideoCode etalon_next_sound(EtalonReader *reader, EtalonSoundInfo *info, EtalonVideoMessage *message);
void etalon_copy_channel(EtalonReader *reader, int32_t channel, float *samples);

#endif
#endif

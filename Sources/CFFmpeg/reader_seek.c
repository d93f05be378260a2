// Jumps to keyframes.
#include "reader.h"

#if ETALON_HAS_FFMPEG
#include <stdlib.h>
#include <string.h>

// So many bytes of packets are kept while the last keyframe before a time is looked for.
static const int64_t mostQueuedBytes = 128 << 20;

// MARK: Packets that wait

bool etalon_queue_add(EtalonReader *reader, EtalonVideoMessage *message) {
  EtalonQueue *queue = &reader->queue;
  if (queue->count == queue->room) {
    int room = queue->room ? 2 * queue->room : 64;
    AVPacket **grown = realloc(queue->packets, (size_t)room * sizeof *grown);
    if (grown) {
      queue->packets = grown;
      queue->room = room;
    }
  }
  AVPacket *packet = queue->count < queue->room ? ff.av_packet_alloc() : NULL;
  if (!packet) {
    etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "av_packet_alloc", AVERROR(ENOMEM));
    return false;
  }
  ff.av_packet_move_ref(packet, reader->packet);
  queue->packets[queue->count++] = packet;
  queue->bytes += packet->size;
  return true;
}

bool etalon_queue_take(EtalonReader *reader) {
  EtalonQueue *queue = &reader->queue;
  if (queue->start == queue->count) return false;
  ff.av_packet_unref(reader->packet);
  ff.av_packet_move_ref(reader->packet, queue->packets[queue->start]);
  ff.av_packet_free(&queue->packets[queue->start++]);
  if (queue->start == queue->count) etalon_queue_clear(reader);
  return true;
}

void etalon_queue_clear(EtalonReader *reader) {
  EtalonQueue *queue = &reader->queue;
  while (queue->start < queue->count) ff.av_packet_free(&queue->packets[queue->start++]);
  queue->start = queue->count = 0;
  queue->bytes = 0;
}

// MARK: Jumps

// A new decoder instead of a flushed one: that of Theora gives other pictures after a flush if it uses several threads. It takes 2 ms.
bool etalon_forget(EtalonReader *reader, EtalonVideoMessage *message) {
  reader->has_jumped = true;
  etalon_set_goal(reader, reader->goal);
  ff.avcodec_free_context(&reader->decoder);
  ff.av_packet_unref(reader->packet);
  etalon_queue_clear(reader);
  reader->is_draining = reader->is_at_end = reader->is_fed = reader->is_broken = false;
  reader->last_time = reader->last_decoding = AV_NOPTS_VALUE;
  return etalon_decoder_open(reader, message);
}

static bool is_first_packet(const EtalonReader *reader) {
  return reader->packet->pos == reader->first_position && reader->packet->dts == reader->first_time;
}

// Opens the container again, whose state is then that of linear reading.
static EtalonVideoCode reopen(EtalonReader *reader, EtalonVideoMessage *message) {
  int index = reader->stream->index;
  ff.avformat_close_input(&reader->container);
  reader->stream = NULL;
  if (reader->source.io) reader->source.io->eof_reached = reader->source.io->error = 0;
  if (!etalon_source_rewind(&reader->source)) {
    etalon_tell(message, ETALON_VIDEO_CANNOT_READ, "lseek", "the file cannot be read again");
    return message->code;
  }
  etalon_source_expect(&reader->source);
  if (!etalon_container_open(reader, message)) return message->code;
  if (reader->stream->index == index) return etalon_read_packet(reader, message);
  etalon_tell(message, ETALON_VIDEO_DAMAGED, "", "its streams have changed");
  return message->code;
}

static EtalonVideoCode seek_to_start(EtalonReader *reader, EtalonVideoMessage *message) {
  int64_t start = reader->first_time != AV_NOPTS_VALUE ? reader->first_time : 0;
  if (ff.avformat_seek_file(reader->container, reader->stream->index, INT64_MIN, start, start, 0) >= 0) {
    EtalonVideoCode code = etalon_read_packet(reader, message);
    if (code != ETALON_VIDEO_OK && code != ETALON_VIDEO_END) return code;
    if (code == ETALON_VIDEO_OK && is_first_packet(reader)) return code;
  }
  return reopen(reader, message);
}

// Of these codecs, the picture of a keyframe is the first that is shown after it, or one that needs no earlier picture; others leave pictures out.
static bool shows_keyframe_first(enum AVCodecID codec) {
  return codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_MPEG4 || codec == AV_CODEC_ID_MPEG2VIDEO || codec == AV_CODEC_ID_MPEG1VIDEO;
}

static EtalonSeekInfo seek_info(const EtalonReader *reader, const AVPacket *packet) {
  return (EtalonSeekInfo){
      .time_stamp = etalon_packet_time(packet),
      .is_shown_later = packet->pts == AV_NOPTS_VALUE && shows_keyframe_first(reader->stream->codecpar->codec_id),
      .is_discarded = (packet->flags & AV_PKT_FLAG_DISCARD) != 0,
  };
}

// Whether FFmpeg's list of keyframes is one: for MPEG-TS and others it holds packets of any kind, at which searches stopped.
static bool has_index(const EtalonReader *reader) {
  if (!etalon_is_open(reader)) return false;
  static const char *const forms[] = {"mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "avi", "flv"};
  for (size_t index = 0; index < sizeof forms / sizeof *forms; index++) {
    if (strcmp(reader->container->iformat->name, forms[index]) == 0) {
      return ff.avformat_index_get_entries_count(reader->stream) > 0;
    }
  }
  return false;
}

// Reads on to the last keyframe that is not after a time, or else to the first. Containers with an index have gone there already, so that for them the
// first is enough. Nothing behind a packet that is decoded after the time is shown before it.
static EtalonVideoCode find_keyframe(EtalonReader *reader, int64_t time, EtalonSeekInfo *info, EtalonVideoMessage *message) {
  bool is_there = has_index(reader), is_found = false;
  while (true) {
    EtalonVideoCode code = etalon_read_packet(reader, message);
    if (code == ETALON_VIDEO_END && is_found) return ETALON_VIDEO_OK;
    if (code != ETALON_VIDEO_OK) return code;
    const AVPacket *packet = reader->packet;
    bool is_late = packet->dts != AV_NOPTS_VALUE && packet->dts > time;
    if ((packet->flags & AV_PKT_FLAG_KEY) && (!is_found || etalon_packet_time(packet) <= time)) {
      etalon_queue_clear(reader);
      *info = seek_info(reader, packet);
      is_found = true;
    }
    if (is_found && !etalon_queue_add(reader, message)) return message->code;
    if (is_found && (is_there || is_late || reader->queue.bytes > mostQueuedBytes)) return ETALON_VIDEO_OK;
  }
}

EtalonVideoCode etalon_seek(EtalonReader *reader, int64_t time, EtalonSeekInfo *info, EtalonVideoMessage *message) {
  if (!etalon_is_open(reader)) return etalon_tell_closed(message);
  if (!etalon_can_seek(reader)) {
    etalon_tell(message, ETALON_VIDEO_CANNOT_READ, "", "a pipe or a live stream cannot be read again from an earlier place");
    return message->code;
  }
  if (!etalon_forget(reader, message)) return message->code;
  etalon_log_begin();
  if (time != INT64_MIN) {
    int result = ff.avformat_seek_file(reader->container, reader->stream->index, INT64_MIN, time, time, 0);
    return result >= 0 ? find_keyframe(reader, time, info, message) : ETALON_VIDEO_END;
  }
  EtalonVideoCode code = seek_to_start(reader, message);
  if (code != ETALON_VIDEO_OK) return code;
  *info = seek_info(reader, reader->packet);
  return etalon_queue_add(reader, message) ? ETALON_VIDEO_OK : message->code;
}

int32_t etalon_has_keyframe(EtalonReader *reader, int64_t time) {
  if (!has_index(reader)) return -1;
  const AVIndexEntry *entry = ff.avformat_index_get_entry_from_timestamp(reader->stream, time, AVSEEK_FLAG_BACKWARD);
  if (entry && reader->last_time != AV_NOPTS_VALUE && entry->timestamp > reader->last_time) return 1;
  // An index that grows while the file is read says nothing about what is behind.
  int count = ff.avformat_index_get_entries_count(reader->stream);
  const AVIndexEntry *last = count > 0 ? ff.avformat_index_get_entry(reader->stream, count - 1) : NULL;
  return last && last->timestamp > time ? 0 : -1;
}

#endif

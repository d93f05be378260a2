// The functions of the reading interface, and the life of a reader.
#include "reader.h"

#if ETALON_HAS_FFMPEG
#include <stdlib.h>
#include <string.h>

static void close_reader(EtalonReader *reader) {
  ff.av_frame_free(&reader->first);
  ff.av_frame_free(&reader->model);
  ff.av_frame_free(&reader->sound);
  etalon_queue_clear(reader);
  free(reader->queue.packets);
  ff.av_packet_free(&reader->packet);
  ff.avcodec_free_context(&reader->decoder);
  ff.avformat_close_input(&reader->container);
  etalon_source_close(&reader->source);
  free(reader->path);
  free(reader);
}

// A reader with an open container and no decoder.
static EtalonReader *open_container(const EtalonReadOptions *options, EtalonVideoMessage *message) {
  memset(message, 0, sizeof *message);
  EtalonReader *reader = calloc(1, sizeof *reader);
  if (reader) {
    reader->source.descriptor = -1;
    reader->options = *options;
    reader->options.path = reader->path = strdup(options->path);
    reader->packet = ff.av_packet_alloc();
    reader->first = ff.av_frame_alloc();
    reader->model = ff.av_frame_alloc();
    reader->sound = ff.av_frame_alloc();
    reader->last_time = reader->last_decoding = AV_NOPTS_VALUE;
    etalon_set_goal(reader, INT64_MIN);
  }
  if (!reader || !reader->path || !reader->packet || !reader->first || !reader->model || !reader->sound) {
    etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "calloc", AVERROR(ENOMEM));
  } else if (etalon_source_open(&reader->source, options, message)) {
    etalon_source_expect(&reader->source);
    if (etalon_container_open(reader, message)) {
      reader->source.is_connected = true;
      return reader;
    }
  }
  if (reader) close_reader(reader);
  return NULL;
}

// Streams without a picture count as damaged: their packets are, or there are none.
static bool decode_first(EtalonReader *reader, EtalonVideoMessage *message) {
  const char *kind = reader->options.sound ? "sound" : "picture";
  EtalonVideoCode code = etalon_read_packet(reader, message);
  if (code == ETALON_VIDEO_OK) {
    reader->first_position = reader->packet->pos;
    reader->first_time = reader->packet->dts;
    if (!etalon_queue_add(reader, message)) return false;
    etalon_log_begin();
    code = etalon_decode(reader, reader->first, message);
  }
  if (code == ETALON_VIDEO_END) {
    const char *logged = etalon_log_last();
    etalon_tell(
        message, ETALON_VIDEO_DAMAGED, "", "it has no %s that can be decoded%s%s", kind, logged[0] ? ": " : "", logged);
  }
  if (code != ETALON_VIDEO_OK) return false;
  if (ff.av_frame_ref(reader->model, reader->first) >= 0) return true;
  etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "av_frame_ref", AVERROR(ENOMEM));
  return false;
}

static bool is_supported(EtalonReader *reader, EtalonVideoMessage *message) {
  const AVFrame *frame = reader->first;
  const char *unsupported = reader->options.sound ? NULL : etalon_unsupported(frame->format);
  if (unsupported) {
    etalon_tell(
        message, ETALON_VIDEO_UNSUPPORTED, "", "its pixel format '%s' has no whole numbers of 8 to 16 bits as samples", unsupported);
    return false;
  }
  return reader->options.sound || etalon_is_small_enough(reader, frame->width, frame->height, message);
}

static EtalonReader *open_reader(const EtalonReadOptions *options, EtalonVideoMessage *message) {
  EtalonReader *reader = open_container(options, message);
  if (!reader) return NULL;
  if (etalon_decoder_open(reader, message) && decode_first(reader, message) && is_supported(reader, message)) {
    if (etalon_is_open(reader)) return reader;
    if (!etalon_source_was_stopped(&reader->source, message)) etalon_tell_closed(message);
  }
  close_reader(reader);
  return NULL;
}

static EtalonVideoCode next_frame(
    EtalonReader *reader, EtalonFrame **result, EtalonFrameInfo *info, EtalonVideoMessage *message) {
  memset(message, 0, sizeof *message);
  AVFrame *frame = reader->first;
  reader->first = NULL;
  if (!frame) {
    frame = ff.av_frame_alloc();
    if (!frame) {
      etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "av_frame_alloc", AVERROR(ENOMEM));
      return message->code;
    }
    EtalonVideoCode code = etalon_decode(reader, frame, message);
    if (code != ETALON_VIDEO_OK) {
      ff.av_frame_free(&frame);
      return code;
    }
  }
  etalon_frame_info(frame, info);
  *result = (EtalonFrame *)frame;
  return ETALON_VIDEO_OK;
}

static EtalonVideoCode seek(EtalonReader *reader, int64_t time, EtalonSeekInfo *info, EtalonVideoMessage *message) {
  memset(message, 0, sizeof *message);
  ff.av_frame_free(&reader->first);
  return etalon_seek(reader, time, info, message);
}

static int64_t nearest(EtalonReader *reader) {
  if (!reader->has_left_out) return INT64_MIN;
  return reader->is_uneven ? INT64_MAX : reader->nearest;
}

static int64_t remarks(EtalonReader *reader) { return atomic_load(&reader->remarks) + atomic_load(&reader->complaints); }

static EtalonVideoCode next_sound(EtalonReader *reader, EtalonSoundInfo *info, EtalonVideoMessage *message) {
  memset(message, 0, sizeof *message);
  return etalon_next_sound(reader, info, message);
}

static int64_t position(EtalonReader *reader) { return reader->last_time; }

static int64_t damaged(EtalonReader *reader) { return reader->damaged; }

static int64_t complaints(EtalonReader *reader) { return atomic_load(&reader->complaints); }

static void connection(EtalonReader *reader, EtalonConnectionInfo *info) { *info = reader->source.connection; }

static EtalonVideoCode time_stamps(
    const EtalonReadOptions *options, int64_t **stamps, int64_t *count, uint64_t *content, EtalonVideoMessage *message) {
  *content = ETALON_HASH_START;
  *stamps = NULL;
  *count = 0;
  EtalonReader *reader = open_container(options, message);
  if (!reader) return message->code;
  int64_t room = 0;
  EtalonVideoCode code;
  while ((code = etalon_read_packet(reader, message)) == ETALON_VIDEO_OK) {
    if (reader->packet->flags & AV_PKT_FLAG_DISCARD) continue;
    if (!etalon_source_is_local(&reader->source)) *content = etalon_hash(*content, reader->packet->data, (size_t)reader->packet->size);
    if (*count == room) {
      room = room ? 2 * room : 1024;
      int64_t *grown = realloc(*stamps, (size_t)room * sizeof **stamps);
      if (!grown) {
        etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "realloc", AVERROR(ENOMEM));
        code = message->code;
        break;
      }
      *stamps = grown;
    }
    (*stamps)[(*count)++] = reader->packet->pts;
  }
  close_reader(reader);
  return code == ETALON_VIDEO_END ? ETALON_VIDEO_OK : code;
}

static void release(EtalonFrame *opaque) {
  AVFrame *frame = (AVFrame *)opaque;
  ff.av_frame_free(&frame);
}

const EtalonReading etalon_reading = {
    .open = open_reader,
    .close = close_reader,
    .describe = etalon_describe,
    .describe_sound = etalon_describe_sound,
    .metadata = etalon_metadata,
    .next = next_frame,
    .seek = seek,
    .set_goal = etalon_set_goal,
    .nearest = nearest,
    .has_keyframe = etalon_has_keyframe,
    .position = position,
    .damaged = damaged,
    .complaints = complaints,
    .remarks = remarks,
    .connection = connection,
    .camera = etalon_camera,
    .camera_mode = etalon_camera_mode,
    .time_stamps = time_stamps,
    .release = release,
    .plane_size = etalon_plane_size,
    .copy_plane = etalon_copy_plane,
    .next_sound = next_sound,
    .copy_channel = etalon_copy_channel,
};

#endif

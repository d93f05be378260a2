// Packets to pictures in the order of showing.
#include "reader.h"

#if ETALON_HAS_FFMPEG
#include <string.h>

// So many reads of packets may fail in a row before the file counts as ended.
enum { mostFailures = 32 };

static EtalonVideoCode tell_stop(EtalonReader *reader, EtalonVideoMessage *message) {
  etalon_source_was_stopped(&reader->source, message);
  return message->code;
}

int64_t etalon_packet_time(const AVPacket *packet) { return packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts; }

EtalonVideoCode etalon_read_packet(EtalonReader *reader, EtalonVideoMessage *message) {
  AVPacket *packet = reader->packet;
  for (int failures = 0; failures < mostFailures;) {
    if (etalon_source_is_stopped(&reader->source)) return tell_stop(reader, message);
    ff.av_packet_unref(packet);
    int result = ff.av_read_frame(reader->container, packet);
    if (result >= 0) {
      if (packet->stream_index != reader->stream->index) continue;
      int64_t time = etalon_packet_time(packet);
      if (time != AV_NOPTS_VALUE && (reader->last_time == AV_NOPTS_VALUE || time > reader->last_time)) reader->last_time = time;
      return ETALON_VIDEO_OK;
    }
    if (etalon_source_is_stopped(&reader->source)) return tell_stop(reader, message);
    if (result == AVERROR_EOF) return ETALON_VIDEO_END;
    if (result == AVERROR(ENOMEM)) {
      etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "av_read_frame", result);
      return message->code;
    }
    if (result != AVERROR(EAGAIN)) reader->damaged++;
    failures++;
  }
  return ETALON_VIDEO_END;
}

// Gives the decoder a packet, or tells it that there are no more.
static EtalonVideoCode feed(EtalonReader *reader, EtalonVideoMessage *message) {
  if (!etalon_queue_take(reader)) {
    EtalonVideoCode code = etalon_read_packet(reader, message);
    if (code != ETALON_VIDEO_OK && code != ETALON_VIDEO_END) return code;
    reader->is_draining = code == ETALON_VIDEO_END;
  }
  int result = ff.avcodec_send_packet(reader->decoder, reader->is_draining ? NULL : reader->packet);
  if (result == AVERROR(ENOMEM)) {
    etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "avcodec_send_packet", result);
    return message->code;
  }
  if (result < 0 && result != AVERROR_EOF) reader->damaged++;
  return ETALON_VIDEO_OK;
}

EtalonVideoCode etalon_decode(EtalonReader *reader, AVFrame *frame, EtalonVideoMessage *message) {
  while (!reader->is_at_end) {
    if (etalon_source_is_stopped(&reader->source)) return tell_stop(reader, message);
    int result = ff.avcodec_receive_frame(reader->decoder, frame);
    if (result >= 0) return ETALON_VIDEO_OK;
    if (result == AVERROR_EOF) {
      reader->is_at_end = true;
    } else if (result == AVERROR(ENOMEM)) {
      etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "avcodec_receive_frame", result);
      return message->code;
    } else if (result != AVERROR(EAGAIN)) {
      reader->damaged++;
    } else {
      EtalonVideoCode code = feed(reader, message);
      if (code != ETALON_VIDEO_OK) return code;
    }
  }
  return ETALON_VIDEO_END;
}

#endif

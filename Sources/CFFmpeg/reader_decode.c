// Packets to pictures in the order of showing.
#include "reader.h"

#if ETALON_HAS_FFMPEG
#include <string.h>

// So many reads of packets may fail in a row before the file counts as ended.
enum { mostFailures = 32, cameraMilliseconds = 2 };

static EtalonVideoCode tell_stop(EtalonReader *reader, EtalonVideoMessage *message) {
  etalon_source_was_stopped(&reader->source, message);
  return message->code;
}

// Whether a recorded RTSP stream ends long before the time that it says.
static bool breaks_off(EtalonReader *reader) {
  EtalonSource *source = &reader->source;
  if (source->kind != ETALON_FROM_RTSP || reader->last_time == AV_NOPTS_VALUE) return false;
  int64_t start = reader->stream->start_time != AV_NOPTS_VALUE ? reader->stream->start_time : 0;
  source->ended = (double)(reader->last_time - start) * av_q2d(reader->stream->time_base);
  source->length = (double)reader->container->duration / AV_TIME_BASE;
  if (source->ended + 1 >= source->length) return false;
  source->stopped = ETALON_VIDEO_CANNOT_READ;
  return true;
}

int64_t etalon_packet_time(const AVPacket *packet) { return packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts; }

EtalonVideoCode etalon_read_packet(EtalonReader *reader, EtalonVideoMessage *message) {
  if (!etalon_is_open(reader)) return etalon_tell_closed(message);
  AVPacket *packet = reader->packet;
  etalon_source_expect(&reader->source);
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
    // A live RTSP stream has no end that is known: the connection broke.
    bool is_endless = reader->source.kind == ETALON_FROM_RTSP && reader->container->duration == AV_NOPTS_VALUE;
    if (result == AVERROR_EOF && !is_endless) return breaks_off(reader) ? tell_stop(reader, message) : ETALON_VIDEO_END;
    if (result == AVERROR(ENOMEM)) {
      etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, "av_read_frame", result);
      return message->code;
    }
    if (result == AVERROR(EAGAIN) && reader->source.kind == ETALON_FROM_CAMERA) {
      // Cameras do not wait, so that they can be given up.
      etalon_source_pause(&reader->source, cameraMilliseconds);
      continue;
    }
    if (reader->source.kind == ETALON_FROM_RTSP) {
      reader->is_broken = reader->is_fed;
      if (reader->is_broken) return ETALON_VIDEO_END;
      if (!etalon_address_reopen(reader, message)) return message->code;
      continue;
    }
    if (result != AVERROR(EAGAIN)) reader->damaged++;
    failures++;
  }
  return ETALON_VIDEO_END;
}

// What the decoder still holds has come, so that it is shown before a stream ends that has stalled, broken off, or names what it may not.
static bool has_stalled(const EtalonReader *reader) {
  const EtalonSource *source = &reader->source;
  bool is_over = source->stopped != ETALON_VIDEO_OK && source->stopped != ETALON_VIDEO_CANCELLED;
  return is_over && !etalon_source_is_local(source) && source->is_connected;
}

void etalon_set_goal(EtalonReader *reader, int64_t time) {
  // What other codecs call needless may be needed: HEVC's is so within its layer only.
  bool is_sure = reader->stream && reader->stream->codecpar->codec_id == AV_CODEC_ID_H264;
  reader->goal = is_sure ? time : INT64_MIN;
  reader->nearest = INT64_MIN;
  reader->has_left_out = false;
}

// Whether a packet follows the one before it at the distance that the rate says, so that none is missing between them.
static bool is_next(EtalonReader *reader, const AVPacket *packet) {
  int64_t last = reader->last_decoding;
  reader->last_decoding = packet->dts;
  AVRational rate = reader->stream->avg_frame_rate;
  if (packet->dts == AV_NOPTS_VALUE || rate.num <= 0 || rate.den <= 0) return false;
  int64_t usual = ff.av_rescale_q(1, (AVRational){rate.den, rate.num}, reader->stream->time_base);
  return last == AV_NOPTS_VALUE || (packet->dts > last && 2 * (packet->dts - last) <= 3 * usual + 2);
}

// Lets the decoder leave the packet out if its picture is not shown at the goal, because a later one is, and no other picture needs it.
static void choose_skipping(EtalonReader *reader) {
  const AVPacket *packet = reader->packet;
  bool is_known = !reader->is_draining && packet->pts != AV_NOPTS_VALUE;
  if (!reader->is_draining && !is_next(reader, packet)) reader->is_uneven = true;
  bool is_needless = is_known && packet->pts < reader->nearest && !reader->is_uneven;
  reader->decoder->skip_frame = is_needless ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
  reader->has_left_out |= is_needless;
  bool is_shown = is_known && !(packet->flags & AV_PKT_FLAG_DISCARD) && packet->pts <= reader->goal;
  if (is_shown && packet->pts > reader->nearest) reader->nearest = packet->pts;
}

// Gives the decoder a packet, or tells it that there are no more.
static EtalonVideoCode feed(EtalonReader *reader, EtalonVideoMessage *message) {
  if (!etalon_queue_take(reader)) {
    EtalonVideoCode code = etalon_read_packet(reader, message);
    if (code != ETALON_VIDEO_OK && code != ETALON_VIDEO_END && !has_stalled(reader)) return code;
    reader->is_draining = code != ETALON_VIDEO_OK;
  }
  reader->is_fed = true;
  choose_skipping(reader);
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
    bool is_over = etalon_source_is_stopped(&reader->source) && !has_stalled(reader);
    if (is_over) return tell_stop(reader, message);
    int result = ff.avcodec_receive_frame(reader->decoder, frame);
    if (result >= 0) return ETALON_VIDEO_OK;
    if (result == AVERROR_EOF && reader->is_broken) {
      if (!etalon_address_reopen(reader, message)) return message->code;
    } else if (result == AVERROR_EOF) {
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
  return etalon_source_is_stopped(&reader->source) ? tell_stop(reader, message) : ETALON_VIDEO_END;
}

#endif

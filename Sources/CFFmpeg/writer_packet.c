// Packets, and what is in them.
#include "writer.h"

#if ETALON_HAS_FFMPEG
#include <string.h>

static const AVPacket *constant_packet_of(const EtalonPacket *packet) { return (const AVPacket *)packet; }

EtalonPacket *etalon_packet_new(void) { return (EtalonPacket *)ff.av_packet_alloc(); }

void etalon_packet_free(EtalonPacket *packet) {
  AVPacket *freed = packet_of(packet);
  ff.av_packet_free(&freed);
}

EtalonPacketContents etalon_packet_contents(const EtalonPacket *packet) {
  const AVPacket *read = constant_packet_of(packet);
  return (EtalonPacketContents){
      .time = read->pts,
      .decodingTime = read->dts,
      .duration = read->duration,
      .flags = read->flags,
      .byteCount = read->size,
      .bytes = read->data,
      .sideDataCount = read->side_data_elems,
  };
}

EtalonSideData etalon_packet_side_data(const EtalonPacket *packet, int32_t index) {
  const AVPacketSideData *data = &constant_packet_of(packet)->side_data[index];
  return (EtalonSideData){.kind = (int32_t)data->type, .byteCount = (int32_t)data->size, .bytes = data->data};
}

static int32_t fail(EtalonVideoMessage *message, const char *operation, int error) {
  etalon_log_begin();
  etalon_tell_error(message, ETALON_VIDEO_NO_MEMORY, operation, error);
  return FAILED;
}

int32_t etalon_packet_set(EtalonPacket *packet, const EtalonPacketContents *contents, EtalonVideoMessage *message) {
  AVPacket *set = packet_of(packet);
  ff.av_packet_unref(set);
  int result = ff.av_new_packet(set, contents->byteCount);
  if (result < 0) return fail(message, "av_new_packet", result);
  if (contents->byteCount > 0) memcpy(set->data, contents->bytes, (size_t)contents->byteCount);
  set->pts = contents->time;
  set->dts = contents->decodingTime;
  set->duration = contents->duration;
  set->flags = contents->flags;
  return DONE;
}

int32_t etalon_packet_add(EtalonPacket *packet, const EtalonSideData *data, EtalonVideoMessage *message) {
  uint8_t *place = ff.av_packet_new_side_data(packet_of(packet), (enum AVPacketSideDataType)data->kind, (size_t)data->byteCount);
  if (place == NULL) return fail(message, "av_packet_new_side_data", AVERROR(ENOMEM));
  if (data->byteCount > 0) memcpy(place, data->bytes, (size_t)data->byteCount);
  return DONE;
}

#endif

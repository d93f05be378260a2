// What a file, its streams and its first picture say.
#include "reader.h"

#if ETALON_HAS_FFMPEG

static EtalonVideoFraction fraction(AVRational value) { return (EtalonVideoFraction){value.num, value.den}; }

static const char *text(const AVDictionary *metadata, const char *key) {
  const AVDictionaryEntry *entry = ff.av_dict_get(metadata, key, NULL, 0);
  return entry ? entry->value : NULL;
}

// Of the stream, of the file, or of a stream that holds nothing else.
static const char *find_timecode(const EtalonReader *reader) {
  const char *found = text(reader->stream->metadata, "timecode");
  if (!found) found = text(reader->container->metadata, "timecode");
  for (unsigned index = 0; !found && index < reader->container->nb_streams; index++) {
    found = text(reader->container->streams[index]->metadata, "timecode");
  }
  return found;
}

static const int32_t *display_matrix(const EtalonReader *reader) {
#if ETALON_HAS_CODED_SIDE_DATA
  const AVCodecParameters *codec = reader->stream->codecpar;
  const AVPacketSideData *found =
      ff.av_packet_side_data_get(codec->coded_side_data, codec->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
  const uint8_t *data = found ? found->data : NULL;
  size_t size = found ? found->size : 0;
#else
  size_t size = 0;
  const uint8_t *data = ff.av_stream_get_side_data(reader->stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
#endif
  if (data && size >= 9 * sizeof(int32_t)) return (const int32_t *)data;
  const AVFrameSideData *side = ff.av_frame_get_side_data(reader->model, AV_FRAME_DATA_DISPLAYMATRIX);
  return side && side->size >= 9 * sizeof(int32_t) ? (const int32_t *)side->data : NULL;
}

static int sign(int32_t value, int32_t other) {
  // Turns by other angles than quarters count as the nearest.
  int64_t a = value < 0 ? -(int64_t)value : value, b = other < 0 ? -(int64_t)other : other;
  return a < b || a == 0 ? 0 : value < 0 ? -1 : 1;
}

// A point of the picture (x, y) is shown at (a x + c y, b x + d y).
static int32_t orientation(const int32_t *matrix) {
  if (!matrix) return 1;
  int a = sign(matrix[0], matrix[1]), b = sign(matrix[1], matrix[0]);
  int c = sign(matrix[3], matrix[4]), d = sign(matrix[4], matrix[3]);
  if (a && d) return a > 0 ? (d > 0 ? 1 : 4) : (d > 0 ? 2 : 3);
  if (b && c) return b > 0 ? (c > 0 ? 5 : 6) : (c > 0 ? 8 : 7);
  return 1;
}

static int32_t range(const AVFrame *frame) {
  if (frame->color_range == AVCOL_RANGE_MPEG) return 1;
  if (frame->color_range == AVCOL_RANGE_JPEG) return 2;
  switch (frame->format) {
  case AV_PIX_FMT_YUVJ420P:
  case AV_PIX_FMT_YUVJ422P:
  case AV_PIX_FMT_YUVJ444P:
  case AV_PIX_FMT_YUVJ440P:
  case AV_PIX_FMT_YUVJ411P: return 2;
  default: return 0;
  }
}

static EtalonColorCode color_code(int number, bool is_said, const char *name) {
  return (EtalonColorCode){.number = number, .name = is_said ? name : NULL};
}

static void describe_color(const AVFrame *frame, EtalonVideoDescription *description) {
  description->range = range(frame);
  description->matrix =
      color_code(frame->colorspace, frame->colorspace != AVCOL_SPC_UNSPECIFIED, ff.av_color_space_name(frame->colorspace));
  description->transfer =
      color_code(frame->color_trc, frame->color_trc != AVCOL_TRC_UNSPECIFIED, ff.av_color_transfer_name(frame->color_trc));
  description->primaries = color_code(
      frame->color_primaries, frame->color_primaries != AVCOL_PRI_UNSPECIFIED, ff.av_color_primaries_name(frame->color_primaries));
  description->chroma_location = color_code(
      frame->chroma_location, frame->chroma_location != AVCHROMA_LOC_UNSPECIFIED, ff.av_chroma_location_name(frame->chroma_location));
}

static EtalonFieldOrder field_order(const EtalonReader *reader) {
  const AVFrame *frame = reader->model;
  if (ETALON_FRAME_IS_INTERLACED(frame)) {
    return ETALON_FRAME_IS_TOP_FIRST(frame) ? ETALON_FIELDS_TOP_FIRST : ETALON_FIELDS_BOTTOM_FIRST;
  }
  switch (reader->stream->codecpar->field_order) {
  case AV_FIELD_PROGRESSIVE: return ETALON_FIELDS_PROGRESSIVE;
  case AV_FIELD_TT:
  case AV_FIELD_BT: return ETALON_FIELDS_TOP_FIRST;
  case AV_FIELD_BB:
  case AV_FIELD_TB: return ETALON_FIELDS_BOTTOM_FIRST;
  default: return ETALON_FIELDS_UNKNOWN;
  }
}

static void count_streams(const EtalonReader *reader, EtalonVideoDescription *description) {
  for (unsigned index = 0; index < reader->container->nb_streams; index++) {
    const AVStream *stream = reader->container->streams[index];
    if (etalon_is_picture(stream)) description->video_streams++;
    if (stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO) description->sound_streams++;
    if (stream->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE) description->subtitle_streams++;
  }
  description->chapters = (int32_t)reader->container->nb_chapters;
}

// Streams of some containers have no duration of their own.
static int64_t duration(const EtalonReader *reader) {
  const AVStream *stream = reader->stream;
  if (stream->duration != AV_NOPTS_VALUE) return stream->duration;
  if (reader->container->duration == AV_NOPTS_VALUE) return INT64_MIN;
  return ff.av_rescale_q(reader->container->duration, (AVRational){1, AV_TIME_BASE}, stream->time_base);
}

void etalon_describe(EtalonReader *reader, EtalonVideoDescription *description) {
  AVStream *stream = reader->stream;
  AVFrame *frame = reader->model;
  enum AVCodecID codec = stream->codecpar->codec_id;
  *description = (EtalonVideoDescription){
      .container = reader->container->iformat->name,
      .codec = ff.avcodec_get_name(codec),
      .profile = ff.avcodec_profile_name(codec, stream->codecpar->profile),
      .decoder = reader->decoder->codec ? reader->decoder->codec->name : NULL,
      .language = text(stream->metadata, "language"),
      .timecode = find_timecode(reader),
      .coded_width = reader->decoder->coded_width,
      .coded_height = reader->decoder->coded_height,
      .width = frame->width,
      .height = frame->height,
      .orientation = orientation(display_matrix(reader)),
      .sample_aspect = fraction(ff.av_guess_sample_aspect_ratio(reader->container, stream, frame)),
      .fields = field_order(reader),
      .time_base = fraction(stream->time_base),
      .average_rate = fraction(stream->avg_frame_rate),
      .base_rate = fraction(stream->r_frame_rate),
      .start = stream->start_time,
      .duration = duration(reader),
      .frames = stream->nb_frames,
      .can_seek = etalon_can_seek(reader),
      .can_jump = etalon_can_seek(reader) && codec != AV_CODEC_ID_GIF && codec != AV_CODEC_ID_APNG,
  };
  if (!reader->options.sound) {
    etalon_pixel_layout(frame->format, &description->pixels);
    describe_color(frame, description);
  }
  count_streams(reader, description);
}

static EtalonVideoFraction seconds(int64_t count, AVRational base) {
  int64_t units;
  if (count == AV_NOPTS_VALUE || __builtin_mul_overflow(count, (int64_t)base.num, &units)) return (EtalonVideoFraction){0, 0};
  return (EtalonVideoFraction){units, base.den};
}

bool etalon_describe_sound(EtalonReader *reader, int32_t index, EtalonSoundDescription *description) {
  for (unsigned place = 0; place < reader->container->nb_streams; place++) {
    const AVStream *stream = reader->container->streams[place];
    const AVCodecParameters *codec = stream->codecpar;
    if (codec->codec_type != AVMEDIA_TYPE_AUDIO || index-- > 0) continue;
    *description = (EtalonSoundDescription){
        .codec = ff.avcodec_get_name(codec->codec_id),
        .language = text(stream->metadata, "language"),
        .sample_rate = codec->sample_rate,
        .channels = codec->ch_layout.nb_channels,
        .start = seconds(stream->start_time, stream->time_base),
        .duration = seconds(stream->duration, stream->time_base),
    };
    return true;
  }
  return false;
}

bool etalon_metadata(EtalonReader *reader, bool of_stream, int32_t index, const char **key, const char **value) {
  const AVDictionary *metadata = of_stream ? reader->stream->metadata : reader->container->metadata;
  const AVDictionaryEntry *entry = NULL;
  do {
    entry = ff.av_dict_get(metadata, "", entry, AV_DICT_IGNORE_SUFFIX);
  } while (entry && index-- > 0);
  if (!entry) return false;
  *key = entry->key;
  *value = entry->value;
  return true;
}

void etalon_frame_info(const AVFrame *frame, EtalonFrameInfo *info) {
  *info = (EtalonFrameInfo){
      .time_stamp = frame->best_effort_timestamp,
      .duration = ETALON_FRAME_DURATION(frame),
      .width = frame->width,
      .height = frame->height,
      .pixel_format = frame->format,
      .pixel_format_name = ff.av_get_pix_fmt_name(frame->format),
      .is_key = ETALON_FRAME_IS_KEY(frame),
      .is_intra = frame->pict_type != AV_PICTURE_TYPE_P && frame->pict_type != AV_PICTURE_TYPE_B,
      .is_corrupt = frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0,
      .is_interlaced = ETALON_FRAME_IS_INTERLACED(frame),
      .top_field_first = ETALON_FRAME_IS_TOP_FIRST(frame),
  };
}

#endif

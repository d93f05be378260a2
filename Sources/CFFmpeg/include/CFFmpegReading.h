// Part of CFFmpeg.h: reading videos and sounds.
#ifndef CFFMPEG_READING_H
#define CFFMPEG_READING_H

/// An open file of which one stream is decoded. One thread at a time may use it.
typedef struct EtalonReader EtalonReader;

/// A decoded picture. It stays valid after its reader was closed, and any thread may use it.
typedef struct EtalonFrame EtalonFrame;

/// Where the bytes come from.
typedef enum {
  /// A file or a named pipe, which is opened.
  ETALON_FROM_FILE,
  /// An open descriptor of the process; the path is its number.
  ETALON_FROM_DESCRIPTOR,
  /// An address that begins with http:// or https://.
  ETALON_FROM_WEB,
  /// An address that begins with rtsp:// or rtsps://.
  ETALON_FROM_RTSP,
  /// A camera; the path is that of its device, or `test` for moving test pictures.
  ETALON_FROM_CAMERA,
} EtalonSourceKind;

/// What is read, and how.
typedef struct {
  const char *_Nonnull path;
  EtalonSourceKind kind;
  /// Of a camera: `640x480`, `30` or `30000/1001`, and FFmpeg's name of a pixel format or of a codec; null for what the driver gives.
  const char *_Nullable camera_size, *_Nullable camera_rate, *_Nullable camera_format;
  /// Which of the streams of its kind, from 0; -1 for the one that FFmpeg takes for the main one.
  int32_t stream;
  /// Whether a sound is decoded instead of a video.
  bool sound;
  /// The threads of the decoder; 0 for as many as there are cores.
  int32_t threads;
  /// The largest pictures.
  int32_t most_side;
  int64_t most_pixels;
  /// A number that becomes other than 0 when reading shall end; valid until the reader is closed.
  const volatile int32_t *_Nullable cancelled;
  /// How long a pipe or a stream may have nothing to read.
  int32_t patience_milliseconds;
} EtalonReadOptions;

/// A number of ISO/IEC 23091-2 (H.273) and FFmpeg's name for it; a null name where the file does not say.
typedef struct {
  int32_t number;
  const char *_Nullable name;
} EtalonColorCode;

typedef enum { ETALON_FIELDS_UNKNOWN, ETALON_FIELDS_PROGRESSIVE, ETALON_FIELDS_TOP_FIRST, ETALON_FIELDS_BOTTOM_FIRST } EtalonFieldOrder;

typedef enum { ETALON_LAYOUT_YCBCR, ETALON_LAYOUT_GRAY, ETALON_LAYOUT_RGB } EtalonPlaneLayout;

enum { ETALON_MOST_PLANES = 4 };

/// How the planes of pictures are made.
typedef struct {
  const char *_Nullable name;
  EtalonPlaneLayout layout;
  bool has_alpha;
  /// The bits of a sample, 8 to 16.
  int32_t bits;
  /// By how many bits the sides of chroma planes are shifted.
  int32_t chroma_shift_x, chroma_shift_y;
  int32_t plane_count;
} EtalonPixelLayout;

/// What a stream says about itself, and its first picture about all of them. Texts live as long as the reader.
typedef struct {
  const char *_Nullable container;
  const char *_Nullable codec;
  const char *_Nullable profile;
  const char *_Nullable decoder;
  const char *_Nullable language;
  const char *_Nullable timecode;
  int32_t video_streams, sound_streams, subtitle_streams, chapters;
  int32_t coded_width, coded_height, width, height;
  EtalonPixelLayout pixels;
  /// As in EXIF: 1 for upright, 2 to 8 for mirrored and turned pictures.
  int32_t orientation;
  EtalonVideoFraction sample_aspect;
  /// 1 for limited, 2 for full, 0 where the file does not say.
  int32_t range;
  EtalonColorCode matrix, transfer, primaries, chroma_location;
  EtalonFieldOrder fields;
  EtalonVideoFraction time_base, average_rate, base_rate;
  /// In units of the time base; INT64_MIN where the file does not say.
  int64_t start, duration;
  /// 0 where the file does not say.
  int64_t frames;
  /// Whether the file can be read again from an earlier place; where it cannot, its pictures come once, as a pipe or a live stream gives them.
  bool can_seek;
  /// Whether keyframes can be trusted: pictures of animated GIF and PNG files are made from those before them.
  bool can_jump;
} EtalonVideoDescription;

/// What a stream of sound says about itself.
typedef struct {
  const char *_Nullable codec;
  const char *_Nullable language;
  int32_t sample_rate, channels;
  EtalonVideoFraction start, duration;
} EtalonSoundDescription;

/// One decoded picture.
typedef struct {
  /// In units of the stream's time base; INT64_MIN for none.
  int64_t time_stamp, duration;
  int32_t width, height;
  /// A number for the layout of its pixels; equal for pictures of the same layout.
  int32_t pixel_format;
  const char *_Nullable pixel_format_name;
  bool is_key, is_intra, is_corrupt, is_interlaced, top_field_first;
} EtalonFrameInfo;

/// The packet at which decoding starts after a seek.
typedef struct {
  /// Of its picture, or else of its decoding; INT64_MIN for none.
  int64_t time_stamp;
  /// The container has only times of decoding. The keyframe's picture may be shown later, but with this codec it is shown first.
  bool is_shown_later;
  /// The file's edit list leaves its picture out.
  bool is_discarded;
} EtalonSeekInfo;

/// Samples of a piece of sound, channel after channel.
typedef struct {
  /// In units of the stream's time base; INT64_MIN for none.
  int64_t time_stamp;
  int32_t sample_rate, channels, samples;
} EtalonSoundInfo;

/// What became of the connection of a stream.
typedef struct {
  /// How often it was made again.
  int64_t reconnections;
  /// Parts of the stream that could not be had.
  int64_t lost_parts;
  /// Why the last of them could not be had; empty for none.
  char reason[256];
} EtalonConnectionInfo;

/// A camera that the system knows.
typedef struct {
  /// `/dev/video0`, and the name that its driver gives; both end in a zero.
  char path[64];
  char name[64];
} EtalonCameraInfo;

/// A form that a camera gives pictures in.
typedef struct {
  /// Its four letters, as `YUYV`, and the words of the driver for them.
  char code[8];
  char words[48];
  int32_t width, height;
  /// The highest number of pictures a second; the denominator is zero where the driver does not say.
  EtalonVideoFraction rate;
} EtalonCameraMode;

/// The functions that read.
typedef struct {
  /// Opens a file and decodes its first picture.
  EtalonReader *_Nullable (*_Nonnull open)(const EtalonReadOptions *_Nonnull options, EtalonVideoMessage *_Nonnull message);
  void (*_Nonnull close)(EtalonReader *_Nonnull reader);

  void (*_Nonnull describe)(EtalonReader *_Nonnull reader, EtalonVideoDescription *_Nonnull description);
  /// One of the streams of sound, from 0; false behind the last.
  bool (*_Nonnull describe_sound)(EtalonReader *_Nonnull reader, int32_t index, EtalonSoundDescription *_Nonnull description);
  /// One of the texts of the file, from 0, or of the stream; false behind the last. Texts live as long as the reader.
  bool (*_Nonnull metadata)(
      EtalonReader *_Nonnull reader, bool of_stream, int32_t index, const char *_Nullable *_Nonnull key,
      const char *_Nullable *_Nonnull value);

  /// Decodes the next picture in the order of showing; ETALON_VIDEO_END behind the last. The caller releases the picture.
  EtalonVideoCode (*_Nonnull next)(
      EtalonReader *_Nonnull reader, EtalonFrame *_Nullable *_Nonnull frame, EtalonFrameInfo *_Nonnull info,
      EtalonVideoMessage *_Nonnull message);
  /// Goes to a packet whose picture needs no earlier one and is not later than a time, as far as the container knows; INT64_MIN for the first packet
  /// of the stream, whatever it is. ETALON_VIDEO_END where there is none.
  EtalonVideoCode (*_Nonnull seek)(
      EtalonReader *_Nonnull reader, int64_t time, EtalonSeekInfo *_Nonnull info, EtalonVideoMessage *_Nonnull message);
  /// Only the last picture that is not after a time, and those behind it, are asked for from now on; INT64_MIN for all of them. Pictures that no other
  /// needs may then be left out, if one that is nearer to the time went to the decoder before them.
  void (*_Nonnull set_goal)(EtalonReader *_Nonnull reader, int64_t time);
  /// The latest of the packets up to that time that went to the decoder since the last jump, if others were left out for it; otherwise INT64_MIN.
  /// INT64_MAX where packets may be missing, so that what was left out may be needed.
  int64_t (*_Nonnull nearest)(EtalonReader *_Nonnull reader);
  /// Whether a keyframe that is not yet read lies at or before a time: 1 yes, 0 no, -1 if the container does not know.
  int32_t (*_Nonnull has_keyframe)(EtalonReader *_Nonnull reader, int64_t time);
  /// The time of the last packet that was read; INT64_MIN for none.
  int64_t (*_Nonnull position)(EtalonReader *_Nonnull reader);
  /// How many packets could not be read or decoded since the reader was opened, and pieces of sound that are damaged.
  int64_t (*_Nonnull damaged)(EtalonReader *_Nonnull reader);
  /// How many errors the decoder only logged, because it could go on; none are counted from the first jump on.
  int64_t (*_Nonnull complaints)(EtalonReader *_Nonnull reader);
  /// How many errors the decoder only logged, all of them.
  int64_t (*_Nonnull remarks)(EtalonReader *_Nonnull reader);
  /// What became of the connection of a stream since the reader was opened.
  void (*_Nonnull connection)(EtalonReader *_Nonnull reader, EtalonConnectionInfo *_Nonnull info);
  /// The cameras of the machine, from 0; false behind the last.
  bool (*_Nonnull camera)(int32_t index, EtalonCameraInfo *_Nonnull camera);
  /// One of the forms that a camera gives pictures in, from 0; false behind the last.
  bool (*_Nonnull camera_mode)(const char *_Nonnull path, int32_t index, EtalonCameraMode *_Nonnull mode);
  /// Reads all packets of a file without decoding them: the time stamps of their pictures in the order of the file, INT64_MIN for those that have
  /// none. The caller frees them with `free`.
  ///
  /// - `content`: of a stream a number that follows from the bytes of all packets (FNV-1a), which tells one content from another; of files it is
  ///   always the same.
  EtalonVideoCode (*_Nonnull time_stamps)(
      const EtalonReadOptions *_Nonnull options, int64_t *_Nullable *_Nonnull stamps, int64_t *_Nonnull count,
      uint64_t *_Nonnull content, EtalonVideoMessage *_Nonnull message);

  void (*_Nonnull release)(EtalonFrame *_Nonnull frame);
  /// The width and height of a plane.
  void (*_Nonnull plane_size)(
      const EtalonFrame *_Nonnull frame, int32_t plane, int32_t *_Nonnull width, int32_t *_Nonnull height);
  /// Copies a plane: 1 byte a sample for up to 8 bits, else 2 in the machine's order, rows without padding. `bytes` has room for the whole plane.
  void (*_Nonnull copy_plane)(const EtalonFrame *_Nonnull frame, int32_t plane, uint8_t *_Nonnull bytes);

  /// Decodes the next piece of sound, which stays in the reader; ETALON_VIDEO_END behind the last.
  EtalonVideoCode (*_Nonnull next_sound)(
      EtalonReader *_Nonnull reader, EtalonSoundInfo *_Nonnull info, EtalonVideoMessage *_Nonnull message);
  /// Copies one channel of the piece as numbers from -1 to 1.
  void (*_Nonnull copy_channel)(EtalonReader *_Nonnull reader, int32_t channel, float *_Nonnull samples);
} EtalonReading;

#endif

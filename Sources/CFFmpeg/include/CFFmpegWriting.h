// Part of CFFmpeg.h: writing videos. An encoder makes packets of frames, a sound source makes packets of another file, a muxer writes packets.
#ifndef CFFMPEG_WRITING_H
#define CFFMPEG_WRITING_H

/// Compresses frames of one size. Used by one thread at a time; FFmpeg starts threads of its own.
typedef struct EtalonEncoder EtalonEncoder;
/// Writes packets of several tracks into one file.
typedef struct EtalonMuxer EtalonMuxer;
/// Reads the sound of a file, cut to a range.
typedef struct EtalonSoundSource EtalonSoundSource;
/// Holds one compressed piece of a track.
typedef struct EtalonPacket EtalonPacket;

/// What is in a packet.
typedef struct {
  /// When it is shown and decoded, and how long, in ticks of its encoder.
  int64_t time;
  int64_t decodingTime;
  int64_t duration;
  /// FFmpeg's flags.
  int32_t flags;
  int32_t byteCount;
  const uint8_t *_Nullable bytes;
  /// What belongs to the bytes, such as alpha.
  int32_t sideDataCount;
} EtalonPacketContents;

/// One piece of what belongs to the bytes of a packet.
typedef struct {
  /// FFmpeg's number of the kind.
  int32_t kind;
  int32_t byteCount;
  const uint8_t *_Nullable bytes;
} EtalonSideData;

/// An option of FFmpeg, or an entry of metadata.
typedef struct {
  const char *_Nonnull name;
  const char *_Nonnull value;
} EtalonOption;

/// One plane of a frame: the top row, and the bytes from one row to the next.
typedef struct {
  const uint8_t *_Nullable rows;
  ptrdiff_t bytesPerRow;
} EtalonPlane;

/// How the planes of a caller become those of the encoder.
typedef enum : int32_t {
  /// They are the same, in the same order.
  ETALON_PLANES_SAME = 0,
  /// The caller's planes are red, green, blue and alpha, the encoder's are green, blue, red and alpha.
  ETALON_PLANES_GBR,
  /// The caller's planes are red, green, blue and alpha with 8 bits, the encoder takes one plane with blue, green, red and alpha in turn.
  ETALON_PLANES_BGRA,
  /// The caller's planes are indices and a palette of 256 words 0xAARRGGBB; the encoder keeps the last frame, so that it gets copies.
  ETALON_PLANES_PALETTE,
  /// The caller's planes are red, green, blue and alpha, the encoder takes one plane with these in turn, of 16 bits the high byte first; it keeps the
  /// last frame, so that it gets copies.
  ETALON_PLANES_INTERLEAVED,
} EtalonPlaneOrder;

/// What an encoder is to make.
typedef struct {
  /// FFmpeg's name of the encoder, such as `libx264`.
  const char *_Nonnull codec;
  /// FFmpeg's name of the form of pixels, such as `yuv420p`.
  const char *_Nonnull pixelFormat;
  EtalonPlaneOrder planeOrder;
  int32_t planeCount;
  int32_t width;
  int32_t height;
  int32_t threads;
  /// The seconds that one tick of a time stamp lasts.
  EtalonVideoFraction timeBase;
  /// Frames a second; the denominator is zero where each frame has a time stamp of its own.
  EtalonVideoFraction frameRate;
  EtalonVideoFraction pixelAspect;
  /// The numbers of ITU-T H.273, and those of `AVColorRange` and `AVChromaLocation`.
  int32_t range;
  int32_t matrix;
  int32_t primaries;
  int32_t transfer;
  int32_t chromaLocation;
  // Ticks between pictures that need none before; 0 where the encoder chooses.
  int64_t keyInterval;
  /// Options of the encoder; one that it does not know is a failure.
  const EtalonOption *_Nullable options;
  int32_t optionCount;
} EtalonEncoderSettings;

/// The file that a muxer writes.
typedef struct {
  const char *_Nonnull path;
  /// FFmpeg's name of the container, such as `mp4`.
  const char *_Nonnull container;
  const EtalonOption *_Nullable options;
  int32_t optionCount;
  const EtalonOption *_Nullable metadata;
  int32_t metadataCount;
} EtalonMuxerSettings;

/// The light of a video of the primaries of ITU-R BT.2100, in candela per square meter.
typedef struct {
  /// The most of the display that the video is made for; 0 where nothing is said.
  int32_t peak;
  /// MaxCLL and MaxFALL of CTA-861.3.
  uint32_t brightest;
  uint32_t brightestMean;
} EtalonLight;

/// What a track of a muxer says about itself.
typedef struct {
  /// How viewers turn the picture, as nine numbers of a display matrix; null for as it is.
  const int32_t *_Nullable displayMatrix;
  const EtalonOption *_Nullable metadata;
  int32_t metadataCount;
  EtalonLight light;
} EtalonTrackSettings;

/// What is known of the sound of a file.
typedef struct {
  /// FFmpeg's names of the codec, such as `aac`, and of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  char codec[32];
  char container[64];
  char language[64];
  char title[256];
  int32_t sampleRate;
  int32_t channels;
  /// Bits of a sample as far as the codec says so; otherwise 0.
  int32_t bits;
  bool isLossless;
} EtalonSoundInformation;

/// The functions that write videos. Those that return a number return 1 when they did what they say, 0 when there is nothing more for now, and -1 with
/// a message when they failed.
typedef struct {
  /// Whether the libraries have an encoder, and a container.
  bool (*_Nonnull has_encoder)(const char *_Nonnull codec);
  bool (*_Nonnull has_container)(const char *_Nonnull container);
  /// Whether a container holds what a codec makes.
  bool (*_Nonnull container_holds)(const char *_Nonnull container, const char *_Nonnull codec);

  EtalonPacket *_Nullable (*_Nonnull packet_new)(void);
  void (*_Nonnull packet_free)(EtalonPacket *_Nonnull packet);

  /// The bytes live as long as the packet is not changed.
  EtalonPacketContents (*_Nonnull packet_contents)(const EtalonPacket *_Nonnull packet);
  EtalonSideData (*_Nonnull packet_side_data)(const EtalonPacket *_Nonnull packet, int32_t index);
  /// Replaces what is in a packet by copies of bytes, without side data.
  int32_t (*_Nonnull packet_set)(
      EtalonPacket *_Nonnull packet, const EtalonPacketContents *_Nonnull contents, EtalonVideoMessage *_Nonnull message);
  int32_t (*_Nonnull packet_add)(
      EtalonPacket *_Nonnull packet, const EtalonSideData *_Nonnull data, EtalonVideoMessage *_Nonnull message);

  EtalonEncoder *_Nullable (*_Nonnull encoder_open)(
      const EtalonEncoderSettings *_Nonnull settings, EtalonVideoMessage *_Nonnull message);
  /// Takes the planes of a frame, which may be reused afterwards. Time stamps increase.
  int32_t (*_Nonnull encoder_send)(
      EtalonEncoder *_Nonnull encoder, const EtalonPlane *_Nonnull planes, int64_t time, EtalonVideoMessage *_Nonnull message);
  /// Says that there are no more frames.
  ///
  /// - `end`: when the last frame ends; `INT64_MIN` for as long as the one before it.
  int32_t (*_Nonnull encoder_end)(EtalonEncoder *_Nonnull encoder, int64_t end, EtalonVideoMessage *_Nonnull message);
  /// The next packet, if there is one.
  int32_t (*_Nonnull encoder_receive)(
      EtalonEncoder *_Nonnull encoder, EtalonPacket *_Nonnull packet, EtalonVideoMessage *_Nonnull message);
  /// What decoders need before the first packet; lives as long as the encoder.
  const uint8_t *_Nullable (*_Nonnull encoder_header)(const EtalonEncoder *_Nonnull encoder, int32_t *_Nonnull byteCount);
  void (*_Nonnull encoder_close)(EtalonEncoder *_Nonnull encoder);

  /// Opens the file, which is emptied.
  EtalonMuxer *_Nullable (*_Nonnull muxer_open)(
      const EtalonMuxerSettings *_Nonnull settings, EtalonVideoMessage *_Nonnull message);
  /// Adds a track; return its number, or -1.
  int32_t (*_Nonnull muxer_add_video)(
      EtalonMuxer *_Nonnull muxer, const EtalonEncoder *_Nonnull encoder, const EtalonTrackSettings *_Nonnull settings,
      EtalonVideoMessage *_Nonnull message);
  int32_t (*_Nonnull muxer_add_sound)(
      EtalonMuxer *_Nonnull muxer, const EtalonSoundSource *_Nonnull source, const EtalonTrackSettings *_Nonnull settings,
      EtalonVideoMessage *_Nonnull message);
  /// Writes what stands before the first packet.
  int32_t (*_Nonnull muxer_begin)(EtalonMuxer *_Nonnull muxer, EtalonVideoMessage *_Nonnull message);
  /// Writes a packet of a track, which is empty afterwards.
  int32_t (*_Nonnull muxer_write)(
      EtalonMuxer *_Nonnull muxer, int32_t track, EtalonPacket *_Nonnull packet, EtalonVideoMessage *_Nonnull message);
  /// Writes what stands behind the last packet, and closes the file.
  int32_t (*_Nonnull muxer_finish)(EtalonMuxer *_Nonnull muxer, EtalonVideoMessage *_Nonnull message);
  /// Closes the file if it is open; what is in it is of no use without `muxer_finish`.
  void (*_Nonnull muxer_close)(EtalonMuxer *_Nonnull muxer);

  /// Opens a track of a file.
  ///
  /// - `track`: counted from 0 among the sounds of the file; -1 for the one that players take.
  /// - `start`: the time stamp in the file, in seconds, that becomes 0; a denominator of zero for the first that is heard.
  /// - `countsFromBeginning`: whether `start` is counted from the first that is heard.
  /// - `end`: the time stamp at which the sound ends; a denominator of zero for the end of the file.
  EtalonSoundSource *_Nullable (*_Nonnull sound_open)(
      const char *_Nonnull path, int32_t track, EtalonVideoFraction start, bool countsFromBeginning, EtalonVideoFraction end,
      EtalonSoundInformation *_Nonnull information, EtalonVideoMessage *_Nonnull message);
  /// Takes the packets as they are.
  ///
  /// - `keepsEarlier`: whether the container can hide the beginning of a track (an edit list): then packets that lie around the start, and those
  ///   that a decoder needs before them, come with negative time stamps.
  int32_t (*_Nonnull sound_copy)(EtalonSoundSource *_Nonnull source, bool keepsEarlier, EtalonVideoMessage *_Nonnull message);
  /// Decodes the packets, and encodes them again.
  ///
  /// - `bitRate`: bits a second for each channel; 0 for codecs without.
  int32_t (*_Nonnull sound_encode)(
      EtalonSoundSource *_Nonnull source, const char *_Nonnull codec, int32_t bitRate, EtalonVideoMessage *_Nonnull message);
  /// The next packet that ends at the limit or earlier, in seconds behind the start.
  ///
  /// - `isLast`: whether the video ends at the limit: the packet around it comes, too, with a shorter duration, and none follows.
  int32_t (*_Nonnull sound_next)(
      EtalonSoundSource *_Nonnull source, EtalonVideoFraction limit, bool isLast, EtalonPacket *_Nonnull packet,
      EtalonVideoMessage *_Nonnull message);
  void (*_Nonnull sound_close)(EtalonSoundSource *_Nonnull source);
} EtalonWriting;

#endif

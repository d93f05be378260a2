package import EtalonMedia
package import EtalonTypes

/// A video that is to be written.
///
/// ```
/// var settings = VideoOutputSettings(path: "glow.mp4", size: Size(1280, 720), codec: .h264, timing: .rate(24))
/// settings.quality = VideoQuality(90)
/// let writer = try VideoWriter(settings)
/// ```
///
/// **Concurrency**: an immutable value.
package struct VideoOutputSettings: Sendable, Hashable {
  /// When frames are shown.
  package enum Timing: Sendable, Hashable {
    /// One after the other, from 0 on.
    case rate(FrameRate)
    /// At time stamps in seconds that come with the frames, counted in ticks of so many seconds.
    case timeStamps(tick: Rational)

    /// The seconds that one tick lasts.
    var tick: Rational {
      switch self {
      case .rate(let rate): rate.frameDuration
      case .timeStamps(let tick): tick
      }
    }

    /// Nil where each frame has a time stamp.
    package var rate: FrameRate? {
      guard case .rate(let rate) = self else { return nil }
      return rate
    }
  }

  /// One entry of the metadata of a file.
  package struct MetadataEntry: Sendable, Hashable {
    package var key: String
    package var value: String

    package init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
  }

  /// Where the video is to appear; its ending tells the container.
  package var path: String
  package var size: Size
  package var codec: VideoCodec
  /// The planes that frames are given as, one of `codec.layouts`.
  package var layout: PlaneLayout
  package var timing: Timing
  package var color: VideoColor
  /// Nil for the standard one.
  package var quality: VideoQuality?
  package var preset = VideoPreset.medium
  /// The width of a pixel divided by its height.
  package var pixelAspect: Rational = 1
  /// How viewers turn the picture: 1 to 8 as in Exif; 1 is as it is.
  package var orientation = 1
  package var sound = SoundPlan.none
  /// Title, comment and so on, by FFmpeg's names: `title`, `artist`, `comment`; other names are kept, too.
  package var metadata: [MetadataEntry] = []
  /// The timecode of the first frame: `01:00:00:00`, with `;` before the frames where numbers are dropped.
  package var timecode: String?
  /// How many parts an HLS playlist lists: the newest, while older ones are removed; nil for all.
  package var window: Int?
  /// How bright the frames are, which is said in videos of light beyond white; nil where that is not known, or not to be said.
  ///
  /// Writers measure it of the frames that they get.
  var light: LightLevels?
  /// What measures the light of the frames; nil for a video of another curve than PQ.
  var lightMeter: LightMeter? { color.transfer == .smpte2084 ? LightMeter(layout, size) : nil }
  /// How often a picture that moves is played; nil for again and again.
  package var plays: Int?
  /// The threads of the encoder.
  ///
  /// The bytes of a video depend on their number, so it is not that of the processors.
  package var threads = 8
  /// Whether `finish()` waits until the bytes are on the disk.
  package var synchronizes = false

  /// Settings of a video, with the planes that are usual for the codec.
  package init(
    path: String, size: Size, codec: VideoCodec, layout: PlaneLayout? = nil, timing: Timing, color: VideoColor? = nil
  ) {
    self.path = path
    self.size = size
    self.codec = codec
    self.layout = layout ?? codec.layouts[0]
    self.timing = timing
    self.color = color ?? (self.layout.isRGB ? .sRGB : .bt709)
  }

  /// How many parts of an HLS stream last for so many seconds, at least three, which players want to have.
  package static func parts(lasting seconds: Rational) -> Int {
    max(3, (seconds / Rational(EncoderOptions.partSeconds) + Rational(1, 2)).floor)
  }

  /// Nil where the path ends in something else.
  package var container: VideoContainer? { VideoContainer(path: path) }
}

/// The sound of a video that is written.
///
/// The packets of the file are taken as they are where the container holds their codec; otherwise they are decoded and encoded again, and a note tells it.
/// Sound that is taken as it is consists of packets of some hundredths of a second, and a range begins within one. In MP4 and QuickTime the packet is
/// there and the file says where in it to begin; in Matroska and WebM the sound begins with the next packet, in step.
package enum SoundPlan: Sendable, Hashable {
  case none
  /// That of a file, whatever else is in it.
  case file(SoundFile)

  package struct SoundFile: Sendable, Hashable {
    package var path: String
    /// The track, counted from 0 among the sounds of the file; nil for the one that players take.
    package var track: Int?
    /// The time stamp in the file, in seconds, that is heard with the first frame; nil for the beginning of the sound.
    package var start: Rational?
    /// Whether `start` is counted from the beginning of the sound, whatever its time stamp; before it there is silence.
    package var countsFromBeginning = false
    /// The time stamp at which the sound ends; nil for the end of the file.
    ///
    /// It ends with the video in any case.
    package var end: Rational?
    /// Three letters of ISO 639-2; nil for what the file says.
    package var language: String?

    package init(_ path: String, track: Int? = nil, start: Rational? = nil, end: Rational? = nil, language: String? = nil) {
      self.path = path
      self.track = track
      self.start = start
      self.end = end
      self.language = language
    }
  }
}

package import EtalonTypes

/// What a video says about itself.
///
/// Nothing is guessed: what the file does not say is nil.
///
/// **Concurrency**: an immutable value.
package struct VideoDescription: Sendable, Hashable {
  /// FFmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  package let container: String
  /// FFmpeg's name of the codec, such as `h264`.
  package let codec: String
  /// The profile of the codec, such as `High`.
  package let profile: String?
  /// The decoder that is used, such as `libvpx-vp9`.
  package let decoder: String?
  /// The pixels that are coded, in whole blocks.
  package let codedSize: Size
  /// The pixels that are shown, before the picture is turned.
  ///
  /// Frames have this size.
  package let size: Size
  /// How pictures are turned for showing, as in EXIF: 1 is upright, 2 to 8 are mirrored and turned.
  ///
  /// Frames are not turned.
  package let orientation: Int
  /// The width of a pixel divided by its height.
  package let sampleAspectRatio: Rational?
  /// How the planes of frames are made.
  package let pixels: Pixels
  /// What colors the numbers mean.
  package let color: Color
  /// Whether pictures consist of two fields, and which comes first.
  package let fieldOrder: FieldOrder?
  /// The mean number of frames a second.
  package let averageRate: Rational?
  /// The lowest rate in which all time stamps can be expressed, FFmpeg's guess `r_frame_rate`.
  package let baseRate: Rational?
  /// The unit of the file's time stamps in seconds.
  package let timeBase: Rational
  /// The file's own time stamp of the frame at time 0, in seconds; may be negative.
  package let startTime: Rational
  /// In seconds; that of the whole file where the stream does not say.
  package let duration: Rational?
  package let frameCount: Int?
  /// Texts of the file.
  package let metadata: [String: String]
  /// Texts of the stream.
  package let streamMetadata: [String: String]
  /// The language of the stream, such as `eng`.
  package let language: String?
  /// The timecode of the first frame, such as `01:00:00:00`.
  package let timecode: String?
  package let videoStreamCount: Int
  package let soundStreams: [SoundStream]
  package let subtitleStreamCount: Int
  package let chapterCount: Int
  /// Whether frames can be asked for in any order; a pipe gives them once.
  package let canSeek: Bool

  /// How pixels are stored.
  package struct Pixels: Sendable, Hashable {
    /// FFmpeg's name of the pixel format, such as `yuv420p10le`.
    package let name: String
    package let layout: Layout
    package let hasAlpha: Bool
    /// The bits of a sample, 8 to 16.
    package let bits: Int
    /// By how much chroma planes are narrower and lower: (2, 2) for 4:2:0; (1, 1) where there is no chroma.
    package let chromaWidth: Int
    package let chromaHeight: Int
    /// The number of planes of a frame.
    package let planeCount: Int
  }

  /// What the planes of frames are.
  package enum Layout: String, Sendable, Hashable {
    /// Y, Cb, Cr, and alpha where there is one.
    case yCbCr
    /// Y, and alpha where there is one.
    case gray
    /// Red, green, blue, and alpha where there is one.
    case rgb
  }

  /// How numbers become colors; nil for what the file does not say.
  package struct Color: Sendable, Hashable {
    package let range: Range?
    package let matrix: Code?
    package let transfer: Code?
    package let primaries: Code?
    package let chromaLocation: ChromaLocation?
  }

  /// Which numbers are black and white.
  package enum Range: String, Sendable, Hashable {
    /// 16 and 235 for 8 bits.
    case limited
    /// 0 and 255 for 8 bits.
    case full
  }

  /// A number of ISO/IEC 23091-2 (ITU-T H.273) with FFmpeg's name for it.
  package struct Code: Sendable, Hashable {
    package let number: Int
    package let name: String
  }

  /// Where chroma samples lie between luma samples.
  package enum ChromaLocation: Int, Sendable, Hashable {
    case left = 1
    case center, topLeft, top, bottomLeft, bottom
  }

  /// In which order the fields of a frame are shown.
  package enum FieldOrder: String, Sendable, Hashable {
    case progressive
    case topFirst
    case bottomFirst
  }

  /// What a stream of sound says about itself.
  package struct SoundStream: Sendable, Hashable {
    package let codec: String
    package let sampleRate: Int
    package let channelCount: Int
    package let language: String?
    /// The file's own time stamp of its start, in seconds.
    package let startTime: Rational?
    /// In seconds.
    package let duration: Rational?
  }

  /// Whether pictures consist of two fields.
  package var isInterlaced: Bool { fieldOrder == .topFirst || fieldOrder == .bottomFirst }
}

/// A decoded picture.
///
/// **Concurrency**: an immutable value with shared storage.
package struct VideoFrame: Sendable, Hashable {
  /// Seconds since the first shown frame.
  package let timeStamp: Rational
  /// Seconds to the next frame; for the last one what the file says, or 0.
  package let duration: Rational
  /// The planes as they were decoded: `r8` for 8 bits, otherwise `r16` with the value in the low bits.
  ///
  /// What they are is in `VideoDescription.pixels`.
  package let planes: [PixelBuffer]
  package let isKeyframe: Bool
  package let isInterlaced: Bool
  /// Which field of an interlaced picture is shown first.
  package let topFieldFirst: Bool
  /// Whether it is the last one.
  package let isLast: Bool
}

package import EtalonMedia

/// The codecs that videos are written with (`--codec`).
///
/// | codec | made for | files | planes | alpha |
/// |---|---|---|---|---|
/// | `h264` | players of every kind | mp4, mov, mkv, m3u8 | 4:2:0, 8 or 10 bits | no |
/// | `hevc` | smaller files, HDR | mp4, mov, mkv | 4:2:0, 8 or 10 bits | no |
/// | `av1` | the smallest files, browsers, HDR | mp4, mkv, webm | 4:2:0, 8 or 10 bits | no |
/// | `prores` | editing: ProRes 422 HQ | mov, mkv | 4:2:2, 10 bits | no |
/// | `prores4444` | editing with alpha | mov, mkv | 4:4:4, 10 bits | yes |
/// | `vp9` | browsers | webm, mkv | 4:2:0, 8 or 10 bits | with 8 bits |
/// | `ffv1` | keeping every bit | mkv | RGB, 8 to 16 bits, and the planes of the others | yes |
/// | `gif` | short loops | gif | RGB, 8 bits | yes |
/// | `apng` | loops that keep every bit | apng | RGB, 8 or 16 bits | yes |
/// | `webp` | small loops | webp | RGB, 8 bits | yes |
package enum VideoCodec: String, Sendable, Hashable, CaseIterable {
  case h264, hevc, av1, prores, prores4444, vp9, ffv1, gif, apng, webp

  /// The containers that it may lie in; the first is the usual one.
  package var containers: [VideoContainer] {
    switch self {
    case .h264: [.mp4, .mov, .mkv, .m3u8]
    case .hevc: [.mp4, .mov, .mkv]
    case .av1: [.mp4, .mkv, .webm]
    case .prores, .prores4444: [.mov, .mkv]
    case .vp9: [.webm, .mkv]
    case .ffv1: [.mkv]
    case .gif: [.gif]
    case .apng: [.apng]
    case .webp: [.webp]
    }
  }

  /// The planes that its encoder takes; the first is what a frame becomes unless more is asked for.
  package var layouts: [PlaneLayout] {
    switch self {
    case .h264, .hevc, .av1: [.yuv420p8, .yuv420p10]
    case .prores: [.yuv422p10]
    case .prores4444: [.yuv444p10, .yuva444p10]
    case .vp9: [.yuv420p8, .yuva420p8, .yuv420p10]
    case .ffv1:
      [.rgb8, .rgba8] + [.rgb16, .rgba16, .rgb10, .rgba10, .rgb12, .rgba12]
        + [.yuv420p8, .yuva420p8, .yuv420p10, .yuv422p10, .yuv444p10, .yuva444p10]
    case .gif, .webp: [.rgb8, .rgba8]
    case .apng: [.rgb8, .rgba8, .rgb16, .rgba16]
    }
  }

  /// The planes for frames with or without alpha; nil where it has none with as many bits, or no alpha.
  ///
  /// - Parameter bits: those that were asked for; 8 is what a codec has at least.
  package func layout(alpha: Bool, bits: Int = 8) -> PlaneLayout? {
    let suitable = layouts.filter { $0.hasAlpha == alpha && (self != .ffv1 || $0.isRGB) }
    if let exact = suitable.first(where: { $0.bits == bits }) { return exact }
    return depths == [10] ? suitable.first : nil
  }

  /// The bits of a sample that it is written with, without alpha.
  package var depths: [Int] {
    self == .ffv1 ? [8, 10, 16] : Set(layouts.map(\.bits)).sorted()
  }

  package var hasAlpha: Bool { layouts.contains(where: \.hasAlpha) }

  /// Whether it gives back the bits that it was given, whatever `--quality` says.
  package var isLossless: Bool { self == .ffv1 || self == .apng }

  /// Whether a file is a picture that moves: without sound, and written in one go.
  package var isPicture: Bool { self == .gif || self == .apng || self == .webp }

  /// Whether `--quality` changes anything.
  package var hasQuality: Bool { !isLossless && self != .gif }

  /// Whether `--preset` changes anything.
  package var hasPreset: Bool { self == .h264 || self == .hevc || self == .av1 }

  /// Whether the sides of a frame must be an even number of pixels.
  package var needsEvenSides: Bool { self == .h264 || self == .hevc || self == .av1 }

  /// Whether the width must be even: FFmpeg's encoder of ProRes fills the last column of the chroma of odd ones with something else.
  package var needsEvenWidth: Bool { needsEvenSides || self == .prores }

  /// The shortest side of a frame, in pixels.
  package var shortestSide: Int { self == .hevc ? 16 : 1 }

  /// The longest side of a frame, in pixels.
  package var longestSide: Int { 16384 }

  /// The most frames a second: a GIF counts time in hundredths of a second, and viewers show no frame for less than two of them.
  package var highestRate: Int { self == .gif ? 50 : 1000 }

  /// The encoders of FFmpeg that make it, the best one first.
  var encoders: [VideoEncoder] {
    switch self {
    case .h264: [.x264]
    case .hevc: [.x265]
    case .av1: [.svtAV1, .aom]
    case .prores, .prores4444: [.proRes]
    case .vp9: [.vpx]
    case .ffv1: [.ffv1]
    case .gif: [.gif]
    case .apng: [.apng]
    case .webp: [.webP]
    }
  }
}

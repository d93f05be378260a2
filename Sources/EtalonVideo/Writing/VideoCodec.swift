/// The codecs that videos are written with (`--codec`).
///
/// | codec | made for | files | planes | alpha |
/// |---|---|---|---|---|
/// | `h264` | players of every kind | mp4, mov, mkv | 4:2:0, 8 bits | no |
/// | `prores` | editing: ProRes 422 HQ | mov, mkv | 4:2:2, 10 bits | no |
/// | `prores4444` | editing with alpha | mov, mkv | 4:4:4, 10 bits | yes |
/// | `vp9` | browsers | webm, mkv | 4:2:0, 8 bits | yes |
/// | `ffv1` | keeping every bit | mkv | RGB, 8 to 16 bits, and the planes of the others | yes |
/// | `gif` | short loops | gif | RGB, 8 bits | yes |
package enum VideoCodec: String, Sendable, Hashable, CaseIterable {
  case h264, prores, prores4444, vp9, ffv1, gif

  /// The containers that it may lie in; the first is the usual one.
  package var containers: [VideoContainer] {
    switch self {
    case .h264: [.mp4, .mov, .mkv]
    case .prores, .prores4444: [.mov, .mkv]
    case .vp9: [.webm, .mkv]
    case .ffv1: [.mkv]
    case .gif: [.gif]
    }
  }

  /// The planes that its encoder takes; the first is what a frame becomes unless more is asked for.
  package var layouts: [PlaneLayout] {
    switch self {
    case .h264: [.yuv420p8]
    case .prores: [.yuv422p10]
    case .prores4444: [.yuv444p10, .yuva444p10]
    case .vp9: [.yuv420p8, .yuva420p8]
    case .ffv1:
      [.rgb8, .rgba8] + [.rgb16, .rgba16, .rgb10, .rgba10, .rgb12, .rgba12] + [.yuv420p8, .yuva420p8, .yuv422p10, .yuv444p10, .yuva444p10]
    case .gif: [.rgb8, .rgba8]
    }
  }

  /// The planes for frames with or without alpha; nil where it has no alpha.
  ///
  /// - Parameter bits: those of the pictures that are written: codecs without loss keep all 16, others what they have.
  package func layout(alpha: Bool, bits: Int = 8) -> PlaneLayout? {
    let suitable = layouts.filter { $0.hasAlpha == alpha }
    guard self == .ffv1 else { return suitable.first }
    return suitable.first { $0.isRGB && $0.bits >= bits && ($0.bits == 8 || $0.bits == 16) }
  }

  package var hasAlpha: Bool { layouts.contains(where: \.hasAlpha) }

  /// Whether it gives back the bits that it was given, whatever `--quality` says.
  package var isLossless: Bool { self == .ffv1 }

  /// Whether `--quality` changes anything.
  package var hasQuality: Bool { self != .ffv1 && self != .gif }

  /// Whether the sides of a frame must be an even number of pixels.
  package var needsEvenSides: Bool { self == .h264 }

  /// The longest side of a frame, in pixels.
  package var longestSide: Int { 16384 }

  /// The most frames a second: a GIF counts time in hundredths of a second, and viewers show no frame for less than two of them.
  package var highestRate: Int { self == .gif ? 50 : 1000 }

  /// What FFmpeg calls the encoder.
  var encoderName: String {
    switch self {
    case .h264: "libx264"
    case .prores, .prores4444: "prores_ks"
    case .vp9: "libvpx-vp9"
    case .ffv1: "ffv1"
    case .gif: "gif"
    }
  }

  /// The library that has the encoder, where it is not one of FFmpeg's own.
  var encoderLibrary: String? {
    switch self {
    case .h264: "libx264"
    case .vp9: "libvpx"
    case .prores, .prores4444, .ffv1, .gif: nil
    }
  }
}

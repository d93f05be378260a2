internal import CFFmpeg
internal import EtalonTypes

/// What is said to FFmpeg's encoder and muxer, by the names of its options.
struct EncoderOptions {
  typealias Option = (name: String, value: String)

  private let settings: VideoOutputSettings

  init(_ settings: VideoOutputSettings) { self.settings = settings }

  private var quality: VideoQuality { settings.quality ?? .standard }

  var encoder: [Option] {
    switch settings.codec {
    case .h264: h264
    case .prores: [("profile", quality.proResProfile), ("vendor", "apl0")]
    case .prores4444:
      [("profile", quality.proRes4444Profile), ("vendor", "apl0"), ("alpha_bits", settings.layout.hasAlpha ? "16" : "0")]
    case .vp9: vp9
    // FFmpeg decodes pictures with a side of one pixel as black where they have slices.
    case .ffv1 where min(settings.size.width, settings.size.height) < 2: [("level", "1"), ("g", "1")]
    case .ffv1: [("level", "3"), ("g", "1"), ("slices", sliceCount), ("slicecrc", "1")]
    case .gif: []
    }
  }

  private var h264: [Option] {
    let factor = quality.h264Factor
    return [("preset", settings.preset.rawValue), ("crf", "\(factor / 10).\(factor % 10)")]
  }

  private var vp9: [Option] {
    let loss = quality.number == 100 ? ("lossless", "1") : ("crf", "\(quality.vp9Factor)")
    // Frames that are not shown have no alpha.
    let references = settings.layout.hasAlpha ? [("auto-alt-ref", "0")] : []
    return [loss, ("b", "0"), ("deadline", "good"), ("cpu-used", "2"), ("row-mt", "1")] + references
  }

  /// Parts of a picture that are encoded at the same time.
  private var sliceCount: String {
    switch min(settings.size.width, settings.size.height) {
    case ..<16: "1"
    case ..<256: "4"
    default: "16"
    }
  }

  func muxer(_ container: VideoContainer) -> [Option] {
    switch container {
    case .mp4, .mov:
      // The usual keys have places of their own, which more players read.
      [("movflags", settings.metadata.allSatisfy { Self.movieKeys.contains($0.key) } ? "+faststart" : "+faststart+use_metadata_tags")]
    // Time stamps of Opus begin before zero, where Matroska has a delay of the codec; libavformat would move the frames instead.
    case .mkv, .webm: [("avoid_negative_ts", "disabled")]
    case .gif: []
    }
  }

  private static let movieKeys: Set<String> = [
    "title", "artist", "album_artist", "album", "composer", "comment", "genre", "copyright", "date", "description", "synopsis", "lyrics",
    "show", "grouping",
  ]

  var planeOrder: EtalonPlaneOrder {
    guard settings.layout.isRGB else { return ETALON_PLANES_SAME }
    return settings.codec == .gif ? ETALON_PLANES_PALETTE : settings.layout.bits == 8 ? ETALON_PLANES_BGRA : ETALON_PLANES_GBR
  }

  /// What FFmpeg calls the form of pixels.
  var pixelFormat: String {
    if settings.codec == .gif { return "pal8" }
    return switch settings.layout {
    case .yuv420p8: "yuv420p"
    case .yuva420p8: "yuva420p"
    case .yuv422p10: "yuv422p10le"
    case .yuv444p10: "yuv444p10le"
    case .yuva444p10: "yuva444p10le"
    // libavcodec's FFV1 takes 8 bits only in one plane.
    case .rgb8: "bgr0"
    case .rgba8: "bgra"
    case .rgb10: "gbrp10le"
    case .rgba10: "gbrap10le"
    case .rgb12: "gbrp12le"
    case .rgba12: "gbrap12le"
    case .rgb16: "gbrp16le"
    case .rgba16: "gbrap16le"
    }
  }
}

/// Nine numbers that turn a picture as Exif's orientations do, in the form of QuickTime: four of them with 16 bits behind the point.
enum DisplayMatrix {
  static func numbers(orientation: Int, size: Size) -> [Int32]? {
    let one: Int32 = 1 << 16
    let width = Int32(clamping: size.width << 16)
    let height = Int32(clamping: size.height << 16)
    // The new x and y of a step to the right and of one down, and what brings the picture back to where both are positive.
    let parts: (a: Int32, b: Int32, c: Int32, d: Int32, x: Int32, y: Int32)? =
      switch orientation {
      case 2: (-one, 0, 0, one, width, 0)
      case 3: (-one, 0, 0, -one, width, height)
      case 4: (one, 0, 0, -one, 0, height)
      case 5: (0, one, one, 0, 0, 0)
      case 6: (0, one, -one, 0, height, 0)
      case 7: (0, -one, -one, 0, height, width)
      case 8: (0, -one, one, 0, 0, width)
      default: nil
      }
    return parts.map { [$0.a, $0.b, 0, $0.c, $0.d, 0, $0.x, $0.y, 1 << 30] }
  }
}

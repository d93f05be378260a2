internal import CFFmpeg
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// What is said to FFmpeg's encoder and muxer, by the names of its options.
struct EncoderOptions {
  typealias Option = (name: String, value: String)

  private let settings: VideoOutputSettings

  init(_ settings: VideoOutputSettings) { self.settings = settings }

  private var quality: VideoQuality { settings.quality ?? .standard }

  /// Those of the encoder.
  func options(_ encoder: VideoEncoder) -> [Option] {
    switch encoder {
    case .x264: h264
    case .x265: hevc
    case .svtAV1: svtAV1
    case .aom: aom
    case .proRes where settings.codec == .prores: [("profile", quality.proResProfile), ("vendor", "apl0")]
    case .proRes:
      [("profile", quality.proRes4444Profile), ("vendor", "apl0"), ("alpha_bits", settings.layout.hasAlpha ? "16" : "0")]
    case .vpx: vp9
    // FFmpeg decodes pictures with a side of one pixel as black where they have slices.
    case .ffv1 where min(settings.size.width, settings.size.height) < 2: [("level", "1"), ("g", "1")]
    case .ffv1: [("level", "3"), ("g", "1"), ("slices", sliceCount), ("slicecrc", "1")]
    case .gif, .apng: []
    case .webP: quality.number == 100 ? [("lossless", "1"), ("quality", "75")] : [("lossless", "0"), ("quality", "\(quality.number)")]
    }
  }

  private var h264: [Option] {
    let factor = quality.h264Factor
    // Rate factors of 10 bits begin below zero, where FFmpeg takes none.
    let isExact = quality.number == 100 && settings.layout.bits > 8
    // Otherwise x264 plans bits with numbers that some instruction sets round in their own way, and machines give different bytes.
    let usual = [
      ("preset", settings.preset.rawValue), isExact ? ("qp", "0") : ("crf", "\(factor / 10).\(factor % 10)"),
      ("x264-params", "cpu-independent=1"),
    ]
    guard settings.container == .m3u8 else { return usual }
    // Each part begins with a picture that needs none before, which the times of frames decide (`keyInterval`); the encoder's groups are closed unless it
    // is told otherwise.
    return usual + [("g", "9999"), ("sc_threshold", "0")]
  }

  /// Groups of pictures are closed, and nothing is written that tells the machine.
  private var hevc: [Option] {
    let factor = quality.hevcFactor
    // Frames beside each other are not always encoded the same way. Without loss x265 3.5 now and then predicts frames from others as decoders do not, so each stands for itself.
    let loss = quality.number == 100 ? "lossless=1:keyint=1" : "crf=\(factor / 10).\(factor % 10)"
    return [
      ("preset", settings.preset.rawValue),
      ("x265-params", "log-level=none:info=0:frame-threads=1:open-gop=0:repeat-headers=0:\(smallPicture)\(loss)"),
    ]
  }

  /// What keeps x265 3.5 from mistakes with small pictures.
  ///
  /// Where a picture is one block wide or high, motion is looked for in memory that was never written, so that decoders show something else; blocks have 64
  /// pixels unless less is said, and 16 at least. Of pictures that are at most 48 pixels wide, the planning of bits over time writes behind its memory.
  private var smallPicture: String {
    let side = min(settings.size.width, settings.size.height)
    let block = side > 64 ? "" : side > 32 ? "ctu=32:" : "ctu=16:"
    let frames = side > 16 ? "" : "keyint=1:"
    return block + (settings.size.width > 48 ? "" : "cutree=0:") + frames
  }

  private var svtAV1: [Option] { [("preset", "\(settings.preset.svtAV1Number)"), ("crf", "\(quality.av1Factor)")] }

  private var aom: [Option] {
    // Keyframes and alternate references that are averaged over time would be shown in the place of frames that were given.
    let loss =
      quality.number == 100
      ? [("aom-params", "lossless=1:enable-keyframe-filtering=0"), ("auto-alt-ref", "0")] : [("crf", "\(quality.av1Factor)")]
    return loss + [("b", "0"), ("cpu-used", "\(settings.preset.aomNumber)"), ("row-mt", "1")]
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
    case .apng: [("plays", "\(settings.plays ?? 0)")]
    case .webp: [("loop", "\(settings.plays ?? 0)")]
    case .m3u8:
      // Written under temporary names, which are renamed: a reader never sees half a part or half a list.
      [
        ("hls_time", "\(Self.partSeconds)"), ("hls_list_size", "\(settings.window ?? 0)"),
        ("hls_flags", "temp_file+independent_segments\(settings.window == nil ? "" : "+delete_segments")"),
        ("hls_segment_filename", partPattern),
      ] + (settings.window == nil ? [("hls_playlist_type", "event")] : [])
    }
  }

  /// How long a part of an HLS stream lasts.
  static let partSeconds = 2

  /// How many ticks lie between pictures that need none before; 0 where the encoder chooses.
  var keyInterval: Int64 {
    settings.container == .m3u8 ? Int64(max(1, (Rational(Self.partSeconds) / settings.timing.tick).floor)) : 0
  }

  /// `/home/me/live/stream.00000.ts` for `live/stream.m3u8`: FFmpeg removes old parts by the name alone, so that it may have no protocol.
  private var partPattern: String {
    let path = URL(filePath: settings.path).absoluteURL.path
    let stem = path.lastIndex(of: ".").map { path[..<$0] } ?? path[...]
    return stem.replacing("%", with: "%%") + ".%05d.ts"
  }

  private static let movieKeys: Set<String> = [
    "title", "artist", "album_artist", "album", "composer", "comment", "genre", "copyright", "date", "description", "synopsis", "lyrics",
    "show", "grouping",
  ]

  var planeOrder: EtalonPlaneOrder {
    guard settings.layout.isRGB else { return ETALON_PLANES_SAME }
    if settings.codec == .apng { return ETALON_PLANES_INTERLEAVED }
    return settings.codec == .gif ? ETALON_PLANES_PALETTE : settings.layout.bits == 8 ? ETALON_PLANES_BGRA : ETALON_PLANES_GBR
  }

  /// What FFmpeg calls the form of pixels.
  var pixelFormat: String {
    switch (settings.codec, settings.layout) {
    case (.gif, _): return "pal8"
    case (.apng, .rgb8): return "rgb24"
    case (.apng, .rgba8): return "rgba"
    case (.apng, .rgb16): return "rgb48be"
    case (.apng, .rgba16): return "rgba64be"
    // The encoder of WebP takes four channels, whether they are used or not.
    case (.webp, _): return "bgra"
    default: break
    }
    return switch settings.layout {
    case .yuv420p8: "yuv420p"
    case .yuva420p8: "yuva420p"
    case .yuv420p10: "yuv420p10le"
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

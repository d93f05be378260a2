/// The forms of video files that are written, by the endings of their names.
package enum VideoContainer: String, Sendable, Hashable, CaseIterable {
  /// `.mp4` and `.m4v`.
  case mp4
  case mov
  /// Matroska. Its time stamps are whole milliseconds.
  case mkv
  /// The part of Matroska that browsers play.
  case webm
  case gif
  /// A PNG picture that moves.
  case apng
  /// A WebP picture that moves. It counts time in whole milliseconds.
  case webp
  /// HLS: a playlist, and its parts beside it as MPEG-TS.
  case m3u8

  /// The container that a path ends in; nil for another ending, or none.
  package init?(path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    if ending == "m4v" {
      self = .mp4
    } else {
      self.init(rawValue: ending)
    }
  }

  /// The endings of names that stand for videos, those that are only read among them.
  package static let endings: Set = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "m2ts", "mts", "ogv", "flv", "gif", "apng", "y4m", "3gp", "mxf", "wmv",
    "m3u8",
  ]

  /// What FFmpeg calls it.
  var libraryName: String {
    switch self {
    case .mp4: "mp4"
    case .mov: "mov"
    case .mkv: "matroska"
    case .webm: "webm"
    case .gif: "gif"
    case .apng: "apng"
    case .webp: "webp"
    case .m3u8: "hls"
    }
  }

  /// Whether it can say that players shall leave out the beginning of a track, and how they shall turn the picture.
  var hasEditList: Bool { self == .mp4 || self == .mov }

  /// The codec of a file for which none was asked.
  package func defaultCodec(alpha: Bool) -> VideoCodec {
    switch self {
    case .mp4: .h264
    case .mov: alpha ? .prores4444 : .prores
    case .mkv: .ffv1
    case .webm: .vp9
    case .gif: .gif
    case .apng: .apng
    case .webp: .webp
    case .m3u8: .h264
    }
  }
}

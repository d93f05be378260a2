import EtalonDiagnostics
import EtalonTestSupport
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

extension Clips {
  /// The time stamps of the frames of a video in seconds, as `ffprobe` tells them, from that of the first one.
  static func timeStamps(_ path: String) throws -> [Rational] {
    let text = String(
      decoding: try ffmpeg(
        "-select_streams V:0 -show_entries stream=time_base:frame=best_effort_timestamp -of csv=p=0 \(path)", command: "ffprobe"),
      as: UTF8.self)
    let words = text.split { $0 == "\n" || $0 == "," }
    let base = try #require(words.last { $0.contains("/") }.flatMap { Rational($0) })
    let stamps = words.compactMap { Int($0) }
    return stamps.map { Rational($0 - stamps[0]) * base }
  }

  /// Changes the bytes of a file.
  static func rewrite(_ path: String, as name: String, _ change: (inout [UInt8]) -> Void) throws -> String {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    change(&bytes)
    try Data(bytes).write(to: URL(filePath: Clips.path(name)))
    return Clips.path(name)
  }
}

extension VideoFrame {
  /// All planes, one after the other, in an order of them.
  func bytes(_ order: [Int]? = nil) -> [UInt8] { (order ?? Array(planes.indices)).flatMap { planes[$0].bytes } }
}

extension VideoReader {
  /// All frames in their order.
  func allFrames() throws -> [VideoFrame] {
    var frames = [try frame(at: 0)]
    while let last = frames.last, !last.isLast { frames.append(try frame(at: last.timeStamp + last.duration)) }
    return frames
  }
}

/// A generator that gives the same numbers in every run.
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

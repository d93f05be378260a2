import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation

// What `-o -` writes.

extension RenderCommand {
  /// How the frames follow each other on standard output; nil when they go into files.
  ///
  /// - Parameter size: that of the frames, for planes.
  func streamFormat(for request: RenderRequest, size: () throws -> Size) throws -> FrameStreamFormat? {
    guard files.output.contains("-") else { return nil }
    try refuseBesideStream()
    let name = try UsageError.reading {
      try OptionText("--stream", files.stream).choice(of: ["y4m": "y4m", "y4m420": "y4m420", "raw": "raw", "rgb": "rgb"])
    }
    let isPlain = !name.hasPrefix("y4m")
    guard !isPlain || request.bits != 10 else {
      throw UsageError(
        "usage.stream", "a \(name) stream has 8 or 16 bits a channel, not 10", help: "type '--bits 16' or '--stream y4m'")
    }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw UsageError(
        "usage.terminal", "'-o -' writes pixels to standard output, which is a terminal",
        help: "type '-o - | ffmpeg -i - video.mp4', '-o - > frames.\(isPlain ? "raw" : "y4m")', or '-o frames.####.png'")
    }
    switch name {
    case "raw": return .raw
    case "rgb": return .rgb
    case "y4m" where request.bits == 8: return .y4m
    default: return .planes(bits: request.bits, halvesChroma: name == "y4m420", of: try size())
    }
  }

  /// Refuses what a stream of frames cannot do.
  func refuseBesideStream() throws {
    guard files.output.contains("-") else { return }
    let options = [
      ("other outputs", files.output.count > 1), ("'--contact-sheet'", files.contactSheet != nil), ("'--resume'", files.resume),
      ("'--watch'", running.watch), ("'--keep-going'", running.keepGoing), ("'--json'", running.json),
    ]
    let given = options.filter(\.1).map(\.0).joined(separator: ", ")
    guard given.isEmpty else {
      throw UsageError(
        "usage.stream", "'-o -' writes one stream of frames and nothing else",
        help: "leave out \(given), or type '-o frames.####.png' for files")
    }
  }
}

package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// Which frames of a job are there, by the outlines of their files; no device is opened, and no pixel decoded.
package struct FramesOnDisk: Sendable, Hashable {
  package let output: FarmJob.Output
  /// How many frames there will be.
  package let wanted: Int
  /// Those that are whole.
  package let complete: [Int]
  package let missing: [Int]
  /// Those that are cut short, or were not written by Etalon.
  package let damaged: [Int]

  /// Looks for the frames of an output.
  package init(_ output: FarmJob.Output, frames: [Int], records: FrameRecords) throws(RenderError) {
    self.output = output
    wanted = frames.count
    if output.isVideo {
      let isThere = FileManager.default.fileExists(atPath: output.path)
      // What the parts of a video hold is known from the records of those who wrote them.
      (complete, missing, damaged) = (isThere ? frames : records.ofVideo(output.path).finished(of: frames), [], [])
      return
    }
    let pattern: FramePattern
    do throws(DiagnosticsError) { pattern = try FramePattern(output.path) } catch {
      throw RenderError(
        .invalidInput, "'\(output.path)' in job.json is no name of frames", help: ["write the job again with 'etalon farm'"])
    }
    var states: [Int: Bool] = [:]
    for frame in frames where FileKind(path: pattern.path(frame: frame)) != .missing {
      let path = pattern.path(frame: frame)
      states[frame] = ((try? FrameOutline(path: path)) ?? nil)?.isComplete ?? false && FrameProvenance.isOwn(path: path)
    }
    complete = frames.filter { states[$0] == true }
    damaged = frames.filter { states[$0] == false }
    missing = frames.filter { states[$0] == nil }
  }

  /// The output with what is there of it, in a line.
  package var text: String {
    if output.isVideo {
      let isThere = FileManager.default.fileExists(atPath: output.path)
      return isThere
        ? "\(output.path): the video is there" : "\(output.path): \(complete.count) of \(wanted.of("frame")) are encoded in parts"
    }
    let lists = [("missing", missing), ("cut short", damaged)].filter { !$0.1.isEmpty }.map { "\($0) \(Self.text($1))" }
    return (["\(output.path): \(complete.count) of \(wanted.of("frame"))"] + lists).joined(separator: ", ")
  }

  /// Frames as ranges, the first few of them.
  static func text(_ frames: [Int]) -> String {
    let parts = (FrameRange(frames)?.description ?? "").split(separator: ",")
    return parts.prefix(6).joined(separator: ",") + (parts.count > 6 ? ", …" : "")
  }
}

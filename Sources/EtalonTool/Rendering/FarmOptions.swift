import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonTypes
import Foundation

/// How the work on a shot is divided among machines.
struct FarmOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Render one block of the frames: 2/8 is the second of eight. Of a video, parts beside it, which a run with --resume joins.",
      valueName: "number/count"))
  var shard: String?

  @Flag(
    help:
      "Divide the frames with other such commands that write to the same folder, here or on other machines; each ends when all frames are there."
  )
  var share = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --share: how long another command may stand still until its frames are rendered by others. Default: 30s.", valueName: "seconds")
  )
  var lapse: String?

  @Option(
    help: ArgumentHelp(
      "Where checkpoints are kept of what frames leave to the next, and looked for. Default: a folder of the user's.", valueName: "folder"))
  var checkpoints: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Render no pictures, but keep a checkpoint before each of these frames, so that others begin there.", valueName: "range"))
  var onlyCheckpoints: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "After how many frames a filter has forgotten what a frame left; where a render begins within a shot, so many frames are rendered first. Default: all before, or what follows from the graph.",
      valueName: "frames"))
  var warmUp: String?

  @Option(help: ArgumentHelp("A folder in which this run notes the files that it writes, with their hashes.", valueName: "folder"))
  var records: String?

  @Flag(name: .customLong("openjd"), help: "Print progress in the lines of Open Job Description on standard output.")
  var openJobDescription = false
}

extension FarmOptions {
  /// Which part of the work is done here; nil for all of it.
  func portion() throws -> WorkPortion? {
    if let lapse, !share { throw UsageError("usage.share", "'--lapse \(lapse)' is for '--share'", help: "type '--share', or leave it out") }
    if share, let shard {
      throw UsageError(
        "usage.share", "'--share' and '--shard \(shard)' both say which frames are rendered here", help: "keep one of them")
    }
    if share {
      let lapse = try UsageError.reading { try self.lapse.map { try OptionText("--lapse", $0).seconds(above: .zero) } } ?? 30
      return .shared(lapse: .seconds(lapse.double))
    }
    return try UsageError.reading { try shard.map { .shard(try OptionText("--shard", $0).shard()) } }
  }

  /// What notes the files that are written; nil where none is wanted.
  func recorder() throws -> FrameRecordWriter? { try records.map { try FrameRecordWriter(folder: $0) } }

  /// The frames before which checkpoints are wanted, in their order.
  func checkpointFrames() throws -> [Int]? {
    try UsageError.reading { try onlyCheckpoints.map { try OptionText("--only-checkpoints", $0).frameRange().frames.sorted() } }
  }

  /// Says in a request what it means for frames that depend on others.
  func apply(to request: inout RenderRequest, usesCheckpoints: Bool) throws(DiagnosticsError) {
    request.warmUp = if let warmUp { try OptionText("--warm-up", warmUp).warmUp() } else { nil }
    request.checkpoints = checkpoints.map { CheckpointFolder(path: $0, limit: Self.mostBytes) } ?? .user
    guard !usesCheckpoints else { return }
    request.checkpoints = nil
    let given = [("--checkpoints", checkpoints), ("--only-checkpoints", onlyCheckpoints)].first { $0.1 != nil }
    guard let (option, _) = given else { return }
    throw DiagnosticsError(
      Diagnostic("usage.conflict", "'\(option)' and '--no-checkpoints' contradict each other", help: ["keep one of them"]))
  }

  /// Checkpoints in a folder that was named are few, and others need them: 1 TiB.
  private static let mostBytes = 1 << 40

  /// Refuses options about files where none are written.
  func refuseBesideCheckpoints() throws {
    let given = [("--shard", shard != nil), ("--share", share), ("--records", records != nil)]
    guard let (option, _) = given.first(where: \.1) else { return }
    throw UsageError(
      "usage.farm", "'\(option)' is about files of frames, and '--only-checkpoints' writes none", help: "leave out one of them")
  }

  /// Refuses options where the frames do not go into files of this run.
  func refuse(for what: String) throws {
    let given = [
      ("--shard", shard != nil), ("--share", share), ("--records", records != nil), ("--only-checkpoints", onlyCheckpoints != nil),
    ]
    guard let (option, _) = given.first(where: \.1) else { return }
    throw UsageError(
      "usage.farm", "'\(option)' is for frames in files and for videos, not for \(what)", help: "leave it out, or type '-o frames.####.png'"
    )
  }
}

extension OptionText {
  /// `2/5`.
  func shard() throws(DiagnosticsError) -> Shard {
    guard let shard = Shard(text) else {
      throw error("usage.shard", "expected a part of several, found '\(text)'", "not a part", help: ["type '--shard 2/5'"])
    }
    return shard
  }

  /// A number of frames.
  fileprivate func warmUp() throws(DiagnosticsError) -> Int {
    guard let number = Int(text), (0...FrameRange.mostFrames).contains(number) else {
      throw error(
        "usage.warm-up", "expected a number of frames from 0 to \(FrameRange.mostFrames), found '\(text)'", "not a number of frames",
        help: ["type '--warm-up 50'"])
    }
    return number
  }
}

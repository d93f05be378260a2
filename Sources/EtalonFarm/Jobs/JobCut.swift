package import Etalon
package import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonTypes

/// Where a shot is cut into chunks that machines render without waiting for each other, and why there.
///
/// The chunk `k` of `N` has the frames that `etalon render --shard k/N` renders: of `n` wanted ones, in rendering order, those from `(k-1)·n/N` up to but
/// not with `k·n/N`, both rounded down.
package struct JobCut: Sendable, Hashable, Codable {
  package enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// Anywhere: a chunk finds by itself what its frames need of earlier ones.
    case frames
    /// One task brings what frames remember forward, and the chunks start from what it kept.
    case checkpoints
    /// Each chunk renders some frames before its first one, which is enough because its author says so.
    case warmUp = "warm-up"
    /// Nowhere.
    case whole
  }

  /// What a person asks for.
  package enum Wish: Sendable, Hashable {
    case auto, frames, checkpoints, whole
    case warmUp(Int)

    /// Reads `auto`, `frames`, `checkpoints`, `warm-up=N` or `whole`; nil for anything else.
    package init?(_ text: String) {
      switch text {
      case "auto": self = .auto
      case "frames": self = .frames
      case "checkpoints": self = .checkpoints
      case "whole": self = .whole
      default:
        guard text.hasPrefix("warm-up="), let count = Int(text.dropFirst(8)), (1...FrameRange.mostFrames).contains(count) else {
          return nil
        }
        self = .warmUp(count)
      }
    }
  }

  /// How long chunks are.
  package struct Lengths: Sendable, Hashable {
    /// Frames of a chunk; nil for about four chunks for each worker.
    package var chunk: Int?
    package var workers: Int

    package init(chunk: Int? = nil, workers: Int = 8) { (self.chunk, self.workers) = (chunk, workers) }

    /// A chunk fewer than Slurm's usual `MaxArraySize`, which counts from 0.
    package static let mostChunks = 1000
    private static let chunksForEachWorker = 4

    fileprivate func count(of frames: Int) throws(RenderError) -> Int {
      guard let chunk else { return max(1, min(frames, Self.chunksForEachWorker * workers, Self.mostChunks)) }
      let count = (frames + chunk - 1) / chunk
      guard count <= Self.mostChunks else {
        throw RenderError(
          .usage,
          "chunks of \(chunk.of("frame")) cut \(frames.of("frame")) into \(count), and schedulers take \(Self.mostChunks) tasks of a job",
          help: ["type '--chunk \((frames + Self.mostChunks - 1) / Self.mostChunks)' or more"])
      }
      return count
    }
  }

  package let method: Method
  /// How many frames each chunk renders before its first one; nil where that is not asked for.
  package let warmUp: Int?
  /// Why it is cut like this, in a sentence without a full stop.
  package let reason: String
  /// The frames of each chunk, as `--frames` has them.
  package let chunks: [String]
  /// The most frames of a chunk.
  package let chunkSize: Int
  /// The frames before which the task that brings state forward keeps a checkpoint.
  package let checkpoints: [Int]

  /// Cuts the wanted frames of a shot; a wish that would give other frames than the whole is refused.
  ///
  /// - Parameter unit: how many frames are never parted: of a video those of its parts.
  package init(_ wish: Wish, of outline: ShotOutline, _ lengths: Lengths, unit: Int = 1) throws(RenderError) {
    let decision = try Self.decision(wish, outline)
    (method, warmUp) = (decision.method, decision.warmUp)
    reason = decision.reason + (unit > 1 && method != .whole ? "; chunks of a video are whole parts of \(unit) frames" : "")
    let frames = outline.frames, units = (frames.count + unit - 1) / unit
    let count = method == .whole ? 1 : min(units, try lengths.count(of: frames.count))
    let shards = (1...count).compactMap { Shard($0, of: count)?.block(of: units) }
    let blocks = shards.map { frames[$0.lowerBound * unit..<min($0.upperBound * unit, frames.count)] }
    chunks = blocks.map { FrameRange($0)?.description ?? "" }
    chunkSize = blocks.map(\.count).max() ?? 1
    // Before the first frame of the shot nothing is remembered.
    checkpoints = method == .checkpoints ? Set(blocks.compactMap { $0.min() }).filter { $0 > outline.clock.first }.sorted() : []
  }

  private static func decision(
    _ wish: Wish, _ outline: ShotOutline
  ) throws(RenderError) -> (method: Method, warmUp: Int?, reason: String) {
    switch (wish, outline.memory) {
    case (.auto, .none), (.frames, .none): return (.frames, nil, "frames do not depend on each other")
    case (.auto, .frames(let count)), (.frames, .frames(let count)):
      return (.frames, nil, "a frame depends on the \(count == 1 ? "one" : "\(count)") before it, which each chunk renders first")
    case (.auto, .endless) where outline.stateShare > 0.5:
      return (.whole, nil, "what frames remember is more than half of the work, so that cutting would do it twice")
    case (.auto, .endless), (.checkpoints, .endless):
      return (
        .checkpoints, nil, "each frame depends on all before it: one task brings what they remember forward, and chunks start from that"
      )
    case (.warmUp(let count), .endless):
      return (.warmUp, count, "each chunk renders \(count.of("frame")) before its first one, as '--cut warm-up=\(count)' says")
    case (.whole, _): return (.whole, nil, "'--cut whole' says so")
    case (.frames, .endless):
      throw RenderError(
        .usage, "each frame of '\(outline.name)' depends on all before it, so that every chunk would begin with the first frame",
        help: [
          "type '--cut checkpoints' to bring what frames remember forward once, or '--cut whole'",
          "type '--cut warm-up=48' if the shader has forgotten everything else after 48 frames",
        ])
    case (.checkpoints, _), (.warmUp, _):
      let words = wish == .checkpoints ? "no checkpoint is needed" : "no warm-up is needed"
      let why = outline.memory == .none ? "frames do not depend on each other" : "what a frame depends on is known and short"
      throw RenderError(
        .usage, "'\(outline.name)' can be cut anywhere, and \(words): \(why)", help: ["type '--cut frames', or leave it out"])
    }
  }
}

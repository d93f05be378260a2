internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonSystem
package import EtalonTypes
internal import Synchronization

/// Which part of the work on a shot a run does, where other runs do the rest.
///
/// The shot stays the whole, so that progress, duration, what frames remember and recipes are those of the whole.
package enum WorkPortion: Sendable, Hashable {
  /// One block of the wanted frames; of a video one of its parts.
  case shard(Shard)
  /// Those frames that it claims in a folder beside the files, until all are done.
  ///
  /// - Parameter lapse: how long the heartbeat of another run stands still until that counts as gone.
  case shared(lapse: Duration)

  /// Refuses what cannot be divided.
  func check(_ shot: Shot, contactSheet: String? = nil) throws(RenderError) {
    let option = if case .shard = self { "--shard" } else { "--share" }
    if shot.isLive {
      throw RenderError(
        .usage, "'\(option)' divides the frames of a shot, and those of a live stream come one after the other", help: ["leave it out"])
    }
    if contactSheet != nil {
      throw RenderError(
        .usage, "'\(option)' divides the frames, and a contact sheet needs all of them",
        help: ["render the frames first, and the sheet with '--resume --contact-sheet' and without '\(option)'"])
    }
  }

  /// The frames of a list that are rendered here at most.
  func frames(of all: [Int]) -> [Int] {
    switch self {
    case .shard(let shard): Array(all[shard.block(of: all.count)])
    case .shared: all
    }
  }

  /// How frames are divided with other runs; nil where it is known from the start which are rendered here.
  ///
  /// Frames that depend on all before them are one piece of work, at which the others stand by.
  func shared(
    _ shot: Shot, _ files: [ExportedFile], kept: Set<Int>, isComplete: @escaping @Sendable (Int) -> Bool
  ) throws(RenderError) -> SharedFrames? {
    guard case .shared(let lapse) = self, let pattern = files.first?.pattern else { return nil }
    let units = shot.memory == .endless ? [shot.frames] : shot.frames.map { [$0] }
    // Claims are places in a list of frames, and mean the same only to those who render the same files.
    var hasher = ContentHasher()
    hasher.add("recipe", shot.recipe)
    hasher.add("frames", FrameRange(shot.frames)?.description ?? "")
    for file in files { hasher.add("file", "\(file.pattern) \(file.outputs.map { $0 ?? "" }) \(file.bits(of: shot))") }
    return try SharedFrames(
      "\(pattern.folder).\(pattern.fileName).claims-\(hasher.finish().description.prefix(12))", of: pattern.description, units, kept: kept,
      lapse: lapse,
      isComplete: isComplete)
  }
}

/// The frames of a shot that several runs divide by claims.
///
/// **Concurrency**: `next` is called by one thread at a time; the rest is usable from every thread.
final class SharedFrames: Sendable {
  private let claims: WorkClaims
  /// What is claimed at once.
  private let units: [[Int]]
  private let unitOfFrame: [Int: Int]
  private let isComplete: @Sendable (Int) -> Bool
  /// The frames of the units that are worked on here, and whether one of them failed.
  private let left = Mutex<[Int: (frames: Set<Int>, hasFailed: Bool)]>([:])

  init(
    _ folder: String, of product: String, _ units: [[Int]], kept: Set<Int>, lapse: Duration, isComplete: @escaping @Sendable (Int) -> Bool
  ) throws(RenderError) {
    let done = units.indices.filter { units[$0].allSatisfy(kept.contains) }
    claims = try WorkClaims(folder, of: product, count: units.count, done: Set(done), lapse: lapse) { units[$0].allSatisfy(isComplete) }
    unitOfFrame = Dictionary(
      units.enumerated().flatMap { unit, frames in frames.map { ($0, unit) } }, uniquingKeysWith: { first, _ in first })
    (self.units, self.isComplete) = (units, isComplete)
  }

  /// The next frames to render here, in their order; nil when all are done, but for those that failed here, and after an interruption.
  func next(isInterrupted: () -> Bool) throws(RenderError) -> [Int]? {
    while let unit = try claims.next(isInterrupted: isInterrupted) {
      // Some frames of a unit that another run began may be there.
      let frames = units[unit].filter { !isComplete($0) }
      guard !frames.isEmpty else {
        claims.finish(unit)
        continue
      }
      left.withLock { $0[unit] = (Set(frames), false) }
      return frames
    }
    return nil
  }

  /// Notes that a frame is done, or failed here.
  func end(_ frame: Int, isDone: Bool) {
    guard let unit = unitOfFrame[frame] else { return }
    let ended = left.withLock { left -> Bool? in
      guard var state = left[unit], state.frames.remove(frame) != nil else { return nil }
      state.hasFailed = state.hasFailed || !isDone
      left[unit] = state.frames.isEmpty ? nil : state
      return state.frames.isEmpty ? state.hasFailed : nil
    }
    guard let hasFailed = ended else { return }
    if hasFailed { claims.release(unit) } else { claims.finish(unit) }
  }

  /// Leaves the rest to others; returns the frames that are done, here or elsewhere.
  func leave() -> Set<Int> { Set(claims.leave().flatMap { units[$0] }) }
}

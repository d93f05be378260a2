internal import Dispatch
package import EtalonDiagnostics
internal import Glibc
internal import Synchronization

/// Divides units of work with other processes that share a folder, on this machine or on others.
///
/// ```
/// let claims = try WorkClaims("out/.plasma.claims-9f3a", of: "out/plasma.####.png", count: 240, done: [], isDone: { isWhole(frame: $0) })
/// defer { claims.leave() }
/// while let unit = try claims.next() {
///   try render(unit)
///   claims.finish(unit)
/// }
/// ```
///
/// No unit is worked on by two processes at once, unless one of them stood still for the lapse and then went on.
///
/// **Concurrency**: usable from every thread; `next` is called by one thread at a time, and blocks.
package final class WorkClaims: Sendable {
  /// How long a heartbeat stands still until its process counts as gone.
  package static let usualLapse = Duration.seconds(30)
  /// How many heartbeats there are in a lapse.
  private static let heartbeats = 10

  private let worker: Mutex<ClaimWorker>
  private let name: String
  private let files: ClaimFiles
  private let lapse: Duration
  private let heart = Mutex<(beats: Int, isLooking: Bool)>((0, true))
  private let isDone: @Sendable (Int) -> Bool
  private let start = ContinuousClock.now
  private let hasChanged = DispatchSemaphore(value: 0)
  private let hasLeft = DispatchSemaphore(value: 0)

  /// Enters a folder, which is made where it is missing.
  ///
  /// - Parameters:
  ///   - folder: what stands behind its last hyphen tells the work; folders that are called the same but for that divide other work on the same product.
  ///   - product: what the work makes, for messages.
  ///   - count: how many units there are, for all processes the same.
  ///   - done: those whose products are there.
  ///   - isDone: whether the product of a unit is there, whole.
  package init(
    _ folder: String, of product: String, count: Int, done: Set<Int>, lapse: Duration = usualLapse,
    isDone: @escaping @Sendable (Int) -> Bool
  ) throws(RenderError) {
    let name = "\(ProcessIdentity.current).\(ProcessIdentity.randomDigits())"
    let files = ClaimFiles(folder, of: product, lapse: lapse)
    (self.name, self.files, self.lapse) = (name, files, lapse)
    worker = Mutex(try ClaimWorker(name, in: files, count: count, done: done, lapse: lapse))
    self.isDone = isDone
    let (seconds, attoseconds) = (lapse / Self.heartbeats).components
    let pause = Double(seconds) + Double(attoseconds) * 1e-18
    try SystemThread.start { [weak self, hasLeft] in
      while hasLeft.wait(timeout: .now() + pause) == .timedOut { self?.beat() }
    }
  }

  private func beat() {
    let (count, isLooking) = heart.withLock { heart in
      heart.beats += 1
      return heart
    }
    files.beat(name, count, isLooking: isLooking)
  }

  deinit { leave() }

  /// The next unit for this process; waits while all that are left are worked on, here or elsewhere, and may have to be taken over.
  ///
  /// Nil when all units are done, but for those that failed here, and after an interruption.
  ///
  /// Where others divide other work on the same product, the first call refuses that.
  package func next(isInterrupted: () -> Bool = { false }) throws(RenderError) -> Int? {
    try lookForOtherWork(isInterrupted)
    while !isInterrupted() {
      let world = ClaimWorker.Surroundings(now: ContinuousClock.now - start, isDone: isDone, hasEnded: Self.hasEnded)
      // What changed before now is seen anyway.
      while hasChanged.wait(timeout: .now()) == .success {}
      switch try worker.withLock({ worker throws(RenderError) in try worker.next(world) }) {
      case .work(let unit):
        // Who had it before may have ended in the middle of a file.
        if worker.withLock({ $0.isTakenOver(unit) }) { TemporaryFiles.sweepAgain() }
        return unit
      case .done: return nil
      case .wait(let pause):
        // An interruption is noticed while nothing happens.
        let end = ContinuousClock.now + pause
        while ContinuousClock.now < end, !isInterrupted(), hasChanged.wait(timeout: .now() + .milliseconds(100)) == .timedOut {}
      }
    }
    return nil
  }

  /// Refuses to go on beside those who divide other work on the same product; called before anything of theirs is touched, and by `next`.
  ///
  /// Those who work are watched until a heartbeat of theirs changes, which refuses this process, or until they count as gone; then what they left is removed. Of
  /// those who still look, as this one does, the folder whose name comes first goes on.
  package func lookForOtherWork(_ isInterrupted: () -> Bool) throws(RenderError) {
    guard heart.withLock(\.isLooking) else { return }
    let begin = ContinuousClock.now
    var end = begin + lapse, others: [ClaimFiles] = [], listed = begin - .seconds(10)
    var seen: [String: ClaimFiles.Heartbeat] = [:]
    // Where another process shares this work and has looked, that is enough.
    var hasCompanion = self.hasCompanion
    while !isInterrupted(), !hasCompanion {
      let now = ContinuousClock.now
      if now - listed > .seconds(1) { (others, listed) = (files.ofOtherWork, now) }
      var isWatching = false
      for other in others {
        for worker in other.workers where !Self.hasEnded(worker) {
          guard let shown = other.shown(by: worker) else { continue }
          let last = seen.updateValue(shown, forKey: worker)
          if let last, last != shown, !shown.isLooking || other.name < files.name {
            leave()
            throw files.otherWork
          }
          end = max(end, begin + shown.lapse / 5)
          isWatching = true
        }
      }
      guard isWatching, now < end else { break }
      usleep(100_000)
      hasCompanion = self.hasCompanion
    }
    guard !isInterrupted() else { return }
    // Those of them that are left have not moved.
    if !hasCompanion { for other in others { other.remove() } }
    heart.withLock { $0.isLooking = false }
    beat()
  }

  /// Whether another process does this work, and is through with looking.
  private var hasCompanion: Bool {
    files.workers.contains { $0 != name && !Self.hasEnded($0) && files.shown(by: $0)?.isLooking == false }
  }

  private static func hasEnded(_ worker: String) -> Bool { ProcessIdentity(worker.prefix { $0 != "." })?.hasEnded ?? false }

  /// Says that the product of a unit is in its place.
  package func finish(_ unit: Int) {
    worker.withLock { $0.finish(unit) }
    hasChanged.signal()
  }

  /// Leaves a unit that failed here to others.
  package func release(_ unit: Int) {
    worker.withLock { $0.release(unit) }
    hasChanged.signal()
  }

  /// Ends the work of this process: what it did not finish is left to others; when all is done, nothing stays behind.
  ///
  /// - Returns: the units that are done, here or elsewhere.
  @discardableResult package func leave() -> Set<Int> {
    hasLeft.signal()
    return worker.withLock { worker in
      worker.leave()
      return worker.done
    }
  }
}

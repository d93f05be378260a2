internal import Dispatch
package import EtalonDiagnostics
internal import Glibc
internal import Synchronization

/// Divides units of work with other processes that share a folder, on this machine or on others.
///
/// ```
/// let claims = try WorkClaims("out/.plasma.claims", of: "out/plasma.####.png", count: 240, done: [], isDone: { isWhole(frame: $0) })
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
  private let files: ClaimFiles
  private let lapse: Duration
  private let hasLookedForOthers = Mutex(false)
  private let isDone: @Sendable (Int) -> Bool
  private let start = ContinuousClock.now
  private let hasChanged = DispatchSemaphore(value: 0)
  private let hasLeft = DispatchSemaphore(value: 0)

  /// Enters a folder, which is made where it is missing.
  ///
  /// - Parameters:
  ///   - folder: `…claims-9f3a`: what stands behind its last hyphen tells the work; folders that are called the same but for that divide other work on the same
  ///     product.
  ///   - product: what the work makes, for messages.
  ///   - count: how many units there are, for all processes the same.
  ///   - done: those whose products are there.
  ///   - isDone: whether the product of a unit is there, whole.
  package init(
    _ folder: String, of product: String, count: Int, done: Set<Int>, lapse: Duration = usualLapse,
    isDone: @escaping @Sendable (Int) -> Bool
  ) throws(RenderError) {
    let name = "\(ProcessIdentity.current).\(ProcessIdentity.randomDigits())"
    let files = ClaimFiles(folder, of: product)
    (self.files, self.lapse) = (files, lapse)
    worker = Mutex(try ClaimWorker(name, in: files, count: count, done: done, lapse: lapse))
    self.isDone = isDone
    try SystemThread.start { [hasLeft] in
      var count = 0
      let (seconds, attoseconds) = (lapse / Self.heartbeats).components
      let pause = Double(seconds) + Double(attoseconds) * 1e-18
      while hasLeft.wait(timeout: .now() + pause) == .timedOut {
        count += 1
        files.beat(name, count)
      }
    }
  }

  deinit { leave() }

  /// The next unit for this process; waits while all that are left are worked on, here or elsewhere, and may have to be taken over.
  ///
  /// Nil when all units are done, but for those that failed here, and after an interruption.
  ///
  /// Where others divide other work on the same product, the first call refuses that.
  package func next(isInterrupted: () -> Bool = { false }) throws(RenderError) -> Int? {
    if !hasLookedForOthers.withLock({ $0 }) {
      try refuseOthers(isInterrupted)
      hasLookedForOthers.withLock { $0 = true }
    }
    while !isInterrupted() {
      let world = ClaimWorker.Surroundings(now: ContinuousClock.now - start, isDone: isDone, hasEnded: Self.hasEnded)
      // What changed before now is seen anyway.
      while hasChanged.wait(timeout: .now()) == .success {}
      switch try worker.withLock({ worker throws(RenderError) in try worker.next(world) }) {
      case .work(let unit): return unit
      case .done: return nil
      case .wait(let pause):
        // An interruption is noticed while nothing happens.
        let end = ContinuousClock.now + pause
        while ContinuousClock.now < end, !isInterrupted(), hasChanged.wait(timeout: .now() + .milliseconds(100)) == .timedOut {}
      }
    }
    return nil
  }

  /// Watches those who divide other work until a heartbeat of theirs changes, or all of them count as gone.
  private func refuseOthers(_ isInterrupted: () -> Bool) throws(RenderError) {
    let begin = ContinuousClock.now
    var seen: [String: Int] = [:]
    while !isInterrupted() {
      var isWatching = false
      for (worker, count) in files.heartbeatsOfOtherWork() where !Self.hasEnded(worker) {
        guard seen[worker] ?? count == count else {
          leave()
          throw files.otherWork
        }
        seen[worker] = count
        isWatching = true
      }
      guard isWatching, ContinuousClock.now - begin < lapse else { return }
      usleep(100_000)
    }
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

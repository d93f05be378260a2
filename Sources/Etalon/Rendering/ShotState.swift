internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonPlan
internal import Synchronization

/// Brings the state of a shot to the frames that are wanted: from the frame that came last, from a checkpoint, or from the first frame.
///
/// **Concurrency**: frames are asked for by one thread at a time.
final class ShotState: Sendable {
  /// Where rendering starts so that a frame comes out right.
  struct Start: Sendable, Hashable {
    let frame: Int
    /// Whether nothing is remembered there; otherwise the memory of the device has what the frame before left.
    let isAnew: Bool
  }

  private let first: Int
  private let memory: StateMemory
  private let plans: ShotPlans
  private let checkpoints: ShotCheckpoints?
  /// Whether the state comes from frames of another recipe, so that no checkpoint may be made of it.
  private let borrowed = Mutex(false)

  /// - Parameter first: the first frame of the shot, at which state begins.
  /// - Parameter memory: how long what a frame leaves has an effect.
  init(first: Int, _ memory: StateMemory, _ plans: ShotPlans, checkpoints: ShotCheckpoints?) {
    (self.first, self.memory, self.plans, self.checkpoints) = (first, memory, plans, checkpoints)
  }

  private var execution: any PlanExecution { plans.current.execution }

  /// How many frames are rendered only for those after them, before and between some that are wanted in this order.
  func warmUp(for frames: [Int]) -> Int {
    var (next, count) = (plans.order.next, 0)
    for frame in frames {
      let begin = FrameOrder.begin(with: frame, after: next, first: first, memory).frame
      count += frame - (checkpoints?.frame(after: begin, upTo: frame) ?? begin)
      next = frame + 1
    }
    return count
  }

  /// Gets ready for a frame, or for one before it, from which on frames have to be rendered; returns which.
  ///
  /// - Parameter isRendered: whether the frame itself is rendered then, and not only what it follows.
  func begin(with frame: Int, isRendered: Bool = true) throws(RenderError) -> Start {
    let start = plans.order.begin(with: frame, first: first, memory, isRendered: isRendered)
    if start.isAnew { isBorrowed = false }
    guard start.frame < frame, let found = checkpoints?.latest(after: start.frame, upTo: frame) else { return start }
    try execution.restore(found.state)
    isBorrowed = false
    return Start(frame: found.frame, isAnew: false)
  }

  /// Whether the frames go on from those of another recipe.
  private(set) var isBorrowed: Bool {
    get { borrowed.withLock(\.self) }
    set { borrowed.withLock { $0 = newValue } }
  }

  /// Goes on from what the last frame of another shot left; false where that left nothing that fits.
  ///
  /// - Parameter isSame: whether that shot depends on the same.
  func goOn(after other: ShotState, isSame: Bool) throws(RenderError) -> Bool {
    guard other.last != nil else { return false }
    let left = try other.execution.state()
    guard left.fits(plans.current.plan.plan.plan) else { return false }
    try execution.restore(left)
    plans.order.follow(other.plans.order)
    isBorrowed = other.isBorrowed || !isSame
    return true
  }

  /// The frame that came last; nil before the first, and after one that no other can follow.
  var last: Int? { plans.order.next.map { $0 - 1 } }

  /// Called before each frame that follows others.
  func reach(_ frame: Int) throws(RenderError) {
    if frame > first, !isBorrowed { try checkpoints?.keepIfDue(at: frame, of: execution) }
  }

  /// Called before a frame that no other can follow.
  func end(with frame: Int) throws(RenderError) {
    plans.order.forget()
    if frame > first, !isBorrowed { try checkpoints?.keep(at: frame, of: execution) }
  }

  /// Keeps what the last frame leaves to the next, so that another run goes on from there.
  ///
  /// - Parameter mustSucceed: whether a checkpoint that cannot be written is thrown, and not only noted.
  func keep(mustSucceed: Bool = false) throws(RenderError) {
    guard let next = plans.order.next, next > first, !isBorrowed else { return }
    try checkpoints?.keep(at: next, of: execution)
    if mustSucceed { try checkpoints?.require(at: next) }
  }

  /// Makes the next frame begin anew.
  func forget() { plans.order.forget() }

  /// The notes about checkpoints since the last call.
  func takeNotes() -> [Diagnostic] { checkpoints?.takeNotes() ?? [] }
}

/// Knows which frame of a shot can follow without rendering others first, where each depends on the one before.
///
/// **Concurrency**: usable from every thread.
final class FrameOrder: Sendable {
  private let last = Mutex<Int?>(nil)

  /// The frame after the last one that was begun; nil before the first, and after a failure.
  var next: Int? { last.withLock(\.self) }

  /// The frame to begin with so that a wanted frame comes out right: the wanted one, or an earlier one.
  ///
  /// - Parameter first: the first frame of the shot, at which state begins.
  /// - Parameter isRendered: whether the wanted frame itself is rendered then.
  func begin(with wanted: Int, first: Int, _ memory: StateMemory, isRendered: Bool = true) -> ShotState.Start {
    last.withLock { next in
      defer { next = isRendered ? wanted + 1 : wanted }
      return Self.begin(with: wanted, after: next, first: first, memory)
    }
  }

  /// The same, with the frame that can follow given.
  static func begin(with wanted: Int, after next: Int?, first: Int, _ memory: StateMemory) -> ShotState.Start {
    var anew = min(first, wanted)
    if case .frames(let count) = memory { anew = max(anew, wanted - count) }
    // What was forgotten meanwhile need not be rendered again.
    if let next, next <= wanted, next >= anew { return .init(frame: next, isAnew: false) }
    return .init(frame: anew, isAnew: true)
  }

  /// Goes on after the last frame of another order.
  func follow(_ other: FrameOrder) { last.withLock { $0 = other.next } }

  /// Makes the next frame begin anew.
  func forget() { last.withLock { $0 = nil } }
}

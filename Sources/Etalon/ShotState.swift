internal import EtalonDiagnostics
internal import EtalonPlan

/// Brings the state of a shot to the frames that are wanted: from the frame that came last, from a checkpoint, or from the first frame.
///
/// **Concurrency**: frames are asked for by one thread at a time.
final class ShotState: Sendable {
  private let first: Int
  private let order: FrameOrder
  private let checkpoints: ShotCheckpoints?

  /// - Parameter first: the first frame of the shot, at which state begins.
  /// - Parameter order: where frames stand that came before this shot.
  init(first: Int, order: FrameOrder = FrameOrder(), checkpoints: ShotCheckpoints?) {
    self.first = first
    self.order = order
    self.checkpoints = checkpoints
  }

  /// How many frames are rendered only for those after them, before and between some that are wanted in this order.
  func warmUp(for frames: [Int]) -> Int {
    var (next, count) = (order.next, 0)
    for frame in frames {
      let begin = FrameOrder.begin(with: frame, after: next, first: first)
      count += frame - (checkpoints?.frame(after: begin, upTo: frame) ?? begin)
      next = frame + 1
    }
    return count
  }

  /// Gets an execution ready for a frame, or for one before it, from which on frames have to be rendered; returns which.
  func begin(with frame: Int, on execution: any PlanExecution) throws(RenderError) -> Int {
    let begin = order.begin(with: frame, first: first)
    guard begin < frame, let found = checkpoints?.latest(after: begin, upTo: frame) else { return begin }
    try execution.restore(found.state)
    return found.frame
  }

  /// The frame that came last; nil before the first, and after one that no other can follow.
  var last: Int? { order.next.map { $0 - 1 } }

  /// Called before each frame that follows others.
  func reach(_ frame: Int, on execution: any PlanExecution) throws(RenderError) {
    if frame > first { try checkpoints?.keepIfDue(at: frame, of: execution) }
  }

  /// Called before a frame that no other can follow.
  func end(with frame: Int, on execution: any PlanExecution) throws(RenderError) {
    order.forget()
    if frame > first { try checkpoints?.keep(at: frame, of: execution) }
  }

  /// Keeps what the last frame leaves to the next, so that another run goes on from there.
  func keep(on execution: any PlanExecution) throws(RenderError) {
    if let next = order.next, next > first { try checkpoints?.keep(at: next, of: execution) }
  }

  /// Makes the next frame begin anew.
  func forget() { order.forget() }

  /// What there is to say about checkpoints since it was asked last.
  func takeNotes() -> [Diagnostic] { checkpoints?.takeNotes() ?? [] }
}

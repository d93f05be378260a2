internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonSystem
internal import Synchronization

/// The frames of a shot one after the other, each complete, while the device goes on with those after it.
///
/// **Concurrency**: frames are taken by one thread at a time.
final class FrameQueue: Sendable {
  /// How many frames the device works on while one is taken.
  private static let framesAhead = 2

  private struct State {
    /// Frames that were submitted and not taken.
    var ahead: [(frame: Int, pending: any PendingFrame)] = []
    var next = 0
    /// How many frames were rendered only for those after them.
    var earlierCount = 0
  }

  let shot: Shot
  /// Ends the frame that is being rendered.
  let cancellation: Cancellation
  private let frames: [Int]
  private let state = Mutex(State())

  init(_ prepared: (shot: Shot, cancellation: Cancellation)) {
    (shot, cancellation) = prepared
    frames = shot.frames
  }

  deinit { finish() }

  /// The next frame with its number; nil behind the last.
  ///
  /// The frame has to be released before the queue ends.
  func next(isInterrupted: () -> Bool) throws -> (frame: Int, pending: any PendingFrame)? {
    while let wanted = state.withLock({ hasRoom($0) ? frames[$0.next] : nil }) {
      let submitted = try shot.submit(wanted, isInterrupted: isInterrupted) { state.withLock { $0.earlierCount += 1 } }
      guard let pending = submitted else { throw CancellationError() }
      state.withLock { state in
        state.ahead.append((wanted, pending))
        state.next += 1
      }
    }
    guard let first = state.withLock({ $0.ahead.isEmpty ? nil : $0.ahead.removeFirst() }) else { return nil }
    // A single frame is not worth a checkpoint, unless others had to be rendered for it.
    if state.withLock({ $0.ahead.isEmpty && $0.next == frames.count && $0.earlierCount + $0.next > 1 }) { shot.keepState() }
    do throws(RenderError) { try first.pending.wait() } catch {
      first.pending.release()
      throw error
    }
    return first
  }

  /// Whether another frame can be submitted before one is taken: one always, more where their memory is there.
  private func hasRoom(_ state: State) -> Bool {
    state.next < frames.count && (state.ahead.isEmpty || state.ahead.count < min(Self.framesAhead, shot.framesAtOnce))
  }

  /// Drops the frames that were submitted and not taken, and gives the memory back.
  func finish() {
    let ahead = state.withLock { state in
      defer { (state.ahead, state.next) = ([], .max) }
      return state.ahead.map(\.pending)
    }
    for pending in ahead {
      try? pending.wait()
      pending.release()
    }
    if !ahead.isEmpty { shot.forget() }
    shot.finish()
  }
}

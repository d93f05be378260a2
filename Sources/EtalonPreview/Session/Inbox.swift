internal import Dispatch
internal import EtalonSystem
internal import Synchronization

/// What the engine is told by pages and by the threads of its session.
enum Errand: Sendable {
  case joined(Int, PageOutlet)
  case left(Int)
  case request(Int, PageRequest)
  /// A request that could not be read.
  case unreadable(Int, String)
  /// Files that changed on disk.
  case changed([String])
  case job(PageMessage.Job)
  /// Something beside the preview that did not work, such as an editor that is not there.
  case failed(String)
  /// Something that another thread has for a page.
  case told(Int, PageMessage)
  case finish

  /// Whether the picture that is being rendered may be of no use afterwards.
  var changesPicture: Bool {
    switch self {
    case .request(_, let request): request.changesPicture
    case .changed, .finish: true
    case .joined, .left, .unreadable, .job, .failed, .told: false
    }
  }
}

/// Where errands wait for the engine.
///
/// **Concurrency**: usable from every thread; one thread takes.
final class Inbox: Sendable {
  private let errands = Mutex<[Errand]>([])
  private let signal = DispatchSemaphore(value: 0)
  /// Ends the frame that is being rendered where an errand makes it useless.
  let watch = FrameWatch()
  /// Ends what outlives frames: opening and reading streams.
  let ending = Cancellation()

  /// Hands over an errand.
  func post(_ errand: Errand) {
    errands.withLock { $0.append(errand) }
    if case .finish = errand { ending.cancel() }
    if errand.changesPicture { watch.tellOfNews() }
    signal.signal()
  }

  /// Waits for errands; none at the deadline, nil waits without end.
  func take(until deadline: ContinuousClock.Instant?) -> [Errand] {
    while true {
      let found = errands.withLock { errands in
        defer { errands = [] }
        return errands
      }
      if !found.isEmpty {
        watch.forgetNews()
        return found
      }
      guard let deadline else {
        signal.wait()
        continue
      }
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero, signal.wait(timeout: .now() + left.seconds) == .success else { return [] }
    }
  }
}

extension Duration {
  /// In seconds.
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

/// Knows how long the frame that is being rendered takes, and ends it when it is of no use and would take long.
///
/// A frame that is nearly done is finished although there is news: otherwise a slider that moves all the time would show nothing at all.
///
/// **Concurrency**: usable from every thread.
final class FrameWatch: Sendable {
  private struct State {
    var start: ContinuousClock.Instant?
    /// What the frame before took.
    var expected: Duration?
    var hasNews = false
  }

  /// A frame that takes no longer than this beyond now is finished.
  private static let patience = Duration.milliseconds(150)

  /// What frames look at.
  let cancellation = Cancellation()
  private let state = Mutex(State())

  /// Called before a frame.
  ///
  /// - Parameter expected: how long the frame before took; nil where it was another plan.
  func begin(expected: Duration?) {
    state.withLock { state in (state.start, state.expected) = (.now, expected) }
  }

  /// Called behind a frame: what comes next, such as opening a video for another subject, is not cancelled with it.
  func end() {
    state.withLock { state in
      state.start = nil
      cancellation.renew()
    }
  }

  /// An errand came that changes the picture.
  func tellOfNews() {
    state.withLock { $0.hasNews = true }
    look()
  }

  func forgetNews() { state.withLock { $0.hasNews = false } }

  /// Whether earlier frames that are rendered only for the wanted one should be left.
  var isLate: Bool {
    state.withLock { state in state.hasNews && (state.start.map { .now - $0 > Self.patience } ?? false) }
  }

  /// Cancels the frame that is being rendered where there is news and its end is not near; called from time to time.
  func look() {
    state.withLock { state in
      guard state.hasNews, let start = state.start else { return }
      let elapsed = ContinuousClock.now - start
      let isUseless = state.expected.map { elapsed > $0 + Self.patience || $0 - elapsed > Self.patience } ?? (elapsed > Self.patience * 2)
      if isUseless { cancellation.cancel() }
    }
  }
}

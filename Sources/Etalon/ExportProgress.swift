import EtalonDiagnostics
import Synchronization

/// What became of the frames of an export so far.
///
/// **Concurrency**: usable from every thread; events leave one at a time.
final class ExportProgress: Sendable {
  private struct State {
    var written: Set<Int> = []
    var failureCount = 0
    var stoppingFailure: RenderError?
  }

  private let state = Mutex(State())
  private let observe: @Sendable (RenderEvent) -> Void
  private let stopsAtFailure: Bool

  init(observe: @escaping @Sendable (RenderEvent) -> Void, stopsAtFailure: Bool) {
    self.observe = observe
    self.stopsAtFailure = stopsAtFailure
  }

  /// Whether a failure ended the export.
  var isStopped: Bool { state.withLock { $0.stoppingFailure != nil } }

  /// The failure that ended the export.
  var stoppingFailure: RenderError? { state.withLock { $0.stoppingFailure } }

  /// The frames that are done.
  var written: Set<Int> { state.withLock { $0.written } }

  /// How many frames failed.
  var failureCount: Int { state.withLock { $0.failureCount } }

  /// Tells of a frame that is rendered only for others.
  func warmUp() { state.withLock { _ in observe(.warmedUp) } }

  func succeed(_ frame: Int, paths: [String]) {
    state.withLock { state in
      state.written.insert(frame)
      observe(paths.isEmpty ? .rendered(label: "\(frame)") : .written(frame: frame, paths: paths))
    }
  }

  /// Notes a failure; those that follow from an export that was already stopped say nothing new, and a frame that was to end early did not fail.
  ///
  /// A device that is lost fails every later frame too, so that ends the export in any case.
  func fail(_ frame: Int, _ error: RenderError) {
    state.withLock { state in
      guard state.stoppingFailure == nil, error.code != .interrupted else { return }
      state.failureCount += 1
      if stopsAtFailure || error.code.isTemporary {
        state.stoppingFailure = error
      } else {
        observe(.failed(frame: frame, error))
      }
    }
  }
}

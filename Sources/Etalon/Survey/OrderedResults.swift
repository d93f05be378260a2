internal import Synchronization

/// Hands results on in the order of their places, however they arrive.
///
/// **Concurrency**: usable from every thread; results are handed on one at a time.
final class OrderedResults<Result: Sendable>: Sendable {
  private struct State {
    var waiting: [Int: Result] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  private let handOver: @Sendable (Result) -> Void

  init(_ handOver: @escaping @Sendable (Result) -> Void) { self.handOver = handOver }

  func add(_ result: Result, at place: Int) {
    state.withLock { state in
      state.waiting[place] = result
      while let ready = state.waiting.removeValue(forKey: state.next) {
        handOver(ready)
        state.next += 1
      }
    }
  }
}

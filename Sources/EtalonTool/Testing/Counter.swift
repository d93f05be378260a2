import Synchronization

/// Counts up from 1.
///
/// **Concurrency**: usable from every thread.
final class Counter: Sendable {
  private let value = Mutex(0)

  func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}

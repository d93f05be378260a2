internal import Synchronization

/// Values by key, as many as a limit allows: where there would be more, the one that was unused for longest goes.
///
/// **Concurrency**: usable from every thread; making a value does not block other threads.
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var entries: [Key: (value: Value, lastUse: Int)] = [:]
    /// Counts uses, so that they can be put in order.
    var useCount = 0
    var madeCount = 0

    mutating func use(_ key: Key) -> Value? {
      // Keys may be long texts, so each is looked up once.
      guard let place = entries.index(forKey: key) else { return nil }
      useCount += 1
      entries.values[place].lastUse = useCount
      return entries.values[place].value
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: how many values are kept; 0 keeps none.
  package init(limit: Int) { self.limit = limit }

  /// How many values were made.
  package var madeCount: Int { state.withLock(\.madeCount) }

  /// All values that are kept, in no order.
  package var values: [Value] { state.withLock { $0.entries.values.map(\.value) } }

  /// The value of a key; nil where it is not kept.
  package subscript(key: Key) -> Value? { state.withLock { $0.use(key) } }

  /// The value of a key, made where it is not kept; two threads that ask at once may both make it.
  package func value<Failure: Error>(for key: Key, _ make: () throws(Failure) -> Value) throws(Failure) -> Value {
    if let known = self[key] { return known }
    let value = try make()
    state.withLock { state in
      state.madeCount += 1
      state.useCount += 1
      guard limit > 0 else { return }
      state.entries[key] = (value, state.useCount)
      guard state.entries.count > limit, let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return }
      state.entries[oldest] = nil
    }
    return value
  }
}

internal import Synchronization

/// Held while instances and devices come and go and while objects get names.
///
/// To name an object, the loader walks its lists of instances and devices without a lock of its own (1.3.239); when another thread changes
/// these lists at that moment, it calls a null pointer.
enum LoaderLock {
  private static let mutex = Mutex(())

  /// Runs a body while nobody else is in one.
  static func with<Result: Sendable>(_ body: () -> Result) -> Result {
    mutex.withLock { _ in body() }
  }
}

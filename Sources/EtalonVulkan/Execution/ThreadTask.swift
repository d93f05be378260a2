internal import Dispatch
internal import Glibc
internal import Synchronization

/// Work on a thread of its own, with a large stack, that can be given up on when it takes too long.
///
/// Drivers compile strangers' shaders in the calling thread: recursively, and for as long as they like.
@safe
final class ThreadTask<Output: Sendable>: Sendable {
  private let output = Mutex<Output?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  /// Starts the work.
  init(_ body: @escaping @Sendable () -> Output) {
    let run = Work { [self] in
      let result = body()
      output.withLock { $0 = result }
      isDone.signal()
    }
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { unsafe attributes.deallocate() }
    unsafe pthread_attr_init(attributes)
    unsafe pthread_attr_setstacksize(attributes, 64 << 20)
    unsafe pthread_attr_setdetachstate(attributes, CInt(PTHREAD_CREATE_DETACHED))
    var thread: pthread_t = 0
    let status = unsafe pthread_create(
      &thread, attributes,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(run).toOpaque())
    unsafe pthread_attr_destroy(attributes)
    precondition(status == 0, "pthread_create failed")
  }

  /// What the work returned, nil if it is not done within the time.
  ///
  /// Without a limit it waits for the end. Call once.
  func wait(within limit: Duration?) -> Output? {
    if let limit {
      let (seconds, attoseconds) = limit.components
      let deadline =
        DispatchTime.now() + .milliseconds(Int(clamping: min(seconds, Int64.max / 2000) * 1000 + attoseconds / 1_000_000_000_000_000))
      guard isDone.wait(timeout: deadline) == .success else { return nil }
    } else {
      isDone.wait()
    }
    return output.withLock { $0 }
  }
}

/// A closure that can cross a C pointer.
private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

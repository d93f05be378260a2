internal import Synchronization

/// Asks work on frames to end before it is done; goes with the values of each frame.
///
/// The CPU executor looks at it between workgroups and in long loops. A graphics unit cannot be stopped within a frame: it is waited for a short time, and then
/// given up, if the process ends anyway; otherwise the frame is finished.
///
/// **Concurrency**: usable from every thread.
@safe
package final class Cancellation: @unchecked Sendable, Hashable {
  private let flag: UnsafeMutablePointer<Atomic<Int32>>
  /// Whether the process ends when the work has, so that a device may be left in the middle of a frame.
  package let endsProcess: Bool

  package init(endsProcess: Bool = false) {
    unsafe flag = .allocate(capacity: 1)
    unsafe flag.initialize(to: Atomic(0))
    self.endsProcess = endsProcess
  }

  package func cancel() { unsafe flag.pointee.store(1, ordering: .relaxed) }

  package var isCancelled: Bool { unsafe flag.pointee.load(ordering: .relaxed) != 0 }

  /// Where a number lies that is not 0 once the work is to end; valid as long as the object.
  package var address: UnsafeRawPointer { unsafe UnsafeRawPointer(flag) }

  package static func == (a: Cancellation, b: Cancellation) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  deinit {
    unsafe flag.deinitialize(count: 1)
    unsafe flag.deallocate()
  }
}

internal import Dispatch

/// Runs the jobs of one actor on a thread of their own, one after the other, so that waiting for a device blocks nobody else.
///
/// **Concurrency**: usable from every thread.
final class BlockingExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "etalon.render")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedSerialExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}

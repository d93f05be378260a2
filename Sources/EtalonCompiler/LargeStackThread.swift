internal import Foundation
internal import Synchronization

/// Runs work that recurses as deeply as a stranger's text tells it to.
///
/// A sum of 20,000 terms is an expression 20,000 levels deep, and the compiler goes down all of them. The stack is address space only until it
/// is touched.
enum LargeStackThread {
  /// How the work ended.
  enum Outcome<Result> {
    case done(Result)
    /// The deadline came first; the thread goes on alone and what it holds is leaked, because there is no way to stop it.
    case abandoned
    /// The system gave no thread, with its error number.
    case noThread(Int32)
  }

  private static let stackSizes = [512 << 20, 64 << 20, 8 << 20]

  /// Runs `work` on a thread of its own and waits for its end or for the deadline; past the deadline it is not even begun.
  static func run<Result: Sendable>(
    until deadline: ContinuousClock.Instant?, _ work: @escaping @Sendable () -> Result
  ) -> Outcome<Result> {
    if let deadline, deadline <= .now { return .abandoned }
    let job = Job(work)
    var code: Int32 = 0
    for size in stackSizes {
      code = start(job, stackSize: size)
      if code == 0 { break }
    }
    guard code == 0 else { return .noThread(code) }
    guard job.wait(until: deadline), let result = job.result else { return .abandoned }
    return .done(result)
  }

  private static func start<Result>(_ job: Job<Result>, stackSize: Int) -> Int32 {
    let runnable = unsafe Unmanaged.passRetained(job as Runnable)
    let code = unsafe withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
      guard let attributes = buffer.baseAddress else { return ENOMEM }
      unsafe pthread_attr_init(attributes)
      defer { unsafe pthread_attr_destroy(attributes) }
      unsafe pthread_attr_setstacksize(attributes, stackSize)
      unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
      var thread = pthread_t()
      return unsafe pthread_create(&thread, attributes, enter, runnable.toOpaque())
    }
    if code != 0 { unsafe runnable.release() }
    return code
  }
}

/// Where a new thread starts.
private func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument = unsafe argument { unsafe Unmanaged<Runnable>.fromOpaque(argument).takeRetainedValue().run() }
  return nil
}

/// What a thread is given: an object, because C hands over one pointer.
private class Runnable: @unchecked Sendable {
  func run() {}
}

private final class Job<Result: Sendable>: Runnable, @unchecked Sendable {
  private let work: @Sendable () -> Result
  private let stored = Mutex<Result?>(nil)
  private let end = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () -> Result) { self.work = work }

  var result: Result? { stored.withLock { $0 } }

  override func run() {
    let result = work()
    stored.withLock { $0 = result }
    end.signal()
  }

  /// Whether the work ended before the deadline.
  func wait(until deadline: ContinuousClock.Instant?) -> Bool {
    guard let deadline else {
      end.wait()
      return true
    }
    let left = ContinuousClock.now.duration(to: deadline).components
    let seconds = max(0, Double(left.seconds) + Double(left.attoseconds) * 1e-18)
    return end.wait(timeout: .now() + min(seconds, 1e9)) == .success
  }
}

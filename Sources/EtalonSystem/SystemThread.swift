internal import Dispatch
package import EtalonDiagnostics
internal import Glibc
internal import Synchronization

/// Threads of the system, each with a stack of its own size.
///
/// Dispatch and Foundation wait without end where the system gives no thread, as under a limit of memory; here that is an error.
package enum SystemThread {
  /// Stack sizes in bytes, the wanted one first, of which the first is taken that the system gives; a stack is address space only until it is
  /// touched.
  package enum Stack {
    /// For work that recurses as deeply as a text of unknown origin is nested.
    case deep
    /// For drivers, which compile texts of unknown origin.
    case driver
    case usual

    fileprivate var byteCounts: [Int] {
      switch self {
      case .deep: [512 << 20, 64 << 20, 32 << 20]
      case .driver: [64 << 20, 8 << 20]
      case .usual: [8 << 20, 1 << 20]
      }
    }
  }

  /// The part of the address space that is left of which a stack takes no more: what the thread does needs memory, too.
  private static let largestPart = 8

  /// Starts a thread that ends by itself.
  package static func start(_ stack: Stack = .usual, _ body: @escaping @Sendable () -> Void) throws(RenderError) {
    let start = ThreadStart(body)
    var code = ENOMEM
    let free = AddressSpace.free
    for byteCount in stack.byteCounts where free.map({ byteCount <= $0 / largestPart }) ?? true {
      code = create(start, byteCount)
      if code == 0 { return }
    }
    throw RenderError(
      .tryAgain, "cannot start a thread", operation: "pthread_create", underlying: unsafe String(cString: strerror(code)),
      help: ["allow more memory or processes (see 'ulimit -a'), or close other programs"])
  }

  private static func create(_ start: ThreadStart, _ byteCount: Int) -> Int32 {
    let argument = unsafe Unmanaged.passRetained(start)
    let code = unsafe withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
      guard let attributes = buffer.baseAddress else { return ENOMEM }
      unsafe pthread_attr_init(attributes)
      defer { unsafe pthread_attr_destroy(attributes) }
      unsafe pthread_attr_setstacksize(attributes, byteCount)
      unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
      var thread = pthread_t()
      return unsafe pthread_create(&thread, attributes, enter, argument.toOpaque())
    }
    if code != 0 { unsafe argument.release() }
    return code
  }
}

/// What a new thread is given: an object, because C hands over one pointer.
private final class ThreadStart: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument = unsafe argument { unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().body() }
  return nil
}

/// Work on a thread of its own, which can be waited for, or left alone when it takes too long.
///
/// ```swift
/// let task = try ThreadTask(.deep) { compile(text) }
/// guard let result = task.wait(until: deadline) else { … }
/// ```
///
/// **Concurrency**: usable from every thread.
package final class ThreadTask<Output: Sendable>: Sendable {
  private let output = Promise<Output>()

  /// Starts the work.
  package init(_ stack: SystemThread.Stack = .usual, _ body: @escaping @Sendable () -> Output) throws(RenderError) {
    try SystemThread.start(stack) { [output] in output.keep(body()) }
  }

  /// Waits for what the work returns.
  ///
  /// Call this or one of the others, once.
  package func wait() -> Output { output.wait() }

  /// Waits for what the work returns; nil past the deadline: the work goes on alone, and what it holds is leaked, because there is no way to stop it.
  package func wait(until deadline: ContinuousClock.Instant?) -> Output? {
    guard let deadline else { return wait() }
    return wait(within: ContinuousClock.now.duration(to: deadline))
  }

  /// The same with the longest time to wait.
  package func wait(within limit: Duration?) -> Output? {
    guard let limit else { return wait() }
    let (seconds, attoseconds) = limit.components
    return output.wait(seconds: min(max(0, Double(seconds) + Double(attoseconds) * 1e-18), 1e9))
  }
}

/// A value that one thread or task makes, and another thread waits for.
///
/// ```swift
/// let server = try Promise.awaited { try await PreviewServer(session) }
/// ```
///
/// **Concurrency**: usable from every thread; one waits, once.
package final class Promise<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isKept = DispatchSemaphore(value: 0)

  package init() {}

  /// Hands the value over.
  package func keep(_ value: Value) {
    self.value.withLock { $0 = value }
    isKept.signal()
  }

  /// Waits for the value.
  package func wait() -> Value {
    isKept.wait()
    guard let value = value.withLock({ $0 }) else { preconditionFailure("a promise that was kept without a value") }
    return value
  }

  /// Waits for the value; nil where it is not there in time.
  package func wait(seconds: Double) -> Value? {
    guard isKept.wait(timeout: .now() + seconds) == .success else { return nil }
    return value.withLock { $0 }
  }

  /// Blocks for what a task returns or throws: for threads that have nothing else to do, and no task itself, whose thread others may wait for.
  package static func awaited<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result
  where Value == Swift.Result<Result, any Error> {
    let promise = Promise()
    Task {
      do { promise.keep(.success(try await body())) } catch { promise.keep(.failure(error)) }
    }
    return try promise.wait().get()
  }
}

/// A thread that does one piece of work after the other, in the order in which they were handed over.
///
/// Ends with `finish()`, which must be called.
///
/// **Concurrency**: usable from every thread.
package final class SerialThread: Sendable {
  private let waiting = Mutex<[@Sendable () -> Void]>([])
  private let arrivals = DispatchSemaphore(value: 0)
  private let isDone = DispatchSemaphore(value: 0)

  /// Starts the thread.
  package init() throws(RenderError) {
    try SystemThread.start { [self] in
      while true {
        arrivals.wait()
        guard let work = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { break }
        work()
      }
      isDone.signal()
    }
  }

  /// Hands over a piece of work.
  package func add(_ work: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(work) }
    arrivals.signal()
  }

  /// Waits until everything is done, and ends the thread.
  package func finish() {
    arrivals.signal()
    isDone.wait()
  }
}

// MARK: Address space

/// The addresses that the process may take, where they are limited (`ulimit -v`).
///
/// Swift's runtime and drivers crash at unpredictable places where they get no memory. So the least that they need is compared with the limit before they begin.
package enum AddressSpace {
  /// What the command needs with some threads and a small picture, in bytes.
  package static let leastForCommand = 1 << 30
  /// What a Vulkan driver needs besides, which compiles on the processor.
  package static let leastForDriver = 2 << 30

  /// The bytes that the process may take in all; nil without a limit.
  private static var limit: Int? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < rlim_t(Int.max) else { return nil }
    return Int(limit.rlim_cur)
  }

  /// The bytes that are left of it; nil without a limit.
  static var free: Int? { limit.map { max(0, $0 - used) } }

  /// The first number of `/proc/self/statm`, which counts pages, in bytes; nothing is allocated for it.
  private static var used: Int {
    let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    return unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      let count = unsafe read(file, buffer.baseAddress, buffer.count)
      let digits = unsafe buffer.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
      return unsafe digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } * Int(getpagesize())
    }
  }

  /// Fails where the limit is below what something needs.
  ///
  /// - Parameters:
  ///   - byteCount: what it needs in all.
  ///   - user: what needs it: `a Vulkan driver`.
  package static func require(_ byteCount: Int, for user: String, help: [String] = []) throws(RenderError) {
    guard let limit, limit < byteCount else { return }
    throw RenderError(
      .outOfMemory, "the address space of this process is limited to \(limit >> 20) MiB, and \(user) needs \(byteCount >> 20) MiB",
      help: ["type 'ulimit -v unlimited' first, or ask the administrator to raise the limit"] + help)
  }
}

// MARK: Stacks

/// The stack of the first thread, and of those that libraries start, where it is limited (`ulimit -s`).
///
/// A thread that needs more ends the process with a signal, in the middle of whatever it does. So the limit is raised as far as that is allowed, and compared
/// with what is needed before anything is done.
package enum StackLimit {
  /// What parsing a command line and libraries need, in bytes; work that recurses has threads with stacks of their own.
  package static let least = 2 << 20
  private static let usual = 8 << 20

  /// Raises the limit to the usual one where the process may; fails where it stays too small.
  package static func prepare() throws(RenderError) {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0, limit.rlim_cur < rlim_t(usual) else { return }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(usual))
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0, limit.rlim_cur >= rlim_t(least) else {
      throw RenderError(
        .outOfMemory, "the stack of this process is limited to \(limit.rlim_cur >> 10) KiB, and etalon needs \(least >> 10) KiB",
        help: ["type 'ulimit -s \(usual >> 10)' first, or ask the administrator to raise the limit"])
    }
    setThreads(to: Int(limit.rlim_cur))
  }

  private typealias DefaultSetter = @convention(c) (UnsafeRawPointer) -> Int32

  /// Sets the stack of threads that libraries start: the C library took it from the limit that held when the process began.
  ///
  /// Its function for that is an extension, which Swift does not import.
  private static func setThreads(to byteCount: Int) {
    guard let symbol = unsafe dlsym(nil, "pthread_setattr_default_np") else { return }
    let set = unsafe unsafeBitCast(symbol, to: DefaultSetter.self)
    unsafe withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
      guard let attributes = buffer.baseAddress, unsafe pthread_attr_init(attributes) == 0 else { return }
      defer { unsafe pthread_attr_destroy(attributes) }
      unsafe pthread_attr_setstacksize(attributes, byteCount)
      _ = unsafe set(attributes)
    }
  }
}

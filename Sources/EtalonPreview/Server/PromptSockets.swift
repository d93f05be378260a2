internal import EtalonDiagnostics
internal import EtalonSystem
internal import FlyingSocks
internal import Glibc
internal import Synchronization

/// Waits for sockets on a thread of its own.
///
/// A socket that is closed while something waits for it is told as disconnected, also where its number belongs to another socket by then: a page that
/// goes away in the middle must not take what is meant for another.
///
/// **Concurrency**: usable from every task.
final class PromptSockets: AsyncSocketPool {
  private struct Waiter {
    let socket: Int32
    /// What the system calls the socket itself, whatever its number is used for later.
    let identity: UInt
    let events: Int16
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var waiters: [Int: Waiter] = [:]
    var next = 0
    /// Tasks that were cancelled before they waited.
    var cancelled: Set<Int> = []
    var isOver = false
  }

  /// Milliseconds after which sockets are looked at that were closed meanwhile.
  private static let interval: Int32 = 1000

  private let state = Mutex(State())
  /// A byte in it wakes the thread.
  private let bell: (reading: Int32, writing: Int32)

  init() throws(RenderError) {
    var ends: (Int32, Int32) = (-1, -1)
    let code = unsafe withUnsafeMutablePointer(to: &ends) {
      unsafe $0.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe pipe($0) }
    }
    guard code == 0 else {
      throw RenderError(.tryAgain, "cannot wait for sockets", operation: "pipe", underlying: unsafe String(cString: strerror(errno)))
    }
    for end in [ends.0, ends.1] {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    bell = (ends.0, ends.1)
  }

  deinit {
    close(bell.reading)
    close(bell.writing)
  }

  func prepare() async throws {}

  func run() async throws {
    try SystemThread.start { [self] in
      while look() {}
      let left = state.withLock { state in
        defer { state.waiters = [:] }
        return state.waiters.values.map(\.continuation)
      }
      for continuation in left { continuation.resume(throwing: SocketError.disconnected) }
    }
    defer {
      state.withLock { $0.isOver = true }
      ring()
    }
    while true { try await Task.sleep(for: .seconds(3600)) }
  }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    let number = socket.file.rawValue
    guard let identity = Self.identity(of: number) else { throw SocketError.disconnected }
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let wanted = (events.contains(.read) ? Int16(POLLIN) : 0) | (events.contains(.write) ? Int16(POLLOUT) : 0)
        let isTooLate = state.withLock { state in
          guard state.cancelled.remove(id) == nil, !state.isOver else { return true }
          state.waiters[id] = Waiter(socket: number, identity: identity, events: wanted, continuation: continuation)
          return false
        }
        if isTooLate { continuation.resume(throwing: CancellationError()) } else { ring() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: id)
        if waiter == nil { state.cancelled.insert(id) }
        return waiter
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
    state.withLock { _ = $0.cancelled.remove(id) }
  }

  private func ring() {
    var byte = UInt8(1)
    // A pipe that is full wakes the thread, too.
    _ = unsafe Glibc.write(bell.writing, &byte, 1)
  }

  /// Waits for something to happen, and resumes what waited for it; false at the end.
  private func look() -> Bool {
    let (waiting, isOver) = state.withLock { state in (state.waiters.map { ($0.key, $0.value) }, state.isOver) }
    guard !isOver else { return false }
    var looked = waiting.map { pollfd(fd: $0.1.socket, events: $0.1.events, revents: 0) }
    looked.append(pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0))
    _ = unsafe looked.withUnsafeMutableBufferPointer { unsafe Glibc.poll($0.baseAddress, nfds_t($0.count), Self.interval) }
    var rung: UInt64 = 0
    while unsafe Glibc.read(bell.reading, &rung, 8) > 0 {}
    for ((id, waiter), result) in zip(waiting, looked) {
      let isSame = Self.identity(of: waiter.socket) == waiter.identity
      guard result.revents != 0 || !isSame else { continue }
      guard let waiter = state.withLock({ $0.waiters.removeValue(forKey: id) }) else { continue }
      if isSame { waiter.continuation.resume() } else { waiter.continuation.resume(throwing: SocketError.disconnected) }
    }
    return true
  }

  private static func identity(of socket: Int32) -> UInt? {
    var status = stat()
    return unsafe fstat(socket, &status) == 0 ? UInt(status.st_ino) : nil
  }
}

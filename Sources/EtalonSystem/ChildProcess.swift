package import EtalonDiagnostics
internal import Foundation
internal import Synchronization

/// A process that works for this one, in a process group of its own.
///
/// Foundation's processes need a thread that watches them, and wait without end where the system gives none; here the thread that waits looks itself.
///
/// **Concurrency**: one thread waits; any thread may end it.
package final class ChildProcess: Sendable {
  /// How a process ended.
  package enum Ending: Sendable, Hashable {
    case exit(Int32)
    case signal(Int32)
  }

  /// The variable that tells a child the number of the process that it works for.
  package static let parentVariable = "ETALON_WORKS_FOR"

  private static let running = Mutex<Set<pid_t>>([])
  /// How often the process is looked at, in microseconds.
  private static let pause: useconds_t = 2000

  /// What the system calls it.
  package let number: Int32
  private let ended = Mutex<Ending?>(nil)

  /// Starts a program with nothing to read.
  ///
  /// - Parameters:
  ///   - environment: what is changed of the variables of this process; nil removes one.
  ///   - folder: its working folder; nil for that of this process.
  ///   - output: the file that gets its standard output, which is emptied first; nil for that of this process.
  ///   - errors: the same for standard error.
  ///   - staysBehind: whether it is a program of the user, such as an editor, that goes on when this process ends.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String?] = [:], folder: String? = nil, output: String?, errors: String?,
    staysBehind: Bool = false
  ) throws(RenderError) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for (number, path) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
      if let path { unsafe posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
    var changed = ProcessInfo.processInfo.environment
    for (name, value) in environment { changed[name] = value }
    changed[Self.parentVariable] = staysBehind ? nil : "\(getpid())"
    let variables = changed.map { "\($0.key)=\($0.value)" }
    // Not every C library changes the folder itself.
    let words = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0, program] + arguments } ?? [program] + arguments
    var started: pid_t = 0
    let code = unsafe Self.withCStrings(words) { pointers in
      unsafe Self.withCStrings(variables) { variables in
        unsafe posix_spawn(&started, words[0], &actions, &attributes, pointers, variables)
      }
    }
    guard code == 0 else {
      throw RenderError(
        .tryAgain, "cannot start '\(program)'", operation: "posix_spawn", underlying: unsafe String(cString: strerror(code)))
    }
    number = started
    if !staysBehind { Self.running.withLock { _ = $0.insert(started) } }
  }

  /// Starts a program of the user, such as an editor, which is found as a shell finds it, and goes on when this process ends.
  ///
  /// - Parameter ended: called on a thread of its own when it has ended; 127 stands for a program that is not there.
  package static func launch(_ words: [String], ended: @escaping @Sendable (Ending) -> Void = { _ in }) throws(RenderError) {
    let process = try ChildProcess("/usr/bin/env", words, output: nil, errors: nil, staysBehind: true)
    try SystemThread.start {
      var status: Int32 = 0
      while unsafe waitpid(process.number, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      ended(signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal))
    }
  }

  /// How the process ended, if it does within some seconds.
  package func wait(_ seconds: Double) -> Ending? {
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
      if let ending = ending() { return ending }
      if ContinuousClock.now >= end { return nil }
      usleep(Self.pause)
    }
  }

  /// Lets the process say where it is, if it does so when it aborts, and end.
  package func abort() { if ended.withLock({ $0 }) == nil { kill(number, SIGABRT) } }

  /// Ends the process at once and waits for that, which a driver may delay, for some seconds.
  package func end(within seconds: Double = 5) {
    if ended.withLock({ $0 }) == nil { kill(number, SIGKILL) }
    _ = wait(seconds)
  }

  /// Ends all processes that work for this one, at once.
  package static func endAll() { for process in running.withLock({ $0 }) { kill(process, SIGKILL) } }

  private func ending() -> Ending? {
    ended.withLock { ended in
      if let ended { return ended }
      var status: Int32 = 0
      guard unsafe waitpid(number, &status, WNOHANG) != 0 else { return nil }
      Self.running.withLock { _ = $0.remove(number) }
      let signal = status & 0x7F
      ended = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
      return ended
    }
  }

  /// Calls something with a list of C strings that ends with null.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
      guard let first = buffer.baseAddress else { preconditionFailure("a list with its end is not empty") }
      return unsafe body(first)
    }
  }
}

/// What this process must not leave behind, at whatever moment it ends.
package enum Leftovers {
  /// Ends the processes that work for this one, and removes files and folders that are not complete.
  package static func removeAll() {
    ChildProcess.endAll()
    TemporaryFiles.removeAll()
  }
}

// MARK: work for another process

/// The lines of a file that another process writes, as they come.
package struct GrowingLines {
  private let path: String
  private var offset: UInt64 = 0
  private var rest: [UInt8] = []

  package init(path: String) { self.path = path }

  /// The lines that became whole since the last call; empty ones are left out.
  package mutating func next() -> [[UInt8]] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    guard (try? file.seek(toOffset: offset)) != nil, let data = try? file.readToEnd(), !data.isEmpty else { return [] }
    offset += UInt64(data.count)
    rest += data
    guard let end = rest.lastIndex(of: 0x0A) else { return [] }
    defer { rest.removeSubrange(...end) }
    return rest[..<end].split(separator: 0x0A).map(Array.init)
  }
}

/// Ends a process that works for another one as soon as that one is gone: its results would not be read, and it may keep a device busy for hours.
///
/// A process that is killed cannot end those that work for it, and a terminal sends ^C only to its foreground process group.
package enum ParentWatch {
  /// In seconds.
  private static let pause = 0.1
  /// Held by the thread that ends the process.
  private static let ending = NSLock()

  /// Watches from a thread of its own; does nothing in a process that was started by hand.
  ///
  /// - Parameter taskFile: lies in the folder that both share, which goes with the last of them; nil where they share none.
  package static func begin(taskFile: String? = nil) {
    guard let parent = ProcessInfo.processInfo.environment[ChildProcess.parentVariable].flatMap({ pid_t($0) }) else { return }
    let folder = taskFile.map { URL(filePath: $0).deletingLastPathComponent() }
    // Without a thread the process works on to its end.
    try? SystemThread.start {
      while getppid() == parent { Thread.sleep(forTimeInterval: pause) }
      ending.lock()
      if let folder, TemporaryFiles.isName(folder.lastPathComponent) { try? FileManager.default.removeItem(at: folder) }
      kill(getpid(), SIGKILL)
    }
  }

  /// Lets a process whose folder is being removed wait for its end here, so that it reports no missing files.
  package static func letEnd() { ending.withLock {} }
}

// MARK: Cancellation

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

  /// Takes the wish back, for those who go on with other work under the same token; nothing that looks at it may be under way.
  package func renew() { unsafe flag.pointee.store(0, ordering: .relaxed) }

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

import EtalonDiagnostics
import Foundation
import Synchronization

/// Writes whole texts to standard output, where results go, and remembers when nobody could take them.
///
/// **Concurrency**: usable from every thread; texts of several threads do not mix.
enum StandardOutput {
  private static let failure = Mutex<Int32?>(nil)

  /// Writes a text, without characters that a terminal would obey; after a failure nothing more is written.
  static func write(_ text: String) {
    failure.withLock { failure in
      if failure == nil { failure = StandardStreams.write(Array(text.printable.utf8), to: STDOUT_FILENO) }
    }
  }

  /// Writes bytes; throws when nobody could take them, which `exitCode` knows too.
  static func write(_ bytes: [UInt8]) throws(RenderError) {
    let code = failure.withLock { failure in
      if failure == nil { failure = StandardStreams.write(bytes, to: STDOUT_FILENO) }
      return failure
    }
    guard let code else { return }
    throw RenderError(
      .cannotWrite, "cannot write to standard output", operation: "write", underlying: unsafe String(cString: strerror(code)))
  }

  /// Whether a text could not be written, so that more work would be in vain.
  static var hasFailed: Bool { failure.withLock { $0 != nil } }

  /// The exit code that a failure asks for, nil without one.
  ///
  /// A reader that left, as in `etalon devices | head -1`, is no mistake: the command ends as if the broken pipe had ended it.
  static func exitCode(_ report: (RenderError) -> Void) -> Int32? {
    guard let code = failure.withLock({ $0 }) else { return nil }
    if code == EPIPE { return 128 + SIGPIPE }
    report(
      RenderError(.cannotWrite, "cannot write to standard output", operation: "write", underlying: unsafe String(cString: strerror(code))))
    return ExitCode.cannotWrite.rawValue
  }
}

/// Writes whole texts to standard error, so that lines of several threads do not mix.
enum StandardError {
  /// Writes a text, without characters that a terminal would obey.
  static func write(_ text: String) {
    _ = StandardStreams.write(Array(text.printable.utf8), to: STDERR_FILENO)
  }

  /// Writes a line; on a terminal over the one that the cursor is in.
  static func line(_ text: String) { if isatty(STDERR_FILENO) == 1 { rewrite(text + "\n") } else { write(text + "\n") } }

  /// Writes a text over the line that the cursor of a terminal is in.
  static func rewrite(_ text: String) {
    _ = StandardStreams.write(Array("\r\u{1B}[K\(text.printable)".utf8), to: STDERR_FILENO)
  }
}

enum StandardStreams {
  /// Makes sure that files which are opened later never take the place of a standard stream, and that no failed write
  /// ends the process.
  static func prepare() {
    // A file that may not grow any more, as under 'ulimit -f', is a failed write, too.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
      // The lowest free descriptor is this one. The null device is opened the other way round, so that using it fails as a closed stream does.
      _ = unsafe open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes everything; the `errno` of the call that failed otherwise.
  fileprivate static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return nil
  }
}

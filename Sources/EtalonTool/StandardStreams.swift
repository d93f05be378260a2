import ArgumentParser
import EtalonDiagnostics
import Foundation
import Synchronization

/// Writes whole texts to standard output, where results go, and remembers when a write failed.
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

  /// Writes bytes; throws when the write fails, which `exitCode` reports as well.
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
  /// A reader that left, as in `etalon devices | head -1`, is no error: the command ends as if the broken pipe had ended it.
  static func exitCode(_ report: (RenderError) -> Void) -> Int32? {
    guard let code = failure.withLock({ $0 }) else { return nil }
    if code == EPIPE { return 128 + SIGPIPE }
    report(
      RenderError(.cannotWrite, "cannot write to standard output", operation: "write", underlying: unsafe String(cString: strerror(code))))
    return EtalonDiagnostics.ExitCode.cannotWrite.rawValue
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

/// How diagnostics are printed.
enum DiagnosticsFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// Prints what went wrong on standard error and turns it into the exit code of the command.
struct FailureReport {
  let format: DiagnosticsFormat

  /// Prints diagnostics, warnings among them.
  func print(_ diagnostics: [Diagnostic]) {
    guard !diagnostics.isEmpty else { return }
    switch format {
    case .text: StandardError.write(DiagnosticPrinter().text(diagnostics))
    case .json: StandardError.write(DiagnosticJSON().text(diagnostics))
    }
  }

  /// Prints an error of any kind and returns the exit code that belongs to it.
  func exitCode(for error: any Error) -> EtalonDiagnostics.ExitCode {
    switch error {
    case let error as DiagnosticsError:
      print(error.diagnostics)
      return .invalidInput
    case let error as UsageError:
      print(error.diagnostics)
      return .usage
    case let error as RenderError where error.code == .interrupted && Interruption.shared.signalNumber != nil:
      Interruption.shared.cutShort()
      return .tryAgain
    case let error as RenderError:
      print(error)
      return EtalonDiagnostics.ExitCode(error.code)
    default:
      print(RenderError(.internalError, "\(error)"))
      return .internalError
    }
  }

  private func print(_ error: RenderError) {
    switch format {
    case .text: StandardError.write(error.text)
    case .json: StandardError.write(DiagnosticJSON().text(error.diagnostics))
    }
  }
}

// MARK: forms of text

/// JSON for programs, in one line; keys are sorted, so equal values give equal bytes.
enum JSONText {
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { preconditionFailure("strings and finite numbers always encode") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

/// Rows of text in columns that line up.
struct TextTable {
  private var rows: [[String]] = []

  /// Adds a row; later columns may be missing.
  mutating func add(_ row: [String]) { rows.append(row) }

  /// One line for each row, indented; nothing stands behind the last word of a line, and columns that are empty everywhere are left out.
  func lines(indent: Int = 2) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.columnCount)
      }
    }
    return rows.map { row in
      let cells = row.indices.filter { widths[$0] > 0 }.map { row[$0].padded(to: widths[$0]) }
      let line = String(repeating: " ", count: indent) + cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

extension String {
  /// The text with blanks behind it.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columnCount)) }

  /// The text on one line, without characters that move the cursor of a terminal, because it comes from an untrusted file.
  var onOneLine: String {
    withoutControls.split(separator: " ").joined(separator: " ")
  }
}

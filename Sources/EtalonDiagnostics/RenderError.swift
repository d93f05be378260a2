public import Foundation

/// What the world did while Etalon worked: a file is missing, a disk is full, a device was lost.
///
/// **Concurrency**: an immutable value.
public struct RenderError: Error, Sendable, Hashable {
  /// The class of the failure, which fixes the exit code of the command.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The command line makes no sense.
    case usage
    /// An input file, value or graph is wrong in a way that has no place in a text.
    case invalidInput
    /// An input is missing or cannot be read.
    case missingInput
    /// No usable device.
    case noDevice
    /// A result cannot be written.
    case cannotWrite
    /// Some frames failed under `--keep-going`.
    case someFramesFailed
    /// Something took longer than it may.
    case timedOut
    /// The driver gave the device up.
    case deviceLost
    /// There is not enough memory, on the device or beside it.
    case outOfMemory
    /// A loop of a shader does not end, or not soon enough.
    case endlessLoop
    /// A signal, or the task that waits, asked for an end before it was done.
    case interrupted
    /// The device or the system refused something for another reason: the same command may work later.
    case tryAgain
    /// A defect of Etalon.
    case internalError
  }

  /// The class of the failure.
  public let code: Code
  /// What could not be done, such as `cannot read 'photo.png'`.
  public let message: String
  /// The system call or library function that failed, if one did.
  public let operation: String?
  /// What that call said: an `errno` text, a `VkResult` name.
  public let underlying: String?
  /// What to type or try instead.
  public let help: [String]
  /// Where it was asked for, such as the path of a picture in a graph document; empty where nothing was written.
  public let labels: [Diagnostic.Label]
  /// The line of a text made by Etalon that it is about, for those who know what an author wrote there.
  package private(set) var generatedLine: GeneratedLine?
  /// What failed besides and was found with it, such as the other pictures of a graph document that are missing.
  public private(set) var others: [RenderError] = []

  /// Describes one failure.
  public init(
    _ code: Code, _ message: String, operation: String? = nil, underlying: String? = nil, help: [String] = [],
    labels: [Diagnostic.Label] = []
  ) {
    self.code = code
    self.message = message
    self.operation = operation
    self.underlying = underlying
    self.help = help
    self.labels = labels
  }

  /// The text for a person, ending in a newline: `error: cannot write 'a.png': no space left on device (write)`.
  public var text: String { ownText + others.map(\.text).joined() }

  private var ownText: String {
    guard labels.isEmpty else { return DiagnosticPrinter().text([diagnostic]) }
    var out = "error: \(message.withoutControls)"
    if let underlying { out += ": \(underlying.withoutControls)" }
    if let operation { out += " (\(operation))" }
    out += "\n"
    for line in help { out += "  = help: \(line.withoutControls)\n" }
    return out
  }
}

/// A line of the GLSL that Etalon makes of an author's text.
///
/// **Concurrency**: an immutable value.
package struct GeneratedLine: Sendable, Hashable {
  /// What the text is called: the filter and the pass, such as `plasma.image`.
  package let text: String
  /// Counted from one.
  package let line: Int
  /// The variable that is declared there or behind it, where it is about one.
  package let variable: String?

  package init(text: String, line: Int, variable: String?) { (self.text, self.line, self.variable) = (text, line, variable) }
}

extension RenderError: CustomStringConvertible, LocalizedError {
  /// The text that the command prints, without the last newline.
  public var description: String { String(text.dropLast()) }

  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension RenderError {
  /// The same failure with the place where it was asked for; a place that the failure has already is kept.
  public func asked(at label: Diagnostic.Label) -> RenderError {
    RenderError(
      code, message, operation: operation, underlying: underlying, help: help, labels: labels.isEmpty ? [label] : labels
    ).joined(with: others)
  }

  /// The same failure with the line of a text made by Etalon that it is about.
  package func about(_ line: GeneratedLine?) -> RenderError {
    var error = self
    error.generatedLine = line
    return error
  }

  /// The same failure with what was being done: `cannot start a thread while compiling 'plasma'`.
  package func `while`(_ doing: String) -> RenderError {
    RenderError(code, "\(message) while \(doing)", operation: operation, underlying: underlying, help: help, labels: labels).joined(
      with: others)
  }

  /// The same failure with others that were found with it.
  public func joined(with others: [RenderError]) -> RenderError {
    var joined = self
    joined.others += others.filter { $0 != self && !joined.others.contains($0) }
    return joined
  }

  /// The failure and those that were found with it as diagnostics.
  public var diagnostics: [Diagnostic] { [diagnostic] + others.flatMap(\.diagnostics) }

  /// The same failure as a diagnostic, for output that knows only diagnostics.
  public var diagnostic: Diagnostic {
    let call = operation.map { " (\($0))" } ?? ""
    return Diagnostic(
      "render.\(code.word)", [message, underlying].compactMap(\.self).joined(separator: ": ") + call, labels: labels, help: help)
  }
}

extension RenderError.Code {
  /// Whether the same command may work later, although nothing works with the device as it is now.
  public var isTemporary: Bool { ExitCode(self) == .tryAgain }

  /// The class in the ids of diagnostics: `missing-input`.
  public var word: String {
    rawValue.reduce(into: "") { word, letter in word += letter.isUppercase ? "-" + letter.lowercased() : String(letter) }
  }
}

// MARK: Exit codes

/// The exit codes of every command, after `sysexits.h` where it has a word for it.
public enum ExitCode: Int32, Sendable, CaseIterable {
  /// Fine; warnings may have been printed.
  case success = 0
  /// Pictures differ.
  case picturesDiffer = 1
  /// The command line makes no sense (`EX_USAGE`).
  case usage = 64
  /// A filter, value or graph is wrong (`EX_DATAERR`).
  case invalidInput = 65
  /// An input is missing (`EX_NOINPUT`).
  case missingInput = 66
  /// No usable device (`EX_UNAVAILABLE`).
  case noDevice = 69
  /// A defect of Etalon (`EX_SOFTWARE`).
  case internalError = 70
  /// A result cannot be written (`EX_CANTCREAT`).
  case cannotWrite = 73
  /// Some frames failed under `--keep-going` (`EX_IOERR`).
  case someFramesFailed = 74
  /// Device lost, time-out or no memory: try again (`EX_TEMPFAIL`).
  case tryAgain = 75

  /// The exit code of a failure.
  public init(_ code: RenderError.Code) {
    self =
      switch code {
      case .usage: .usage
      case .invalidInput, .endlessLoop: .invalidInput
      case .missingInput: .missingInput
      case .noDevice: .noDevice
      case .cannotWrite: .cannotWrite
      case .someFramesFailed: .someFramesFailed
      case .timedOut, .deviceLost, .outOfMemory, .interrupted, .tryAgain: .tryAgain
      case .internalError: .internalError
      }
  }
}

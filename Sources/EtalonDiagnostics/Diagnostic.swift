public import Foundation

/// What is wrong with something that a person wrote: where, why, and what to type instead.
///
/// A diagnostic is data; `DiagnosticPrinter` and `DiagnosticJSON` give it a form. Messages are lower case without a full stop and put names in
/// single quotes.
///
/// **Concurrency**: an immutable value.
public struct Diagnostic: Sendable, Hashable {
  /// How bad it is; warnings do not stop anything.
  public enum Severity: String, Sendable, Hashable, Codable {
    case error, warning, note
  }

  /// A place in a text with two or three words about it.
  public struct Label: Sendable, Hashable {
    /// The text that the range is in.
    public let source: SourceText
    /// UTF-8 byte offsets into `source`; an empty range points between two bytes.
    public let range: Range<Int>
    /// What is wrong right here; may be empty.
    public let message: String

    /// Points at a range of a text.
    public init(_ source: SourceText, _ range: Range<Int>, _ message: String = "") {
      self.source = source
      self.range = range
      self.message = message
    }

    /// The same place with other words.
    package func worded(_ message: String) -> Label { Label(source, range, message) }
  }

  /// A stable name such as `glsl.undeclared-identifier`, for scripts and for searching.
  public let id: String
  /// How bad it is.
  public let severity: Severity
  /// One sentence, lower case, without a full stop.
  public let message: String
  /// The places it is about; the first is the one it is listed under.
  public let labels: [Label]
  /// What to type instead.
  public let help: [String]
  /// What else is worth knowing.
  public let notes: [String]

  /// Describes one error.
  public init(
    _ id: String, _ message: String, severity: Severity = .error, labels: [Label] = [], help: [String] = [], notes: [String] = []
  ) {
    self.id = id
    self.severity = severity
    self.message = message
    self.labels = labels
    self.help = help
    self.notes = notes
  }
}

/// A place in one of the author's files.
package struct SourceRange: Sendable, Hashable {
  package let source: SourceText
  /// UTF-8 byte offsets into `source`.
  package let range: Range<Int>

  package init(_ source: SourceText, _ range: Range<Int>) {
    self.source = source
    self.range = range
  }

  /// Hashes the place but not the whole text, which thousands of places share.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(source.path)
    hasher.combine(range)
  }

  /// The place in a diagnostic, with two or three words about it.
  package func label(_ message: String = "") -> Diagnostic.Label { Diagnostic.Label(source, range, message) }
}

/// Everything that is wrong with what a person wrote, found in one go.
///
/// **Concurrency**: an immutable value.
public struct DiagnosticsError: Error, Sendable, Hashable {
  /// In the order of their places; holds at least one error.
  public let diagnostics: [Diagnostic]

  /// Wraps diagnostics of which at least one is an error.
  public init(_ diagnostics: [Diagnostic]) {
    precondition(diagnostics.contains { $0.severity == .error }, "a DiagnosticsError without an error")
    self.diagnostics = diagnostics
  }

  /// Wraps one error.
  public init(_ diagnostic: Diagnostic) {
    self.init([diagnostic])
  }
}

extension DiagnosticsError: CustomStringConvertible, LocalizedError {
  /// The text that the command prints, without the last newline.
  public var description: String { String(DiagnosticPrinter().text(diagnostics).dropLast()) }

  /// The same as `description`.
  public var errorDescription: String? { description }
}

// MARK: Texts

/// A text that a person wrote, with the name they know it by.
///
/// Positions inside are UTF-8 byte offsets, so that they mean the same to every stage that the text goes through.
///
/// **Concurrency**: an immutable value.
public struct SourceText: Sendable, Hashable {
  /// The path as the user typed it, or a name in angle brackets (`<stdin>`).
  public let path: String
  /// The UTF-8 bytes of the text.
  public let bytes: [UInt8]
  /// The byte offset at which each line starts; the first is 0.
  private let lineStarts: [Int]

  /// Indexes the lines of a text.
  ///
  /// `\n`, `\r\n` and `\r` end a line.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    var starts = [0]
    for (index, byte) in bytes.enumerated() {
      let endsLine = byte == 0x0A || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A))
      if endsLine { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  /// Indexes the lines of a string.
  public init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// The text as a string; bytes that are not UTF-8 become U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The number of lines, at least 1.
  public var lineCount: Int { lineStarts.count }

  /// The bytes of a line (1-based) without its line ending.
  public func byteRange(ofLine line: Int) -> Range<Int> {
    precondition((1...lineCount).contains(line), "line \(line) of \(lineCount)")
    let start = lineStarts[line - 1]
    var end = line < lineCount ? lineStarts[line] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  /// The text of a line (1-based) without its line ending.
  public func line(_ line: Int) -> String {
    String(decoding: bytes[byteRange(ofLine: line)], as: UTF8.self)
  }

  /// The line and column (both 1-based, the column in Unicode scalars) of a byte offset.
  public func position(at offset: Int) -> (line: Int, column: Int) {
    let offset = min(max(offset, 0), bytes.count)
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let column = String(decoding: bytes[lineStarts[low]..<offset], as: UTF8.self).unicodeScalars.count
    return (low + 1, column + 1)
  }
}

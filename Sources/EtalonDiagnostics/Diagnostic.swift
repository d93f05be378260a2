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

  /// Describes one mistake.
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

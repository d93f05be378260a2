import Foundation

/// Writes diagnostics as versioned JSON for programs; keys are sorted, so equal diagnostics give equal bytes.
///
/// `{"version": 1, "diagnostics": [{"id", "severity", "message", "help": [], "notes": [], "labels": [{"path", "message",
/// "start": {"line", "column", "byte"}, "end": {…}}]}]}`. Lines and columns start at 1, columns count Unicode scalars, bytes start at 0.
public struct DiagnosticJSON: Sendable {
  private struct Document: Encodable {
    let version: Int
    let diagnostics: [Entry]
  }
  private struct Entry: Encodable {
    let id: String
    let severity: Diagnostic.Severity
    let message: String
    let labels: [Place]
    let help: [String]
    let notes: [String]
  }
  private struct Place: Encodable {
    let path: String
    let message: String
    let start: Position
    let end: Position
  }
  private struct Position: Encodable {
    let line: Int
    let column: Int
    let byte: Int
  }

  /// Makes a writer.
  public init() {}

  /// One line of JSON with all diagnostics, ending in a newline.
  public func text(_ diagnostics: [Diagnostic]) -> String {
    let entries = diagnostics.map { diagnostic in
      Entry(
        id: diagnostic.id, severity: diagnostic.severity, message: diagnostic.message, labels: diagnostic.labels.map(place),
        help: diagnostic.help, notes: diagnostic.notes)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Document(version: 1, diagnostics: entries)) else {
      preconditionFailure("strings and integers always encode")
    }
    return String(decoding: data, as: UTF8.self).printable + "\n"
  }

  private func place(_ label: Diagnostic.Label) -> Place {
    Place(
      path: label.source.path, message: label.message, start: position(label.source, label.range.lowerBound),
      end: position(label.source, label.range.upperBound))
  }

  private func position(_ source: SourceText, _ offset: Int) -> Position {
    let (line, column) = source.position(at: offset)
    return Position(line: line, column: column, byte: offset)
  }
}

internal import EtalonDiagnostics

/// A diagnostic as a page shows it.
struct PageDiagnostic: Encodable, Sendable {
  let severity: String
  /// The number of the file among those of the state; nil for a place in none of them.
  let file: Int?
  let path: String?
  let line: Int?
  let column: Int?
  /// Characters that are marked.
  let length: Int?
  let message: String
  let label: String?
  /// What the command prints about it.
  let excerpt: String
  let help: String?
  let code: String

  /// - Parameter files: the paths of the files of the state.
  init(_ diagnostic: Diagnostic, files: [String]) {
    let label = diagnostic.labels.first
    let place = label.map { $0.source.position(at: $0.range.lowerBound) }
    // A text inside of a file has a path with a `#`, as `export.json#image` has.
    let path = label.map { String($0.source.path.prefix { $0 != "#" }) }
    severity = diagnostic.severity.rawValue
    file = path.flatMap { files.firstIndex(of: $0) }
    self.path = label?.source.path
    (line, column) = (place?.line, place?.column)
    length = label.map { max(1, String(decoding: $0.source.bytes[$0.range], as: UTF8.self).unicodeScalars.count) }
    message = diagnostic.message
    self.label = label.flatMap { $0.message.isEmpty ? nil : $0.message }
    excerpt = String(DiagnosticPrinter().text([diagnostic]).dropLast())
    help = diagnostic.help.isEmpty ? nil : diagnostic.help.joined(separator: "\n")
    code = diagnostic.id
  }
}

/// What went wrong, as diagnostics, whatever kind of error it was.
func diagnostics(of error: any Error) -> [Diagnostic] {
  switch error {
  case let error as DiagnosticsError: error.diagnostics
  case let error as RenderError: error.diagnostics
  default: [Diagnostic("internal.error", "\(error)")]
  }
}

internal import EtalonDiagnostics
internal import EtalonManifest

/// Turns the compiler's messages into diagnostics at the author's text.
///
/// They stay in the compiler's order. Messages that only follow from an earlier one are left out, and nothing is said behind the first place that
/// the grammar cannot follow.
struct ErrorMapper {
  private let pass: PassSource
  private let lines: TokenLines
  private let fileName: String

  init(pass: PassSource, lines: TokenLines, fileName: String) {
    self.pass = pass
    self.lines = lines
    self.fileName = fileName
  }

  /// The errors and warnings of a log that has at least one error.
  func error(of log: String) -> DiagnosticsError {
    let found = diagnostics(of: log)
    guard found.contains(where: { $0.severity == .error }) else { return DiagnosticsError(found + [unplaced(log)]) }
    return DiagnosticsError(found)
  }

  /// Everything that a log says.
  func diagnostics(of log: String) -> [Diagnostic] {
    guard !log.isEmpty else { return [] }
    let messages = CompilerMessage.parse(log, fileName: fileName)
    guard !messages.isEmpty else { return [] }
    let tokens = TokenListing(lines)
    let macros = MacroTable(tokens.directives)
    let names = NameListing(tokens, pass: pass)
    let locator = MessageLocator(tokens: tokens, macros: macros)
    var filter = ConsequenceFilter(tokens)
    var out: [Diagnostic] = []
    for (index, message) in messages.enumerated() where !isRepeated(message, by: messages.dropFirst(index + 1).first) {
      let place = locator.place(of: message)
      let context = MessageContext(
        message: message, tokens: tokens, macros: macros, names: names, token: place.token, directive: place.directive,
        expansion: place.expansion)
      guard let finding = MessageTable.rules.lazy.compactMap({ $0(context) }).first else { continue }
      guard filter.admits(finding, at: place.token, isWarning: message.severity == .warning) else { continue }
      let diagnostic = Placer(tokens).diagnostic(finding, in: context)
      if !out.contains(diagnostic) { out.append(diagnostic) }
    }
    return out
  }

  /// Whether the next message says the same more precisely: an argument for an `out` parameter is first reported as an assignment.
  private func isRepeated(_ message: CompilerMessage, by next: CompilerMessage?) -> Bool {
    guard let next else { return false }
    return message.text.hasPrefix("l-value required") && next.text.hasPrefix("Non-L-value") && next.line == message.line
  }

  /// The compiler failed and said nothing that could be read.
  private func unplaced(_ log: String) -> Diagnostic {
    Diagnostic(
      "internal.compiler", "the GLSL compiler failed on pass '\(pass.name)' without a reason that etalon understands",
      help: ["this is a mistake of etalon: please report it together with the shader"], notes: log.isEmpty ? [] : [log])
  }
}

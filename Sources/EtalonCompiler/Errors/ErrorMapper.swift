internal import EtalonDiagnostics
internal import EtalonManifest

/// Turns the compiler's messages into diagnostics at the author's text.
///
/// They stay in the compiler's order. Messages that only follow from an earlier one are left out, and nothing is said behind the first place that
/// the grammar cannot follow. A text with thousands of mistakes gets a few errors and the number of the others, because finding the place
/// and the words for each takes a look at the text around it.
struct ErrorMapper {
  /// The most errors, and the most warnings, that are told about a text.
  static let mostDiagnostics = 20
  /// The most messages that are looked at, whether they are told or only follow from others.
  private static let mostMessages = 1000

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
    var counts: [Diagnostic.Severity: Int] = [:]
    var untold: [CompilerMessage] = []
    for (index, message) in messages.enumerated() where !isRepeated(message, by: messages.dropFirst(index + 1).first) {
      if filter.isOver, message.severity == .error { continue }
      guard counts[message.severity, default: 0] < Self.mostDiagnostics, index < Self.mostMessages else {
        untold.append(message)
        continue
      }
      let place = locator.place(of: message)
      let context = MessageContext(
        message: message, tokens: tokens, macros: macros, names: names, token: place.token, directive: place.directive,
        expansion: place.expansion)
      guard let finding = MessageTable.rules.lazy.compactMap({ $0(context) }).first else { continue }
      guard filter.admits(finding, at: place.token, isWarning: message.severity == .warning) else { continue }
      let diagnostic = Placer(tokens).diagnostic(finding, in: context)
      guard !out.contains(diagnostic) else { continue }
      out.append(diagnostic)
      counts[message.severity, default: 0] += 1
    }
    if let first = untold.first { out.append(more(untold.count, from: locator.place(of: first), tokens)) }
    return out
  }

  /// Says how much is not told, and where the first of it is.
  private func more(_ count: Int, from place: MessageLocator.Place, _ tokens: TokenListing) -> Diagnostic {
    let origin = place.token.flatMap { tokens.origin($0...$0) } ?? place.directive
    return Diagnostic(
      "glsl.more", "the compiler has \(count) more \(count == 1 ? "message" : "messages") about pass '\(pass.name)'", severity: .note,
      labels: origin.map { [.init($0.source, $0.range, "the next one")] } ?? [],
      help: ["mend the others first: these may only follow from them"])
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

internal import EtalonDiagnostics
internal import EtalonManifest

/// Puts findings at their places in the author's text.
struct Placer {
  private let tokens: TokenListing

  init(_ tokens: TokenListing) { self.tokens = tokens }

  func diagnostic(_ finding: Finding, in context: MessageContext) -> Diagnostic {
    var labels: [Diagnostic.Label] = []
    var notes = finding.notes
    if let macro = context.expansion, let token = context.token {
      labels = expansionLabels(finding, macro, use: token, context)
      if macro.origin != nil { notes.append("it comes from macro '\(macro.name)'") }
    } else if let place = finding.mark.flatMap({ range($0) }) {
      labels = [.init(place.source, place.range, finding.label)]
    }
    guard !labels.isEmpty || context.message.line == nil else { return inOurText(finding, context) }
    labels += finding.others.compactMap { other in range(other.mark).map { .init($0.source, $0.range, other.label) } }
    return Diagnostic(
      finding.id, finding.message, severity: context.message.severity, labels: labels, help: finding.help, notes: notes)
  }

  /// First the use, then the word in the definition.
  private func expansionLabels(
    _ finding: Finding, _ macro: MacroTable.Macro, use token: Int, _ context: MessageContext
  ) -> [Diagnostic.Label] {
    guard let use = range(.tokens(token...token)) else { return [] }
    guard let definition = context.macros.definition(of: context.message.subject, startingAt: macro) else {
      return [.init(use.source, use.range, finding.label)]
    }
    return [
      .init(use.source, use.range, "used here"), .init(definition.place.source, definition.place.range, finding.label),
    ]
  }

  private func range(_ mark: Finding.Mark) -> SourceRange? {
    switch mark {
    case .source(let range): return range
    case .tokens(let range):
      if let origin = tokens.origin(range) { return origin }
      return range.lazy.compactMap { tokens.tokens[$0].origin }.first
    case .after(let index):
      guard let origin = tokens.tokens[index].origin else { return nil }
      return SourceRange(origin.source, origin.range.upperBound..<origin.range.upperBound)
    }
  }

  /// The compiler found fault with text that Etalon wrote around the author's.
  private func inOurText(_ finding: Finding, _ context: MessageContext) -> Diagnostic {
    let near = context.token.flatMap { token in
      tokens.tokens[..<token].last { $0.origin != nil }?.origin ?? tokens.tokens[token...].first { $0.origin != nil }?.origin
    }
    return Diagnostic(
      "internal.generated-source", "the code that etalon wrote around the shader does not compile: \(finding.message)",
      severity: context.message.severity, labels: near.map { [.init($0.source, $0.range, "near this")] } ?? [],
      help: ["this is a mistake of etalon: please report it together with the shader"], notes: ["at '\(context.tokenText)'"])
  }
}

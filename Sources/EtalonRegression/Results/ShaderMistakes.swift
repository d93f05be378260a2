internal import EtalonDiagnostics
internal import EtalonTypes

/// A mistake in a file that keeps cases from being rendered, at its place.
package struct CaseMistake: Sendable, Hashable, Codable {
  package let id: String
  package let message: String
  package let path: String
  /// From 1 on.
  package let line: Int
  package let column: Int

  /// Nil for what has no place in a text.
  init?(_ diagnostic: Diagnostic) {
    guard diagnostic.severity == .error, let place = diagnostic.labels.first else { return nil }
    let position = place.source.position(at: place.range.lowerBound)
    (id, message, path) = (diagnostic.id, diagnostic.message, place.source.path)
    (line, column) = (position.line, position.column)
  }

  /// `glow.glsl:3:12: undeclared identifier 'colr' [glsl.undeclared-identifier]`.
  package var text: String { "\(path):\(line):\(column): \(message) [\(id)]" }
}

/// Cases that could not run because of the same mistakes in files that they share, such as a shader.
package struct SharedMistakes: Sendable {
  /// At least one.
  package let mistakes: [CaseMistake]
  /// In the order of the results.
  package let cases: [CaseResult]

  /// `3 cases could not run because of glow.glsl:3:12: undeclared identifier 'colr' [glsl.undeclared-identifier]`.
  package var text: String {
    let more = mistakes.count > 1 ? " (and \(mistakes.count - 1) more)" : ""
    return "\(cases.count.of("case")) could not run because of \(mistakes[0].text)\(more)"
  }

  /// Whether each case would say the same.
  package var isShared: Bool { cases.count > 1 }
}

extension TestResults {
  /// What keeps cases from running, each with all of its cases, in the order of the first of them.
  package var sharedMistakes: [SharedMistakes] {
    var order: [[CaseMistake]] = []
    var groups: [[CaseMistake]: [CaseResult]] = [:]
    for result in cases {
      guard result.verdict == .invalid, let mistakes = result.mistakes, !mistakes.isEmpty else { continue }
      if groups[mistakes] == nil { order.append(mistakes) }
      groups[mistakes, default: []].append(result)
    }
    return order.map { SharedMistakes(mistakes: $0, cases: groups[$0] ?? []) }
  }
}

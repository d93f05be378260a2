internal import EtalonDiagnostics

/// The result under the name that other players give it: a text that writes `fragColor` and declares it nowhere means `gl_FragColor`.
struct ISFForeignResult {
  private(set) var diagnostics: [Diagnostic] = []

  private static let foreign = "fragColor"
  private static let own = "gl_FragColor"

  /// Renames it in the tokens and says so once.
  ///
  /// - Parameter declared: names that the header declares.
  init(renamedIn tokens: inout [Token], declared: Set<String>) {
    let places = tokens.indices.filter { tokens[$0].isName(Self.foreign) }
    guard let first = places.first, !declared.contains(Self.foreign) else { return }
    let isOwnWritten = tokens.contains { $0.isName(Self.own) || $0.isName("gl_FragData") }
    guard !isOwnWritten, !places.contains(where: { Self.declares($0, tokens) }) else { return }
    tokens.rename([Self.foreign: Self.own])
    diagnostics.append(
      Diagnostic(
        "isf.frag-color", "'\(Self.foreign)' is declared nowhere, so it is read as '\(Self.own)'", severity: .warning,
        labels: tokens.labels(at: [first], "not declared"), help: ["write '\(Self.own)'"]))
  }

  /// Whether a name stands behind a type, another declared name or `#define`.
  private static func declares(_ place: Int, _ tokens: [Token]) -> Bool {
    guard let before = tokens.previous(before: place) else { return false }
    if tokens[before].kind == .identifier { return !["return", "else"].contains(tokens[before].text) }
    return tokens[before].isMark(",") && !isArgument(before, tokens)
  }

  /// Whether a comma stands within brackets.
  private static func isArgument(_ comma: Int, _ tokens: [Token]) -> Bool {
    var depth = 0
    var place = tokens.previous(before: comma)
    while let current = place, !tokens[current].isMark(";"), !tokens[current].isMark("{"), !tokens[current].isMark("}") {
      if tokens[current].isMark(")") { depth += 1 }
      if tokens[current].isMark("(") { depth -= 1 }
      if depth < 0 { return true }
      place = tokens.previous(before: current)
    }
    return false
  }
}

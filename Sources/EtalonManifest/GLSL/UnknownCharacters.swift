internal import EtalonDiagnostics

/// Finds characters that GLSL does not know, such as typographic quotes that a web page put in the place of plain ones.
///
/// Branches of conditions are left to the compiler, because text that is switched off may hold anything.
package enum UnknownCharacters {
  private static let mostReported = 20

  static func diagnostics(in tokens: [Token]) -> [Diagnostic] {
    var conditions = 0
    var found: [Diagnostic] = []
    for index in tokens.indices where found.count < mostReported {
      if tokens[index].isInDirective {
        conditions += change(at: index, tokens)
      } else if conditions == 0, tokens[index].kind == .other {
        found.append(diagnostic(for: tokens[index], tokens, index))
      }
    }
    return found
  }

  /// 1 where a condition begins, -1 where it ends.
  private static func change(at index: Int, _ tokens: [Token]) -> Int {
    guard tokens[index].kind == .identifier, let hash = tokens.previous(before: index), tokens[hash].isMark("#") else { return 0 }
    switch tokens[index].text {
    case "if", "ifdef", "ifndef": return 1
    case "endif": return -1
    default: return 0
    }
  }

  private static func diagnostic(for token: Token, _ tokens: [Token], _ index: Int) -> Diagnostic {
    let shown = token.origin.map { name($0) } ?? scalarName(token.text)
    let lookalikes = ["\u{2212}": "-", "\u{2013}": "-", "\u{D7}": "*", "\u{2018}": "'", "\u{2019}": "'", "\u{FF1B}": ";", "\u{FF0C}": ","]
    let help = lookalikes[token.text].map { ["write '\($0)'"] } ?? []
    return Diagnostic(
      "glsl.unknown-character", "unknown character \(shown)", labels: tokens.labels(at: [index], "not part of GLSL"), help: help)
  }

  /// The first character in a part of a text that GLSL does not know, what to call it and where it is; nil when there is none.
  package static func first(in part: SourceRange) -> (name: String, place: SourceRange)? {
    // With blanks in front, places are those of the whole text.
    let bytes = Array(repeating: UInt8(ascii: " "), count: part.range.lowerBound) + part.source.bytes[part.range]
    let token = Lexer.tokens(of: SourceText(path: part.source.path, bytes: bytes)).first { $0.kind == .other }
    return token?.origin.map { SourceRange(part.source, $0.range) }.map { (name($0), $0) }
  }

  /// What to call the character that an author wrote.
  private static func name(_ place: SourceRange) -> String {
    let bytes = place.source.bytes[place.range]
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return bytes.map { "0x" + String($0, radix: 16, uppercase: true) }.joined(separator: " ") + ", which is not UTF-8"
    }
    return scalarName(text)
  }

  private static func scalarName(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      if (0x20..<0x7F).contains(scalar.value) { return "'\(scalar)'" }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      return scalar.properties.isAlphabetic || scalar.properties.isMath ? "'\(scalar)' (\(code))" : code
    }.joined(separator: " ")
  }
}

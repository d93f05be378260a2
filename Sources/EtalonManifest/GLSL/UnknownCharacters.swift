internal import EtalonDiagnostics

/// Finds characters that GLSL does not know, such as typographic quotes that a web page put in the place of plain ones.
///
/// Branches of conditions are left to the compiler, because text that is switched off may hold anything.
enum UnknownCharacters {
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
    let shown = token.text.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 } ? "'\(token.text)'" : scalarName(token.text)
    let lookalikes = ["\u{2212}": "-", "\u{2013}": "-", "\u{D7}": "*", "\u{2018}": "'", "\u{2019}": "'", "\u{FF1B}": ";", "\u{FF0C}": ","]
    let help = lookalikes[token.text].map { ["write '\($0)'"] } ?? []
    return Diagnostic(
      "glsl.unknown-character", "unknown character \(shown)", labels: tokens.labels(at: [index], "not part of GLSL"), help: help)
  }

  private static func scalarName(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      return scalar.properties.isAlphabetic || scalar.properties.isMath ? "'\(scalar)' (\(code))" : code
    }.joined(separator: " ")
  }
}

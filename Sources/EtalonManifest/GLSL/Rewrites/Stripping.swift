/// Removes what only the author's own compiler needs: `#version`, `#extension`, `#pragma`, `#line` and precision.
///
/// Precision has to go: Vulkan compilers honour it, and desktop players compute everything in full precision.
struct Stripping: Rewrite {
  let name = "stripping"

  private static let directives: Set<String> = ["version", "extension", "pragma", "line"]
  private static let qualifiers: Set<String> = ["highp", "mediump", "lowp"]

  func apply(to tokens: inout [Token]) {
    tokens.eraseDirectives { directive, tokens in
      if Self.directives.contains(directive.name) { return true }
      // Old desktop compilers know no precision, so files define the words away.
      let definesPrecision = directive.operands.first.map { Self.qualifiers.contains(tokens[$0].text) } ?? false
      return definesPrecision && ["define", "undef"].contains(directive.name)
    }
    for index in tokens.indices where tokens[index].kind == .identifier {
      if tokens[index].text == "precision" {
        eraseStatement(at: index, in: &tokens)
      } else if Self.qualifiers.contains(tokens[index].text) {
        tokens.erase(index...index)
      }
    }
  }

  /// Erases `precision highp float;`.
  private func eraseStatement(at index: Int, in tokens: inout [Token]) {
    guard let qualifier = tokens.next(after: index), Self.qualifiers.contains(tokens[qualifier].text),
      let type = tokens.next(after: qualifier), tokens[type].kind == .identifier
    else { return }
    let semicolon = tokens.next(after: type).flatMap { tokens[$0].isMark(";") ? $0 : nil }
    for place in [index, qualifier, type, semicolon].compactMap({ $0 }) { tokens.erase(place...place) }
  }
}

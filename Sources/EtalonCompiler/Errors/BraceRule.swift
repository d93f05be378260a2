internal import EtalonDiagnostics
internal import EtalonManifest

/// Finds the brace that somebody forgot to close.
enum BraceRule {
  /// The number of braces that are open in front of a token.
  static func depth(at token: Int, _ context: MessageContext) -> Int { open(before: token, context).count }

  /// The mistake of a brace that is still open where the next function or the end of the text comes; nil when none is.
  static func unclosed(before token: Int, _ context: MessageContext) -> Finding? {
    let open = open(before: token, context).filter { context.tokens.tokens[$0].origin != nil }
    guard let innermost = open.last else { return nil }
    let brace = misindented(before: token, in: open, context) ?? innermost
    return Finding(
      id: "glsl.syntax", message: "this '{' is never closed", mark: .tokens(brace...brace), label: "no '}' for this", damage: .rest)
  }

  /// A function that starts while braces are open is how a forgotten one shows.
  static func nestedFunction(_ context: MessageContext) -> Finding? {
    guard context.message.text == "not allowed in nested scope", let token = context.token else { return nil }
    return unclosed(before: token, context)
  }

  private static func open(before token: Int, _ context: MessageContext) -> [Int] {
    var open: [Int] = []
    for index in 0..<min(token, context.tokens.tokens.count) {
      switch context.tokens.tokens[index].text {
      case "{": open.append(index)
      case "}": _ = open.popLast()
      default: break
      }
    }
    return open
  }

  /// The closing braces pair up from the inside, so the brace without a partner is an outer one; the first pair whose indentation differs
  /// tells which one the author forgot.
  private static func misindented(before token: Int, in stillOpen: [Int], _ context: MessageContext) -> Int? {
    guard let start = stillOpen.first else { return nil }
    var open: [Int] = []
    for index in start..<min(token, context.tokens.tokens.count) {
      switch context.tokens.tokens[index].text {
      case "{": open.append(index)
      case "}":
        guard let partner = open.popLast() else { return nil }
        guard let inner = indentation(partner, context), let outer = indentation(index, context) else { continue }
        if inner.line != outer.line, inner.column > outer.column { return partner }
      default: break
      }
    }
    return nil
  }

  /// The line of a token and the column at which its text starts.
  private static func indentation(_ index: Int, _ context: MessageContext) -> (line: Int, column: Int)? {
    guard let origin = context.tokens.tokens[index].origin else { return nil }
    let line = origin.source.position(at: origin.range.lowerBound).line
    let text = origin.source.bytes[origin.source.byteRange(ofLine: line)]
    return (line, text.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count)
  }
}

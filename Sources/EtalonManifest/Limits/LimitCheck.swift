package import EtalonDiagnostics

/// Refuses text that would cost the compiler too much, before it sees any of it.
package struct LimitCheck {
  private let limits: TextLimits

  package init(_ limits: TextLimits) { self.limits = limits }

  /// What is wrong with the size of a file.
  package func faults(of source: SourceText) -> [Diagnostic] {
    guard source.bytes.count > limits.bytes else { return [] }
    let message = "'\(source.path)' has \(source.bytes.count) bytes, at most \(limits.bytes) are accepted"
    return [Diagnostic("limit.bytes", message, labels: [.init(source, 0..<0)])]
  }

  /// What is wrong with tokens whose includes are expanded.
  package func faults(of tokens: [Token]) -> [Diagnostic] {
    if let fault = nestingFault(tokens) { return [fault] }
    return expansionFault(tokens).map { [$0] } ?? []
  }

  private func nestingFault(_ tokens: [Token]) -> Diagnostic? {
    var brackets = BracketDepth()
    var directiveBrackets = BracketDepth()
    for index in tokens.indices {
      if tokens[index].isInDirective {
        brackets.follow(directiveToken: index, in: tokens)
        directiveBrackets.follow(tokens[index])
      } else {
        brackets.follow(tokens[index])
        directiveBrackets = BracketDepth()
      }
      if max(brackets.depth, directiveBrackets.depth) > limits.nesting {
        return Diagnostic(
          "limit.nesting", "brackets are nested deeper than \(limits.nesting) levels", labels: label(tokens[index], "one level too many"))
      }
    }
    return nil
  }

  /// Goes through the text statement by statement, because only there can one say which place is too large.
  private func expansionFault(_ tokens: [Token]) -> Diagnostic? {
    var sizes = MacroSizes(tokens)
    var total = ExpansionMeasure()
    let visible = tokens.indices.filter { tokens[$0].isSignificant && !tokens[$0].isInDirective }
    for statement in visible.split(whereSeparator: { tokens[$0].kind == .punctuator && [";", "{", "}"].contains(tokens[$0].text) }) {
      let size = sizes.measure(statement)
      total = total + size + ExpansionMeasure(tokens: 1)
      if total.tokens > limits.tokens { return tokenFault(tokens[statement[statement.startIndex]]) }
      if size.operators > limits.operators, let fault = operatorFault(statement, tokens, &sizes) { return fault }
    }
    return nil
  }

  private func tokenFault(_ token: Token) -> Diagnostic {
    Diagnostic(
      "limit.tokens", "the text has more than \(limits.tokens) tokens after its macros are expanded",
      labels: label(token, "too many with this statement"))
  }

  /// Commas between arguments and elements separate expressions, so a long table is no long expression.
  private func operatorFault(_ statement: ArraySlice<Int>, _ tokens: [Token], _ sizes: inout MacroSizes) -> Diagnostic? {
    for expression in statement.split(whereSeparator: { tokens[$0].isMark(",") }) {
      let count = sizes.measure(expression).operators
      guard count > limits.operators, let first = expression.first else { continue }
      return Diagnostic(
        "limit.operators", "an expression has more than \(limits.operators) operators",
        labels: label(tokens[first], "starts here"), help: ["compute it in a loop, or in several statements"])
    }
    return nil
  }

  private func label(_ token: Token, _ message: String) -> [Diagnostic.Label] {
    token.origin.map { [.init($0.source, $0.range, message)] } ?? []
  }
}

internal import EtalonManifest

/// Operators in the place of those that they are mistaken for.
struct OperatorRule: MutationRule {
  let kind = MutationKind.operator

  private static let others = [
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||",
    "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<", "^=": "|=",
  ]

  func changes(of text: ShaderTokens) -> [TextChange] {
    text.changeable.compactMap { index in
      let token = text.tokens[index]
      guard token.kind == .punctuator, let other = Self.others[token.text] else { return nil }
      if text.isBetweenOperands(index) { return text.change(kind, index, to: other) }
      return token.text == "-" ? text.change(kind, index, to: "+") : nil
    }
  }
}

/// Recognises expressions of three components, as far as names tell without parsing GLSL; in doubt an expression is none.
struct SolidExpressions {
  private let tokens: [Token]
  private let types: DeclaredTypes

  /// Functions whose result has the type of their first argument.
  private static let sameType: Set<String> = ["normalize", "reflect", "refract", "abs", "fract", "floor", "sin", "cos", "mod", "mix"]
  /// Marks after which operands no longer have to fit each other.
  private static let separators: Set<String> = ["?", ",", "==", "!=", "<", ">", "<=", ">="]

  init(_ tokens: [Token]) {
    self.tokens = tokens
    types = DeclaredTypes(tokens)
  }

  /// Longer expressions are not looked at.
  private static let longest = 256

  /// Whether visible tokens form an expression of three components: one such operand is enough, because the others have to fit.
  func contains(_ expression: [Int]) -> Bool {
    guard expression.count <= Self.longest,
      !expression.contains(where: { Self.separators.contains(tokens[$0].text) && isOutside($0, of: expression) })
    else { return false }
    var position = 0
    while position < expression.count {
      let (isSolid, end) = operand(at: position, in: expression)
      if isSolid { return true }
      position = end + 1
    }
    return false
  }

  /// Whether no bracket of the expression is around the place.
  private func isOutside(_ place: Int, of expression: [Int]) -> Bool {
    var brackets = BracketDepth()
    for index in expression.prefix(while: { $0 != place }) { brackets.follow(tokens[index]) }
    return brackets.depth == 0
  }

  /// Whether the operand that starts at a position has three components, and where it ends.
  private func operand(at position: Int, in expression: [Int]) -> (isSolid: Bool, end: Int) {
    let token = tokens[expression[position]]
    let isGroup = token.isMark("(")
    guard token.kind == .identifier || isGroup else { return (false, position) }
    let isCall = !isGroup && position + 1 < expression.count && tokens[expression[position + 1]].isMark("(")
    let open = isGroup ? position : position + 1
    var end = position
    if isGroup || isCall {
      guard let close = tokens.closing(of: expression[open]), let last = expression.firstIndex(of: close) else {
        return (false, expression.count)
      }
      end = last
    }
    let suffix = suffix(after: end, in: expression)
    if let text = suffix.text { return (Self.isSwizzleOfThree(text), suffix.end) }
    let inner = open < end ? Array(expression[(open + 1)..<end]) : []
    if isGroup { return (contains(inner), suffix.end) }
    if isCall, Self.sameType.contains(token.text) { return (contains(firstArgument(inner)), suffix.end) }
    let isSolid = types.type(of: token.text, at: expression[position]) == "vec3"
    return (isSolid || (isCall && token.text == "vec3"), suffix.end)
  }

  private func firstArgument(_ arguments: [Int]) -> [Int] {
    Array(arguments.prefix { !(tokens[$0].isMark(",") && isOutside($0, of: arguments)) })
  }

  /// `.xyz` or `[0]` after an operand, and where it ends; the last of several members counts.
  private func suffix(after end: Int, in expression: [Int]) -> (text: String?, end: Int) {
    guard end + 1 < expression.count else { return (nil, end) }
    let mark = tokens[expression[end + 1]]
    if mark.isMark("."), end + 2 < expression.count {
      let further = suffix(after: end + 2, in: expression)
      return (further.text ?? tokens[expression[end + 2]].text, further.end)
    }
    guard mark.isMark("["), let close = tokens.closing(of: expression[end + 1]), let last = expression.firstIndex(of: close) else {
      return (nil, end)
    }
    let further = suffix(after: last, in: expression)
    return (further.text ?? "", further.end)
  }

  private static func isSwizzleOfThree(_ text: String) -> Bool {
    text.count == 3 && ["xyzw", "rgba", "stpq"].contains { set in text.allSatisfy(set.contains) }
  }
}

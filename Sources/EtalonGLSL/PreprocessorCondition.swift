internal import EtalonTypes

/// What a condition of `#if` or `#elif` comes to, as far as a text alone tells it.
///
/// Expressions of the GLSL preprocessor: whole numbers of 32 bits that wrap, names of macros, `defined`, parentheses, and the operators of C without assignments. A part that depends
/// on the compiler or the player is unknown; `0 && unknown` and `1 || unknown` are known all the same.
struct PreprocessorCondition {
  /// What is known of macros.
  struct Macros {
    /// Whether a name is defined; nil where that is not certain.
    let isDefined: (String) -> Bool?
    /// The number that a name stands for; nil where that is not certain.
    let number: (String) -> Int?
  }

  private let words: [Token]
  private let macros: Macros
  private var position = 0
  private var depth = 0
  /// Whether the text has the form of an expression.
  private var isWellFormed = true

  /// Parentheses and signs inside each other; a deeper expression is unknown.
  private static let deepest = 64

  /// The operators from those that bind least to those that bind most.
  private static let levels: [[String]] = [
    ["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"],
  ]

  private init(_ words: [Token], _ macros: Macros) {
    self.words = words
    self.macros = macros
  }

  /// Whether the condition holds; nil where that is not certain.
  static func truth(of words: [Token], _ macros: Macros) -> Bool? {
    var condition = PreprocessorCondition(words, macros)
    let value = condition.binary(0)
    return condition.isWellFormed && condition.position == words.count ? value.map { $0 != 0 } : nil
  }

  private mutating func binary(_ level: Int) -> Int? {
    guard level < Self.levels.count else { return unary() }
    var left = binary(level + 1)
    while let mark = mark(among: Self.levels[level]) {
      position += 1
      left = Self.result(left, mark, binary(level + 1))
    }
    return left
  }

  private func mark(among marks: [String]) -> String? {
    guard position < words.count, words[position].kind == .punctuator, marks.contains(words[position].text) else { return nil }
    return words[position].text
  }

  private mutating func unary() -> Int? {
    depth += 1
    defer { depth -= 1 }
    guard position < words.count, depth < Self.deepest else { return malformed() }
    let word = words[position]
    position += 1
    if word.kind == .punctuator {
      switch word.text {
      case "!": return unary().map { $0 == 0 ? 1 : 0 }
      case "-": return unary().map { Self.wrapped(-$0) }
      case "+": return unary()
      case "~": return unary().map { ~$0 }
      case "(":
        let value = binary(0)
        guard mark(among: [")"]) != nil else { return malformed() }
        position += 1
        return value
      default: return malformed()
      }
    }
    if word.isName("defined") { return defined() }
    if word.kind == .identifier {
      // A call of a macro is left to the compiler.
      if mark(among: ["("]) != nil { return malformed() }
      return macros.number(word.text).map(Self.wrapped)
    }
    guard let value = NumberLiteral.value(word.text) else { return malformed() }
    return Int(exactly: value.components[0]).map(Self.wrapped)
  }

  /// The number that 32 bits hold of another one, so that no operator leaves those that 64 bits hold.
  private static func wrapped(_ number: Int) -> Int { Int(Int32(truncatingIfNeeded: number)) }

  /// `defined NAME` or `defined(NAME)`.
  private mutating func defined() -> Int? {
    let isInParentheses = mark(among: ["("]) != nil
    if isInParentheses { position += 1 }
    guard position < words.count, words[position].kind == .identifier else { return malformed() }
    let name = words[position].text
    position += 1
    if isInParentheses {
      guard mark(among: [")"]) != nil else { return malformed() }
      position += 1
    }
    return macros.isDefined(name).map { $0 ? 1 : 0 }
  }

  private mutating func malformed() -> Int? {
    isWellFormed = false
    position = words.count
    return nil
  }

  private static func result(_ left: Int?, _ mark: String, _ right: Int?) -> Int? {
    // One known operand may be enough.
    if mark == "&&", left == 0 || right == 0 { return 0 }
    if mark == "||", (left ?? 0) != 0 || (right ?? 0) != 0 { return 1 }
    guard let left, let right else { return nil }
    return value(left, mark, right).map(wrapped)
  }

  private static func value(_ left: Int, _ mark: String, _ right: Int) -> Int? {
    func flag(_ isTrue: Bool) -> Int { isTrue ? 1 : 0 }
    switch mark {
    case "||": return flag(left != 0 || right != 0)
    case "&&": return flag(left != 0 && right != 0)
    case "|": return left | right
    case "^": return left ^ right
    case "&": return left & right
    case "==": return flag(left == right)
    case "!=": return flag(left != right)
    case "<": return flag(left < right)
    case ">": return flag(left > right)
    case "<=": return flag(left <= right)
    case ">=": return flag(left >= right)
    case "<<": return (0..<32).contains(right) ? left << right : nil
    case ">>": return (0..<32).contains(right) ? left >> right : nil
    case "+": return left + right
    case "-": return left - right
    case "*": return left * right
    case "/": return right == 0 ? nil : left / right
    default: return right == 0 ? nil : left % right
    }
  }
}

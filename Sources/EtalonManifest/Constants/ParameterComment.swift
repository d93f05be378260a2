internal import EtalonTypes

/// What a comment behind a declaration says about its value.
///
/// An example is `// Radius (of the blur, in pixels), min=0., max=20.`; hosts read such comments, so Etalon does. Other comments are prose and say nothing.
struct ParameterComment: Hashable {
  private(set) var minimum: [Double]?
  private(set) var maximum: [Double]?
  private(set) var step: Double?
  private(set) var label: String?
  private(set) var help: String?
  private(set) var group: String?
  /// Where it says all that, for messages.
  private(set) var place: SourceRange?
  /// What it says that means nothing.
  private(set) var slips: [Slip] = []

  /// Something about the values that cannot be meant.
  enum Slip: Hashable {
    /// A range in braces that has not two bounds.
    case bounds(Int)
    /// A bound or a step that is no number.
    case notANumber(key: String)
    /// A step that is not above 0.
    case step
  }

  init() {}

  /// Reads what stands in front of a declaration: `//@uniform, min: 0.0, max: 10.0, step: 0.1, display-name: Size`.
  ///
  /// - Parameters:
  ///   - group: the group that an earlier `//@uniform-group: color` began.
  ///   - place: where the comment stands.
  init(annotation comment: String, group: String?, place: SourceRange? = nil) {
    self.group = group
    self.place = place
    for part in Self.parts(of: comment[...]).dropFirst() {
      let sides = part.split(separator: ":", maxSplits: 1).map { Self.trimmed($0) }
      if sides.count == 2 { set(sides[0].lowercased(), sides[1]) }
    }
    checkStep()
  }

  private mutating func checkStep() {
    guard let step, step <= 0 else { return }
    self.step = nil
    slips.append(.step)
  }

  /// The name of the group that a comment begins; nil for any other comment.
  static func group(begunBy comment: String) -> String? {
    let text = comment.drop { $0 == "/" || $0 == " " }
    guard text.hasPrefix("@uniform-group:") else { return nil }
    return Self.parts(of: text.dropFirst("@uniform-group:".count)).first.map { String(Self.trimmed($0)) }
  }

  /// Whether a comment annotates the declaration behind it.
  static func isAnnotation(_ comment: String) -> Bool {
    let text = comment.drop { $0 == "/" || $0 == " " }
    return text == "@uniform" || text.hasPrefix("@uniform,")
  }

  /// The same with what another one says where this one is silent.
  func completed(by other: ParameterComment) -> ParameterComment {
    var comment = self
    comment.minimum = minimum ?? other.minimum
    comment.maximum = maximum ?? other.maximum
    comment.step = step ?? other.step
    comment.label = label ?? other.label
    comment.help = help ?? other.help
    comment.group = group ?? other.group
    comment.place = place ?? other.place
    comment.slips = slips + other.slips
    return comment
  }

  /// Reads the text of a comment token.
  init(_ comment: String, place: SourceRange? = nil) {
    self.place = place
    var text = comment.drop { $0 == "/" || $0 == "*" }
    if comment.hasPrefix("/*"), text.hasSuffix("*/") { text = text.dropLast(2) }
    var words: [Substring] = []
    for part in Self.parts(of: text) {
      let sides = part.split(separator: "=", maxSplits: 1).map { Self.trimmed($0) }
      guard sides.count == 2, !sides[0].contains(" ") else {
        words.append(Self.trimmed(part))
        continue
      }
      set(sides[0].lowercased(), sides[1])
    }
    checkStep()
    if label == nil, let first = words.first { readLabel(first, isDeclared: minimum != nil || maximum != nil || step != nil) }
  }

  private mutating func set(_ key: String, _ value: Substring) {
    switch key {
    case "min", "minimum": minimum = numbers(value, of: key)
    case "max", "maximum": maximum = numbers(value, of: key)
    case "step": step = numbers(value, of: key)?.first
    case "label", "display-name": label = Self.unquoted(value)
    default: break
    }
  }

  /// Reads `in { 0.1, 15.0 } step 0.1` behind a declaration of an editor extension.
  init(range places: ArraySlice<Int>, in tokens: [Token]) {
    place = tokens.origin(of: Array(places))
    let keyword = places.firstIndex { tokens[$0].isName("step") } ?? places.endIndex
    if let open = places[..<keyword].firstIndex(where: { tokens[$0].isMark("{") }),
      let close = places[..<keyword].firstIndex(where: { tokens[$0].isMark("}") }), open < close
    {
      let bounds = places[(open + 1)..<close].split { tokens[$0].isMark(",") }
        .compactMap { LiteralReader.value(of: Array($0), in: tokens)?.components }
      if bounds.count == 2 { (minimum, maximum) = (bounds[0], bounds[1]) } else { slips.append(.bounds(bounds.count)) }
    }
    if keyword < places.endIndex {
      step = LiteralReader.value(of: Array(places[(keyword + 1)...]), in: tokens)?.components.first
      if step == nil { slips.append(.notANumber(key: "step")) }
      checkStep()
    }
  }

  /// A label is short and begins with a capital letter, unless the comment has bounds too; what stands in parentheses behind it explains it.
  private mutating func readLabel(_ text: Substring, isDeclared: Bool) {
    let open = text.firstIndex(of: "(")
    let name = Self.trimmed(open.map { text[..<$0] } ?? text)
    guard !name.isEmpty, isDeclared || (name.first?.isUppercase == true && name.count <= 40) else { return }
    label = String(name)
    guard let open, text.hasSuffix(")") else { return }
    let inner = Self.trimmed(text[text.index(after: open)...].dropLast())
    if !inner.isEmpty { help = String(inner) }
  }

  /// Splits at the commas outside of parentheses.
  private static func parts(of text: Substring) -> [Substring] {
    var depth = 0
    return text.split(omittingEmptySubsequences: true) { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return character == "," && depth == 0
    }
  }

  private mutating func numbers(_ text: Substring, of key: String) -> [Double]? {
    let tokens = Lexer.tokens(ofAddedText: String(text))
    let value = LiteralReader.value(of: tokens.indices.filter { tokens[$0].isSignificant }, in: tokens)
    if value == nil { slips.append(.notANumber(key: key)) }
    return value?.components
  }

  private static func unquoted(_ text: Substring) -> String { text.filter { $0 != "\"" } }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0.isWhitespace }
    return start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count)
  }
}

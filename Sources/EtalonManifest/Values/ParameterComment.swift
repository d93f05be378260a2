package import EtalonDiagnostics
package import EtalonGLSL
package import EtalonTypes

/// What a comment behind a declaration says about its value.
///
/// An example is `// Radius (of the blur, in pixels), min=0., max=20.`; other hosts read such comments too. Other comments are prose and have no effect.
package struct ParameterComment: Hashable {
  package private(set) var minimum: [Double]?
  package private(set) var maximum: [Double]?
  package private(set) var step: Double?
  package private(set) var label: String?
  package private(set) var help: String?
  package private(set) var group: String?
  /// The place of the comment, for messages.
  package private(set) var place: SourceRange?
  /// What is wrong with it.
  private(set) var slips: [Slip] = []

  /// An error in what a comment says about the values.
  enum Slip: Hashable {
    /// A range in braces that has not two bounds.
    case bounds(Int)
    /// A bound or a step that is no number.
    case notANumber(key: String)
    /// A step that is not above 0.
    case step
  }

  package init() {}

  /// Reads what stands in front of a declaration: `//@uniform, min: 0.0, max: 10.0, step: 0.1, display-name: Size`.
  ///
  /// - Parameters:
  ///   - group: the group that an earlier `//@uniform-group: color` began.
  ///   - place: where the comment stands.
  package init(annotation comment: String, group: String?, place: SourceRange? = nil) {
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
  package static func group(begunBy comment: String) -> String? {
    let text = comment.drop { $0 == "/" || $0 == " " }
    guard text.hasPrefix("@uniform-group:") else { return nil }
    return Self.parts(of: text.dropFirst("@uniform-group:".count)).first.map { String(Self.trimmed($0)) }
  }

  /// Whether a comment annotates the declaration behind it.
  static func isAnnotation(_ comment: String) -> Bool {
    let text = comment.drop { $0 == "/" || $0 == " " }
    return text == "@uniform" || text.hasPrefix("@uniform,")
  }

  /// The same, completed by another one where this one says nothing.
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
  package init(_ comment: String, place: SourceRange? = nil) {
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
  package init(range places: ArraySlice<Int>, in tokens: [Token]) {
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

// MARK: - ranges

/// Gives a parameter the range that a comment declares, and reports what is wrong with it.
package struct CommentedRange {
  package private(set) var parameter: FilterParameter
  package private(set) var warnings: [Diagnostic] = []
  private let comment: ParameterComment

  /// - Parameter isGiven: whether the text gives the parameter a value; otherwise it starts with the value in its range that is nearest to 0.
  package init(_ parameter: FilterParameter, _ comment: ParameterComment, isGiven: Bool) {
    self.parameter = parameter
    self.comment = comment
    self.parameter.label = comment.label
    self.parameter.help = comment.help
    self.parameter.group = comment.group
    for slip in comment.slips { report(slip) }
    takeRange(isGiven: isGiven)
    takeStep()
  }

  // MARK: bounds

  private mutating func takeRange(isGiven: Bool) {
    var (low, high) = (bound(comment.minimum, "min"), bound(comment.maximum, "max"))
    if let first = low, let second = high, zip(first.components, second.components).contains(where: { $0 > $1 }) {
      warn(
        "shadertoy.range-backwards", "the minimum of '\(parameter.name)' is larger than its maximum", "backwards", help: ["exchange them"])
      low = joined(first, second, min)
      high = joined(first, second, max)
    }
    if !isGiven {
      parameter.defaultValue = joined(joined(parameter.defaultValue, low, max), high, min)
    }
    let value = parameter.defaultValue
    parameter.minimum = low.map { joined($0, value, min) }
    parameter.maximum = high.map { joined($0, value, max) }
    guard parameter.minimum != low || parameter.maximum != high else { return }
    warn(
      "shadertoy.default-outside", "the value of '\(parameter.name)', \(ValueConversion.plainText(value)), lies outside of its range",
      "the range", help: ["widen the range, or choose another value"], notes: ["the range is widened to hold it"])
  }

  /// A bound as a value of the parameter's type; truth values have none.
  private mutating func bound(_ numbers: [Double]?, _ key: String) -> Value? {
    let type = parameter.kind.valueType
    guard let numbers, type != .bool else { return nil }
    if let value = ValueConversion.constructed(type, from: numbers) { return value }
    warn(
      "shadertoy.bounds", "'\(key)' of '\(parameter.name)' does not fit its type, \(type.rawValue)", "left out",
      help: ["write one number, or as many as the value has"])
    return nil
  }

  private func joined(_ one: Value, _ other: Value?, _ choose: (Double, Double) -> Double) -> Value {
    guard let other else { return one }
    return Value(one.type, zip(one.components, other.components).map(choose))
  }

  // MARK: the step

  private mutating func takeStep() {
    guard let size = comment.step else { return }
    guard parameter.defaultValue.isOnStep(size, from: parameter.minimum) else {
      return warn(
        "shadertoy.step", "the value of '\(parameter.name)' lies on no step of \(ValueConversion.plainText(Value(.float, [size])))",
        "not used", help: ["choose a step that leads from the minimum to the value"])
    }
    parameter.step = size
  }

  // MARK: messages

  private mutating func report(_ slip: ParameterComment.Slip) {
    switch slip {
    case .bounds(let count):
      warn(
        "shadertoy.half-range", "the range of '\(parameter.name)' has \(count == 1 ? "one bound" : "\(count) bounds"), expected two",
        "left out", help: ["write 'in { 0.0, 1.0 }'"])
    case .notANumber(let key):
      warn("shadertoy.bounds", "'\(key)' of '\(parameter.name)' is no number", "left out", help: ["write a number such as 0.5"])
    case .step:
      warn("shadertoy.step", "the step of '\(parameter.name)' is not above 0", "not used", help: ["write a step such as 0.1, or none"])
    }
  }

  private mutating func warn(_ id: String, _ message: String, _ label: String, help: [String], notes: [String] = []) {
    warnings.report(id, message, severity: .warning, at: comment.place ?? parameter.place, label, help: help, notes: notes)
  }
}

// MARK: - defaults of uniforms

/// A value that a text gives a uniform in a comment behind it: `// = vec2(0.5)`, `/* = 1.0 */`, or `= 1.0` in front of the semicolon.
package struct CommentedDefault {
  /// Nil for a text that is no literal.
  private let value: Value?
  /// What a comment says where that is a list of numbers without a constructor, or a color as `#ff8800`.
  private let list: String?
  package let labels: [Diagnostic.Label]

  /// An initialiser of the text itself.
  package init(_ places: [Int], in tokens: [Token]) {
    value = LiteralReader.value(of: places, in: tokens)
    list = nil
    labels = tokens.labels(at: places, "no literal")
  }

  /// A comment that begins with `=`; nil for any other comment.
  private init?(comment: Token) {
    guard let origin = comment.origin else { return nil }
    let written = origin.source.bytes[origin.range]
    let end = written.starts(with: Array("/*".utf8)) && written.count >= 4 ? written.endIndex - 2 : written.endIndex
    let body = written[written.startIndex + 2..<end]
    guard let mark = body.firstIndex(where: { $0 > 0x20 }), body[mark] == UInt8(ascii: "=") else { return nil }
    let line = body[(mark + 1)...].prefix { $0 != 0x0A && $0 != 0x0D }
    let text = String(decoding: line, as: UTF8.self)
    let tokens = Lexer.tokens(ofAddedText: text)
    // Authors explain a value behind it: `= 0.3; // the smaller, the darker`.
    let places = tokens.indices.prefix { tokens[$0].kind != .comment && !tokens[$0].isMark(";") }.filter { tokens[$0].isSignificant }
    value = Self.literal(places, tokens)
    let color = text.drop { $0 == " " }.prefix { $0 != " " && $0 != ";" && $0 != "/" }
    list = color.hasPrefix("#") ? String(color) : places.contains { tokens[$0].isMark(",") } ? places.map { tokens[$0].text }.joined() : nil
    labels = [.init(origin.source, mark..<mark + 1 + text.utf8.count, "no literal")]
  }

  /// The literal that a comment begins with; words may explain it: `= 0.5 of the width`, `= 4 (blocks)`.
  private static func literal(_ places: [Int], _ tokens: [Token]) -> Value? {
    if let value = LiteralReader.value(of: places, in: tokens) { return value }
    for count in stride(from: places.count - 1, to: 0, by: -1) {
      let next = tokens[places[count]]
      let isWord = next.kind == .identifier || ["(", ",", "-", ":", "["].contains(next.text)
      guard isWord, let value = LiteralReader.value(of: Array(places.prefix(count)), in: tokens) else { continue }
      // A list of numbers is no number with words behind it.
      let isList = next.isMark(",") && count + 1 < places.count && tokens[places[count + 1]].kind != .identifier
      return isList ? nil : value
    }
    return nil
  }

  /// The first such comment between two tokens, or behind one of them in its line.
  package static func find(
    after start: Int, before end: Int = .max, in tokens: [Token], stopsAtLineEnd: Bool = false
  ) -> CommentedDefault? {
    for token in tokens[min(start + 1, tokens.count)..<max(start + 1, min(end, tokens.count))] {
      if token.kind == .comment { return CommentedDefault(comment: token) }
      if stopsAtLineEnd, token.kind != .space { return nil }
    }
    return nil
  }

  /// The value as a type: one number fills a vector, and 0 and 1 are truth values.
  package func value(as type: ValueType) -> Value? {
    guard let value else { return list.flatMap { ValueText.value($0, as: type) } }
    if let converted = ValueConversion.converted(value, to: type) { return converted }
    if type == .bool { return value.components.count == 1 ? ValueConversion.constructed(.bool, from: value.components) : nil }
    let isSame = type.isFloat || (!value.type.isFloat && value.type != .bool)
    return isSame && value.type != .bool && value.components.count == 1 ? ValueConversion.constructed(type, from: value.components) : nil
  }
}

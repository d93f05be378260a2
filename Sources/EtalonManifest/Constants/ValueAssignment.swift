internal import EtalonDiagnostics
internal import EtalonTypes

/// Gives constants of a text the values that a user asked for.
struct ValueAssignment {
  private let values: [String: String]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ values: [String: String]) { self.values = values }

  /// The value for one name; nil when the user gave none or a wrong one.
  mutating func value(for name: String, as type: ValueType, declaredAt place: SourceRange?) -> Value? {
    guard let text = values[name] else { return nil }
    if let value = ValueText.value(text, as: type) { return value }
    if let tooLarge = TypedValue(name: name, text: text).tooLarge(ParameterKind(type), declaredAt: place) {
      diagnostics.append(tooLarge)
      return nil
    }
    var help = ["expected \(ValueText.example(of: type))"]
    if type == .int, ValueText.value(text, as: .float) != nil, let place {
      help.append("write '\(literal(at: place)).0' in the text to make '\(name)' a float")
    }
    diagnostics.append(TypedValue(name: name, text: text).wrongType(ParameterKind(type), declaredAt: place, help: help))
    return nil
  }

  /// Replaces the literals of constants; a literal that spans several tokens becomes one.
  mutating func substitute(in tokens: inout [Token], at places: [ConstantPlace]) {
    for place in places.reversed() {
      let constant = place.constant
      guard let value = value(for: constant.name, as: constant.value.type, declaredAt: constant.place),
        let first = place.literal.first, let last = place.literal.last
      else { continue }
      tokens.erase(first...last)
      let text = ValueConversion.text(of: value)
      tokens[first] = Token(.float, text, origin: tokens[first].origin, isInDirective: tokens[first].isInDirective)
    }
  }

  private func literal(at place: SourceRange) -> String {
    String(decoding: place.source.bytes[place.range], as: UTF8.self)
  }
}

internal import EtalonDiagnostics
internal import EtalonTypes

/// Gives constants and parameters of a text the values that a user asked for.
struct ValueAssignment {
  private let values: [String: String]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ values: [String: String]) { self.values = values }

  /// The value for one name; nil when the user gave none or a wrong one.
  mutating func value(for name: String, as type: ValueType, declaredAt place: SourceRange?) -> Value? {
    guard let text = values[name] else { return nil }
    if let value = ValueText.value(text, as: type) { return value }
    let whole = "\(name)=\(text)"
    let given = SourceText(path: "<--set>", text: whole)
    let declaration = place.map { [Diagnostic.Label($0.source, $0.range, "declared as \(type.rawValue)")] } ?? []
    var help = ["expected \(ValueText.example(of: type))"]
    if type == .int, ValueText.value(text, as: .float) != nil, let place {
      help.append("write '\(literal(at: place)).0' in the text to make '\(name)' a float")
    }
    diagnostics.append(
      Diagnostic(
        "shadertoy.constant-type", "'\(text)' is no value for '\(name)'",
        labels: [.init(given, name.utf8.count + 1..<whole.utf8.count, "not \(article(type)) \(type.rawValue)")] + declaration, help: help))
    return nil
  }

  /// Reports the names that the text does not have.
  mutating func checkNames(_ known: [String]) {
    for name in values.keys.sorted() where !known.contains(name) {
      let given = SourceText(path: "<--set>", text: "\(name)=\(values[name] ?? "")")
      let help = NearestName.find(name, in: known).map { ["did you mean '\($0)'?"] } ?? []
      let list = known.isEmpty ? "the text has nothing that can be set" : "can be set: \(known.joined(separator: ", "))"
      diagnostics.append(
        Diagnostic(
          "shadertoy.unknown-constant", "the text has no constant '\(name)' that can be set",
          labels: [.init(given, 0..<name.utf8.count, "not found")], help: help, notes: [list]))
    }
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

  private func article(_ type: ValueType) -> String { type == .int || type == .ivec2 || type == .ivec3 || type == .ivec4 ? "an" : "a" }
}

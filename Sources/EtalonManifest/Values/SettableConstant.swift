package import EtalonDiagnostics
package import EtalonGLSL
package import EtalonTypes

/// A constant of the author's text that a user may give another value: `#define NAME literal`, or `const` outside of functions.
package struct SettableConstant: Sendable, Hashable {
  package enum Form: Sendable, Hashable {
    case macro
    case constant
  }

  package let name: String
  package let form: Form
  /// The value in the author's text.
  package let value: Value
  /// Where the literal stands.
  package let place: SourceRange?
  /// Whether the compiler may see it: it is in no branch of `#if` that is left out for certain.
  package let isActive: Bool

  package init(name: String, form: Form, value: Value, place: SourceRange?, isActive: Bool = true) {
    self.isActive = isActive
    self.name = name
    self.form = form
    self.value = value
    self.place = place
  }
}

extension SettableConstant {
  /// What is wrong with a parameter that would have to have several values at once; nil when all definitions of the name agree.
  package static func severalValues(of name: String, among constants: [SettableConstant]) -> Diagnostic? {
    let own = constants.filter { $0.name == name }
    guard let first = own.first, let other = own.first(where: { $0.value != first.value }) else { return nil }
    let labels = [(other, "another value"), (first, "one value")].compactMap { constant, label in
      constant.place.map { $0.label(label) }
    }
    return Diagnostic(
      "project.several-values", "'\(name)' cannot be one parameter, because it has several values", labels: labels,
      help: ["give it one value everywhere, or rename one of them"])
  }
}

extension [SettableConstant] {
  /// The first constant of each name, of those that the compiler may see where there is one.
  package var firstOfEachName: [SettableConstant] {
    var known: Set<String> = []
    let seen = Dictionary(filter(\.isActive).map { ($0.name, $0) }) { first, _ in first }
    return filter { known.insert($0.name).inserted }.map { seen[$0.name] ?? $0 }
  }
}

/// A place in a token list that holds the literal of a constant.
package struct ConstantPlace {
  package let constant: SettableConstant
  /// The visible tokens of the literal.
  package let literal: [Int]
}

/// Finds the constants of a text.
package struct ConstantFinder {
  private let tokens: [Token]
  private let inactive: InactiveBranches

  package init(tokens: [Token]) {
    self.tokens = tokens
    inactive = InactiveBranches(tokens)
  }

  /// Every definition of every constant in the order of the text; a name may occur several times.
  package func places() -> [ConstantPlace] {
    (macros() + constants()).sorted { $0.literal[0] < $1.literal[0] }
  }

  private func macros() -> [ConstantPlace] {
    Directive.all(in: tokens).compactMap { directive in
      guard let macro = MacroDefinition(directive, in: tokens), macro.parameters == nil, !macro.body.isEmpty,
        let value = LiteralReader.value(of: macro.body, in: tokens)
      else { return nil }
      return place(macro.name, .macro, value, macro.body)
    }
  }

  private func constants() -> [ConstantPlace] {
    FileScope(tokens).declarations.flatMap { constants(of: $0.tokens) }
  }

  /// The declarators of `const float A = 1.0, B = 2.0`.
  private func constants(of declaration: [Int]) -> [ConstantPlace] {
    let words = declaration.drop { ["const", "highp", "mediump", "lowp"].contains(tokens[$0].text) }
    guard declaration.contains(where: { tokens[$0].isName("const") }), let first = words.first,
      let type = ValueType(rawValue: tokens[first].text)
    else { return [] }
    return DeclaratorList(words.dropFirst(), in: tokens).declarators.compactMap { declarator in
      guard declarator.array.isEmpty, let value = LiteralReader.value(of: declarator.initializer, in: tokens),
        let converted = ValueConversion.converted(value, to: type)
      else { return nil }
      return place(tokens[declarator.name].text, .constant, converted, declarator.initializer)
    }
  }

  private func place(_ name: String, _ form: SettableConstant.Form, _ value: Value, _ literal: [Int]) -> ConstantPlace {
    let constant = SettableConstant(
      name: name, form: form, value: value, place: tokens.origin(of: literal), isActive: !inactive.contains(literal[0]))
    return ConstantPlace(constant: constant, literal: literal)
  }
}

// MARK: - values in the place of literals

/// Gives constants of a text the values that a user asked for.
package struct ValueAssignment {
  private let values: [String: String]
  package private(set) var diagnostics: [Diagnostic] = []

  package init(_ values: [String: String]) { self.values = values }

  /// The value for one name; nil when the user gave none or a wrong one.
  package mutating func value(for name: String, as type: ValueType, declaredAt place: SourceRange?) -> Value? {
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
  package mutating func substitute(in tokens: inout [Token], at places: [ConstantPlace]) {
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

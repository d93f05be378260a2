package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonTypes

/// The values of a filter's parameters: the defaults, and what a person typed instead, checked against type, range, step and choices.
///
/// A value that does not fit is refused, never changed.
package struct ParameterValues: Sendable, Hashable {
  private var values: [String: Value]

  /// The defaults of a filter's parameters; those that follow a clock have no value of their own.
  package init(defaultsOf manifest: FilterManifest) {
    values = Dictionary(manifest.parameters.filter { !$0.followsClock }.map { ($0.name, $0.defaultValue) }) { first, _ in first }
  }

  /// Reads what a person typed; names of constants are accepted too, because the text has taken those values already.
  package init(_ typed: [String: String], of manifest: FilterManifest) throws(DiagnosticsError) {
    self.init(defaultsOf: manifest)
    var diagnostics: [Diagnostic] = []
    for (name, text) in typed.sorted(by: { $0.key < $1.key }) {
      let value = TypedValue(name: name, text: text)
      if let parameter = manifest.parameters.first(where: { $0.name == name }) {
        switch ParameterCheck(parameter).read(value) {
        case .success(let value): values[name] = value
        case .failure(let error): diagnostics += error.diagnostics
        }
      } else if let unknown = Self.unknownName(name, text, in: manifest) {
        diagnostics.append(unknown)
      }
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
  }

  /// What is wrong with setting a name that the filter does not have; nil for one that it has.
  package static func unknownName(_ name: String, _ text: String, in manifest: FilterManifest) -> Diagnostic? {
    let known = manifest.constants.map(\.name) + manifest.parameters.map(\.name)
    guard !known.contains(name) else { return nil }
    let labelled = manifest.parameters.first { $0.label?.lowercased() == name.lowercased() }
    return TypedValue(name: name, text: text).unknownName(in: manifest.name, known: known, nearest: labelled?.name)
  }

  /// The value of a parameter; nil when the filter has none of that name, or a clock gives it.
  package subscript(name: String) -> Value? { values[name] }

  /// The same values with another one for a parameter, which was checked before.
  package func setting(_ name: String, to value: Value) -> ParameterValues {
    var changed = self
    changed.values[name] = value
    return changed
  }

  /// The same without the values of some parameters.
  package func without(_ names: Set<String>) -> ParameterValues {
    var changed = self
    changed.values = values.filter { !names.contains($0.key) }
    return changed
  }
}

// MARK: - checking one value

/// Reads values as a parameter has them and checks them against what the parameter allows.
package struct ParameterCheck: Sendable {
  /// One violation of a value.
  package struct Violation: Sendable, Hashable {
    /// The id of the diagnostic.
    package let id: String
    /// What the value is or does: `is out of range for 'radius'`.
    package let complaint: String
    /// A few words for the place of the value.
    package let label: String
    package let help: [String]
    package let notes: [String]

    package init(id: String, complaint: String, label: String, help: [String] = [], notes: [String] = []) {
      self.id = id
      self.complaint = complaint
      self.label = label
      self.help = help
      self.notes = notes
    }
  }

  private let parameter: FilterParameter

  package init(_ parameter: FilterParameter) { self.parameter = parameter }

  /// Reads a value that stands in a text; a value that the parameter does not allow is refused there.
  package func read(_ text: String, at place: SourceRange) throws(DiagnosticsError) -> Value {
    try read(TypedValue(name: parameter.name, text: text, at: place)).get()
  }

  /// Everything that is wrong with a value of the parameter's type.
  package func violations(of value: Value) -> [Violation] {
    [range(value), step(value), choice(value), list(value)].compactMap(\.self)
  }

  /// A label under the declaration of the parameter; none for a parameter that is not declared.
  package var declaration: [Diagnostic.Label] {
    parameter.place.map { [$0.label("declared here")] } ?? []
  }

  func read(_ typed: TypedValue) -> Result<Value, DiagnosticsError> {
    let value: Value
    if let list = parameter.list {
      do throws(ListShape.ReadingError) { value = try list.read(typed.text) } catch {
        return .failure(DiagnosticsError(typed.noList(error, parameter, declaration)))
      }
    } else {
      guard let read = self.value(typed.text) else { return .failure(DiagnosticsError(unreadable(typed))) }
      value = read
    }
    let diagnostics = violations(of: value).map { diagnostic($0, typed) }
    return diagnostics.isEmpty ? .success(value) : .failure(DiagnosticsError(diagnostics))
  }

  private func diagnostic(_ violation: Violation, _ typed: TypedValue) -> Diagnostic {
    Diagnostic(
      violation.id, "'\(typed.text)' \(violation.complaint)", labels: [typed.valueLabel(violation.label)] + declaration,
      help: violation.help,
      notes: violation.notes)
  }

  private func value(_ text: String) -> Value? {
    if parameter.kind == .choice, let choice = choice(labelled: text) { return Value(.int, [Double(choice.value)]) }
    return ValueText.value(text, for: parameter.kind)
  }

  /// The choice with a label; upper and lower case count only between labels that differ in nothing else.
  private func choice(labelled text: String) -> FilterParameter.Choice? {
    if let exact = parameter.choices.first(where: { $0.label == text }) { return exact }
    let similar = parameter.choices.filter { $0.label.lowercased() == text.lowercased() }
    return similar.count == 1 ? similar[0] : nil
  }

  private func unreadable(_ typed: TypedValue) -> Diagnostic {
    guard parameter.kind == .choice else {
      if let tooLarge = typed.tooLarge(parameter.kind, declaredAt: parameter.place) { return tooLarge }
      return typed.wrongType(
        parameter.kind, declaredAt: parameter.place,
        help: ["expected \(ValueText.example(for: parameter.kind))"] + expression(typed.text))
    }
    return diagnostic(noChoice(typed.text), typed)
  }

  /// The help for a text that looks like an expression without parentheses.
  private func expression(_ text: String) -> [String] {
    let words = text.split { !$0.isLetter && $0 != "_" }
    let isMeant = words.contains { ["time", "frame", "progress", "duration", "width", "height"].contains($0) } || text.contains("(")
    return isMeant ? ["expressions stand in parentheses: '\(ValueText.expression(text, of: parameter.kind.valueType))'"] : []
  }

  private func range(_ value: Value) -> Violation? {
    let below = parameter.minimum.map { zip(value.components, $0.components).contains { isLess($0, $1) } } ?? false
    let above = parameter.maximum.map { zip(value.components, $0.components).contains { isLess($1, $0) } } ?? false
    guard below || above else { return nil }
    return Violation(
      id: "value.range", complaint: "is out of range for '\(parameter.name)'", label: below ? "below the minimum" : "above the maximum",
      help: ["give a value \(rangeText)"])
  }

  /// Compares as 32-bit floats, as the shader does: the result 0.1 of an expression is then not above a maximum of 0.1.
  private func isLess(_ a: Double, _ b: Double) -> Bool { parameter.kind.valueType.isFloat ? Float(a) < Float(b) : a < b }

  private var rangeText: String {
    switch (parameter.minimum.map(text), parameter.maximum.map(text)) {
    case (let low?, let high?): "from \(low) to \(high)"
    case (let low?, nil): "of at least \(low)"
    case (nil, let high?): "of at most \(high)"
    case (nil, nil): "of any size"
    }
  }

  /// The name of the parameter.
  package var name: String { parameter.name }

  /// The value on the nearest step; the same where a parameter has none.
  package func rounded(_ value: Value) -> Value {
    guard let step = parameter.step else { return value }
    let components = zip(value.components, origins(of: value)).map { component, origin in
      component.isFinite ? Double(Float(origin + ((component - origin) / step).rounded() * step)) : component
    }
    return Value(value.type, components)
  }

  /// What steps count from.
  private func origins(of value: Value) -> [Double] { parameter.minimum?.components ?? value.components.map { _ in 0 } }

  private func list(_ value: Value) -> Violation? {
    guard let (complaint, label, help) = parameter.list?.violation(of: value) else { return nil }
    return Violation(id: "value.list", complaint: complaint, label: label, help: [help])
  }

  private func step(_ value: Value) -> Violation? {
    guard let step = parameter.step, !value.isOnStep(step, from: parameter.minimum) else { return nil }
    let start = parameter.minimum.map { "\(text($0)) plus " } ?? ""
    return Violation(
      id: "value.step", complaint: "lies between the steps of '\(parameter.name)'", label: "not on a step",
      help: ["give \(start)a multiple of \(ValueConversion.plainText(Value(.float, [step])))"])
  }

  private func choice(_ value: Value) -> Violation? {
    guard parameter.kind == .choice, !parameter.choices.contains(where: { Double($0.value) == value.components[0] }) else { return nil }
    return noChoice(text(value))
  }

  private func noChoice(_ text: String) -> Violation {
    let nearest = NearestName.find(text, in: parameter.choices.map(\.label))
    return Violation(
      id: "value.choice", complaint: "is none of the choices of '\(parameter.name)'", label: "not offered",
      help: nearest.map { ["did you mean '\($0)'?"] } ?? [],
      notes: ["choices: " + parameter.choices.map { "\($0.value) '\($0.label)'" }.joined(separator: ", ")])
  }

  private func text(_ value: Value) -> String { ValueConversion.plainText(value) }
}

extension Value {
  /// Whether every component is a multiple of a step away from a start, or from 0.
  package func isOnStep(_ step: Double, from start: Value?) -> Bool {
    zip(components, start?.components ?? components.map { _ in 0 }).allSatisfy { component, origin in
      let count = (component - origin) / step
      return (count - count.rounded()).magnitude <= 1e-6 * max(1, count.magnitude)
    }
  }
}

/// A value that a person typed, with the words for what can be wrong with it.
struct TypedValue {
  let name: String
  let text: String
  private let namePlace: SourceRange
  private let place: SourceRange

  /// A value of the command line, typed as `NAME=VALUE`.
  init(name: String, text: String) {
    self.name = name
    self.text = text
    (namePlace, place) = SettingText.places(name: name, value: text)
  }

  /// A value that stands in a document.
  init(name: String, text: String, at place: SourceRange) {
    self.name = name
    self.text = text
    namePlace = place
    self.place = place
  }

  /// A label under the value.
  fileprivate func valueLabel(_ label: String) -> Diagnostic.Label { place.label(label) }

  /// The value is no list of the shape that is declared; the label is under the part that is wrong.
  func noList(_ error: ListShape.ReadingError, _ parameter: FilterParameter, _ declaration: [Diagnostic.Label]) -> Diagnostic {
    var range = place.range
    let quote = range.count == text.utf8.count + 2 ? 1 : 0
    if range.count - 2 * quote == text.utf8.count {
      range = range.lowerBound + quote + error.range.lowerBound..<range.lowerBound + quote + error.range.upperBound
    }
    if let complaint = error.complaint {
      return Diagnostic(
        "value.text", "the text for '\(parameter.name)' \(complaint)", labels: [.init(place.source, range, error.label)] + declaration,
        help: [error.help])
    }
    return Diagnostic(
      "value.type", "'\(text)' is no \(parameter.kind.rawValue) for '\(parameter.name)'",
      labels: [.init(place.source, range, error.label)] + declaration, help: [error.help])
  }

  /// The value is of another type than the one that is declared.
  func wrongType(_ kind: ParameterKind, declaredAt place: SourceRange?, help: [String]) -> Diagnostic {
    let type = kind == .color ? "color" : kind.valueType.rawValue
    let declaration = place.map { [$0.label("declared as \(type)")] } ?? []
    let article = type.hasPrefix("i") ? "an" : "a"
    let parts = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
    let isList = kind.valueType.componentCount == 1 && parts.count > 1 && parts.allSatisfy { Double($0) != nil }
    let blanks = isList ? ["'--sweep' has blanks between its values: --sweep \(name) \(parts.joined(separator: " "))"] : []
    return Diagnostic(
      "value.type", "'\(text)' is no value for '\(name)'", labels: [valueLabel("not \(article) \(type)")] + declaration,
      help: help + blanks)
  }

  /// A whole number beyond what the type holds; nil for any other text.
  func tooLarge(_ kind: ParameterKind, declaredAt place: SourceRange?) -> Diagnostic? {
    let type = kind.valueType
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard type == .int || type == .uint, kind != .choice, !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      type == .int || !text.hasPrefix("-")
    else { return nil }
    let declaration = place.map { [$0.label("declared as \(type.rawValue)")] } ?? []
    let range = type == .int ? "\(Int32.min) to \(Int32.max)" : "0 to \(UInt32.max)"
    return Diagnostic(
      "value.type", "'\(text)' is beyond the whole numbers that '\(name)' can be", labels: [valueLabel("too large")] + declaration,
      help: ["give a whole number from \(range)"])
  }

  /// The diagnostic for a name that cannot be set.
  ///
  /// - Parameter nearest: the name that was probably meant, where the spelling alone does not tell it.
  fileprivate func unknownName(in filter: String, known: [String], nearest: String? = nil) -> Diagnostic {
    let list = known.isEmpty ? "it has nothing that can be set" : "can be set: \(known.joined(separator: ", "))"
    return Diagnostic(
      "value.unknown-name", "'\(filter)' has no parameter or constant '\(name)'",
      labels: [namePlace.label("not found")],
      help: (nearest ?? NearestName.find(name, in: known)).map { ["did you mean '\($0)'?"] } ?? [], notes: [list])
  }
}

/// The text of a `--set` option, as diagnostics show it.
package enum SettingText {
  /// The name of the text.
  package static let path = "<--set>"

  /// Where the name and the value of `NAME=VALUE` stand.
  package static func places(name: String, value: String) -> (name: SourceRange, value: SourceRange) {
    let whole = SourceText(path: path, text: "\(name)=\(value)")
    let start = name.utf8.count + 1
    return (SourceRange(whole, 0..<name.utf8.count), SourceRange(whole, start..<start + value.utf8.count))
  }
}

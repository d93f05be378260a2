package import EtalonDiagnostics
package import EtalonTypes

/// Reads values as a parameter has them and checks them against what the parameter allows.
package struct ParameterCheck: Sendable {
  /// One thing that is wrong with a value.
  package struct Fault: Sendable, Hashable {
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
  package func faults(of value: Value) -> [Fault] {
    [range(value), step(value), choice(value)].compactMap(\.self)
  }

  /// A label under the declaration of the parameter; none for a parameter that is not declared.
  package var declaration: [Diagnostic.Label] {
    parameter.place.map { [.init($0.source, $0.range, "declared here")] } ?? []
  }

  func read(_ typed: TypedValue) -> Result<Value, DiagnosticsError> {
    guard let value = value(typed.text) else { return .failure(DiagnosticsError(unreadable(typed))) }
    let mistakes = faults(of: value).map { mistake($0, typed) }
    return mistakes.isEmpty ? .success(value) : .failure(DiagnosticsError(mistakes))
  }

  private func mistake(_ fault: Fault, _ typed: TypedValue) -> Diagnostic {
    Diagnostic(
      fault.id, "'\(typed.text)' \(fault.complaint)", labels: [typed.valueLabel(fault.label)] + declaration, help: fault.help,
      notes: fault.notes)
  }

  private func value(_ text: String) -> Value? {
    if parameter.kind == .choice, let choice = choice(labelled: text) { return Value(.int, [Double(choice.value)]) }
    return ValueText.value(text, for: parameter.kind)
  }

  /// The choice with a label; capitals matter only where labels differ in nothing else.
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
    return mistake(noChoice(typed.text), typed)
  }

  /// What looks like an expression lacks its parentheses.
  private func expression(_ text: String) -> [String] {
    let words = text.split { !$0.isLetter && $0 != "_" }
    let isMeant = words.contains { ["time", "frame", "progress", "duration", "width", "height"].contains($0) } || text.contains("(")
    return isMeant ? ["expressions stand in parentheses: '(\(text))'"] : []
  }

  private func range(_ value: Value) -> Fault? {
    let below = parameter.minimum.map { zip(value.components, $0.components).contains { isLess($0, $1) } } ?? false
    let above = parameter.maximum.map { zip(value.components, $0.components).contains { isLess($1, $0) } } ?? false
    guard below || above else { return nil }
    return Fault(
      id: "value.range", complaint: "is out of range for '\(parameter.name)'", label: below ? "below the minimum" : "above the maximum",
      help: ["give a value \(rangeText)"])
  }

  /// Compares as the shader will: 0.1 as the result of an expression is not above a maximum of 0.1.
  private func isLess(_ a: Double, _ b: Double) -> Bool { parameter.kind.valueType.isFloat ? Float(a) < Float(b) : a < b }

  private var rangeText: String {
    switch (parameter.minimum.map(text), parameter.maximum.map(text)) {
    case (let low?, let high?): "from \(low) to \(high)"
    case (let low?, nil): "of at least \(low)"
    case (nil, let high?): "of at most \(high)"
    case (nil, nil): "of any size"
    }
  }

  private func step(_ value: Value) -> Fault? {
    guard let step = parameter.step else { return nil }
    let origins = parameter.minimum?.components ?? value.components.map { _ in 0 }
    let isOnStep = zip(value.components, origins).allSatisfy { component, origin in
      let count = (component - origin) / step
      return (count - count.rounded()).magnitude <= 1e-6 * max(1, count.magnitude)
    }
    guard !isOnStep else { return nil }
    let start = parameter.minimum.map { "\(text($0)) plus " } ?? ""
    return Fault(
      id: "value.step", complaint: "lies between the steps of '\(parameter.name)'", label: "not on a step",
      help: ["give \(start)a multiple of \(ValueConversion.plainText(Value(.float, [step])))"])
  }

  private func choice(_ value: Value) -> Fault? {
    guard parameter.kind == .choice, !parameter.choices.contains(where: { Double($0.value) == value.components[0] }) else { return nil }
    return noChoice(text(value))
  }

  private func noChoice(_ text: String) -> Fault {
    let nearest = NearestName.find(text, in: parameter.choices.map(\.label))
    return Fault(
      id: "value.choice", complaint: "is none of the choices of '\(parameter.name)'", label: "not offered",
      help: nearest.map { ["did you mean '\($0)'?"] } ?? [],
      notes: ["choices: " + parameter.choices.map { "\($0.value) '\($0.label)'" }.joined(separator: ", ")])
  }

  private func text(_ value: Value) -> String { ValueConversion.plainText(value) }
}

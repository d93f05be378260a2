internal import EtalonDiagnostics
internal import EtalonTypes

/// Reads a typed value as a parameter has it and checks it against what the parameter allows.
struct ParameterCheck {
  private let parameter: FilterParameter

  init(_ parameter: FilterParameter) { self.parameter = parameter }

  func read(_ typed: TypedValue) -> Result<Value, DiagnosticsError> {
    guard let value = value(typed.text) else { return .failure(DiagnosticsError(unreadable(typed))) }
    let faults = [range(value, typed), step(value, typed), choice(value, typed)].compactMap(\.self)
    return faults.isEmpty ? .success(value) : .failure(DiagnosticsError(faults))
  }

  private func value(_ text: String) -> Value? {
    if parameter.kind == .choice, let choice = parameter.choices.first(where: { $0.label == text }) {
      return Value(.int, [Double(choice.value)])
    }
    return ValueText.value(text, as: parameter.kind.valueType)
  }

  private func unreadable(_ typed: TypedValue) -> Diagnostic {
    guard parameter.kind == .choice else {
      return typed.wrongType(
        parameter.kind.valueType, declaredAt: parameter.place, help: ["expected \(ValueText.example(of: parameter.kind.valueType))"])
    }
    return noChoice(typed)
  }

  private func range(_ value: Value, _ typed: TypedValue) -> Diagnostic? {
    let below = parameter.minimum.map { zip(value.components, $0.components).contains { $0 < $1 } } ?? false
    let above = parameter.maximum.map { zip(value.components, $0.components).contains { $0 > $1 } } ?? false
    guard below || above else { return nil }
    return Diagnostic(
      "value.range", "'\(typed.text)' is out of range for '\(parameter.name)'",
      labels: [typed.valueLabel("\(below ? "below the minimum" : "above the maximum")")] + declaration("declared here"),
      help: ["give a value \(rangeText)"])
  }

  private var rangeText: String {
    switch (parameter.minimum.map(text), parameter.maximum.map(text)) {
    case (let low?, let high?): "from \(low) to \(high)"
    case (let low?, nil): "of at least \(low)"
    case (nil, let high?): "of at most \(high)"
    case (nil, nil): "of any size"
    }
  }

  private func step(_ value: Value, _ typed: TypedValue) -> Diagnostic? {
    guard let step = parameter.step else { return nil }
    let origins = parameter.minimum?.components ?? value.components.map { _ in 0 }
    let isOnStep = zip(value.components, origins).allSatisfy { component, origin in
      let count = (component - origin) / step
      return (count - count.rounded()).magnitude <= 1e-6 * max(1, count.magnitude)
    }
    guard !isOnStep else { return nil }
    let start = parameter.minimum.map { "\(text($0)) plus " } ?? ""
    return Diagnostic(
      "value.step", "'\(typed.text)' lies between the steps of '\(parameter.name)'",
      labels: [typed.valueLabel("not on a step")] + declaration("declared here"),
      help: ["give \(start)a multiple of \(ValueConversion.plainText(Value(.float, [step])))"])
  }

  private func choice(_ value: Value, _ typed: TypedValue) -> Diagnostic? {
    guard parameter.kind == .choice, !parameter.choices.contains(where: { Double($0.value) == value.components[0] }) else { return nil }
    return noChoice(typed)
  }

  private func noChoice(_ typed: TypedValue) -> Diagnostic {
    let nearest = NearestName.find(typed.text, in: parameter.choices.map(\.label))
    return Diagnostic(
      "value.choice", "'\(typed.text)' is none of the choices of '\(parameter.name)'",
      labels: [typed.valueLabel("not offered")] + declaration("declared here"), help: nearest.map { ["did you mean '\($0)'?"] } ?? [],
      notes: ["choices: " + parameter.choices.map { "\($0.value) '\($0.label)'" }.joined(separator: ", ")])
  }

  private func declaration(_ label: String) -> [Diagnostic.Label] {
    parameter.place.map { [.init($0.source, $0.range, label)] } ?? []
  }

  private func text(_ value: Value) -> String { ValueConversion.plainText(value) }
}

internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonTypes

/// Checks what animated values are on the frames of a range against what the parameters allow.
struct AnimationCheck {
  private let animation: Animation
  private let declarations: [String: FilterParameter]

  init(_ animation: Animation, declarations: [String: FilterParameter]) {
    self.animation = animation
    self.declarations = declarations
  }

  /// Refuses values; of each parameter the first frame is told on which something is wrong.
  func check(_ values: [[String: Value]], at readings: [ClockReading]) throws(DiagnosticsError) {
    var mistakes: [Diagnostic] = []
    for parameter in animation.manifest.parameters where animation.animated[parameter.name] != nil {
      mistakes += self.mistakes(of: parameter, values, readings)
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
  }

  private func mistakes(of parameter: FilterParameter, _ values: [[String: Value]], _ readings: [ClockReading]) -> [Diagnostic] {
    // Whole numbers have no infinity that would show that something was divided by zero, and a limit may hide that of others.
    let mayHide = !parameter.kind.valueType.isFloat || dividesAlways(parameter.name)
    if mayHide, let zero = animation.zeroDivisor(of: parameter.name, at: readings, values) {
      return [divisionByZero(zero.divisor, parameter, readings[zero.index])]
    }
    let check = ParameterCheck(declarations[parameter.name] ?? parameter)
    for (index, reading) in readings.enumerated() {
      guard let value = values[index][parameter.name] else { continue }
      guard value.components.allSatisfy(\.isFinite) else { return [undefined(value, parameter, reading, values[index])] }
      let faults = faults(of: value, parameter, check)
      guard !faults.isEmpty else { continue }
      let extremes = extremes(of: parameter.name, values, readings)
      return faults.map { mistake($0, value, parameter, check, reading, extremes) }
    }
    return []
  }

  /// Whether an expression computes all of its quotients: a choice may leave out one that has no value.
  private func dividesAlways(_ name: String) -> Bool {
    guard case .expression(let expression)? = animation.animated[name] else { return false }
    return !expression.text.contains("?")
  }

  private func faults(of value: Value, _ parameter: FilterParameter, _ check: ParameterCheck) -> [ParameterCheck.Fault] {
    guard !value.type.isFloat, value.components.contains(where: { $0 != $0.rounded() }) else { return check.faults(of: value) }
    return [
      .init(
        id: "value.type", complaint: "is no value for '\(parameter.name)'", label: "not a whole number",
        help: ["expected \(ValueText.example(of: value.type))"])
    ]
  }

  private func mistake(
    _ fault: ParameterCheck.Fault, _ value: Value, _ parameter: FilterParameter, _ check: ParameterCheck, _ reading: ClockReading,
    _ extremes: [String]
  ) -> Diagnostic {
    let (giver, origin) = giver(of: parameter.name, at: reading)
    return Diagnostic(
      fault.id, "\(reading.words) \(giver) \(Self.text(value)), which \(fault.complaint)",
      labels: origin.labels(fault.label) + check.declaration, help: fault.help, notes: fault.notes + extremes)
  }

  // MARK: what is no number

  private func undefined(_ value: Value, _ parameter: FilterParameter, _ reading: ClockReading, _ values: [String: Value]) -> Diagnostic {
    if let zero = animation.zeroDivisor(of: parameter.name, at: [reading], [values]) {
      return divisionByZero(zero.divisor, parameter, reading)
    }
    let (giver, origin) = giver(of: parameter.name, at: reading)
    return Diagnostic(
      "value.undefined", "\(reading.words) \(giver) \(Self.text(value)) for '\(parameter.name)'", labels: origin.labels("undefined here"),
      help: ["keep the arguments of sqrt, log, pow and the like within what is defined"])
  }

  private func divisionByZero(_ divisor: ExpressionText, _ parameter: FilterParameter, _ reading: ClockReading) -> Diagnostic {
    Diagnostic(
      "value.undefined", "\(reading.words) the expression for '\(parameter.name)' divides by zero",
      labels: ValueOrigin(divisor.place).labels("zero here"),
      help: [
        divisor.text.contains { $0.isLetter || $0 == "_" }
          ? "keep '\(divisor.text)' away from zero, as with 'max(\(divisor.text), 0.001)'" : "divide by a number that is not zero"
      ])
  }

  // MARK: words

  /// What gives the value, in words, and where it is written.
  private func giver(of name: String, at reading: ClockReading) -> (words: String, origin: ValueOrigin) {
    switch animation.animated[name] {
    case .keyframes: ("the keyframes give", animation.key(of: name, at: reading.time)?.origin ?? ValueOrigin(nil))
    case .track(let track): ("the track gives", track.origin)
    case .expression(let expression): ("the expression gives", expression.origin)
    case .literal, nil: ("the value is", ValueOrigin(nil))
    }
  }

  /// What the value goes through on all frames, for a single number.
  private func extremes(of name: String, _ values: [[String: Value]], _ readings: [ClockReading]) -> [String] {
    let numbers = values.compactMap { $0[name] }.filter { $0.components.count == 1 }.map { $0.components[0] }.filter(\.isFinite)
    guard numbers.count > 1, let low = numbers.min(), let high = numbers.max() else { return [] }
    let frames = "frames \(readings.map(\.frame).min() ?? 0) to \(readings.map(\.frame).max() ?? 0)"
    return ["on \(frames) it runs from \(Self.text(Value(.float, [low]))) to \(Self.text(Value(.float, [high])))"]
  }

  /// Results of 32-bit arithmetic with the digits that tell them apart.
  private static func text(_ value: Value) -> String { ValueConversion.shaderText(value) }
}

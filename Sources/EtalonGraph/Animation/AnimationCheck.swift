internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonTypes

/// Checks what animated values are on the frames of a range against what the parameters allow.
struct AnimationCheck {
  private let animation: Animation

  init(_ animation: Animation) { self.animation = animation }

  /// Refuses values; of each parameter the first frame is told on which something is wrong.
  func check(_ values: [[String: Value]], at readings: [ClockReading]) throws(DiagnosticsError) {
    var mistakes: [Diagnostic] = []
    for parameter in animation.manifest.parameters where animation.animated[parameter.name] != nil {
      let check = ParameterCheck(parameter)
      for (index, reading) in readings.enumerated() {
        guard let value = values[index][parameter.name] else { continue }
        let found = faults(of: value, parameter, check)
        guard !found.isEmpty else { continue }
        let extremes = extremes(of: parameter.name, values, readings)
        mistakes += found.map { mistake($0, value, parameter, check, reading, extremes) }
        break
      }
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
  }

  private func faults(of value: Value, _ parameter: FilterParameter, _ check: ParameterCheck) -> [ParameterCheck.Fault] {
    if value.components.contains(where: { !$0.isFinite }) {
      return [
        .init(
          id: "value.undefined", complaint: "is no number", label: "undefined here",
          help: ["keep divisors, and the arguments of sqrt, log, pow and the like, within what is defined"])
      ]
    }
    if !value.type.isFloat, value.components.contains(where: { $0 != $0.rounded() }) {
      return [
        .init(
          id: "value.type", complaint: "is no value for '\(parameter.name)'", label: "not a whole number",
          help: ["expected \(ValueText.example(of: value.type))"])
      ]
    }
    return check.faults(of: value)
  }

  private func mistake(
    _ fault: ParameterCheck.Fault, _ value: Value, _ parameter: FilterParameter, _ check: ParameterCheck, _ reading: ClockReading,
    _ extremes: [String]
  ) -> Diagnostic {
    let (giver, place) = giver(of: parameter.name, at: reading)
    let isUndefined = fault.id == "value.undefined"
    let labels = place.map { [Diagnostic.Label($0.source, $0.range, fault.label)] } ?? []
    return Diagnostic(
      fault.id, "\(reading.words) \(giver) \(Self.text(value)), which \(fault.complaint)",
      labels: labels + (isUndefined ? [] : check.declaration), help: fault.help, notes: fault.notes + (isUndefined ? [] : extremes))
  }

  /// What gives the value, in words, and where it is written.
  private func giver(of name: String, at reading: ClockReading) -> (words: String, place: SourceRange?) {
    switch animation.animated[name] {
    case .keyframes: ("the keyframes give", animation.key(of: name, at: reading.time)?.origin.place)
    case .track(let track): ("the track gives", track.origin.place)
    case .expression(let expression): ("the expression gives", expression.origin.place)
    case .literal, nil: ("the value is", nil)
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
  private static func text(_ value: Value) -> String {
    guard value.type.isFloat else { return ValueConversion.plainText(value) }
    return value.components.map { number in
      let single = Float(number)
      if single.isNaN { return "not a number" }
      if single.isInfinite { return single < 0 ? "-infinity" : "infinity" }
      return single == single.rounded() && single.magnitude < 1e6 ? "\(Int(single))" : "\(single)"
    }.joined(separator: ",")
  }
}

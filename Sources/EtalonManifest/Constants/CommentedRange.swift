internal import EtalonDiagnostics
internal import EtalonTypes

/// Gives a parameter the range that a comment declares, and says what about it cannot be meant.
struct CommentedRange {
  private(set) var parameter: FilterParameter
  private(set) var warnings: [Diagnostic] = []
  private let comment: ParameterComment

  /// - Parameter isGiven: whether the text gives the parameter a value; otherwise it starts with the value in its range that is nearest to 0.
  init(_ parameter: FilterParameter, _ comment: ParameterComment, isGiven: Bool) {
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
    guard isOnStep(size) else {
      return warn(
        "shadertoy.step", "the value of '\(parameter.name)' lies on no step of \(ValueConversion.plainText(Value(.float, [size])))",
        "not used", help: ["choose a step that leads from the minimum to the value"])
    }
    parameter.step = size
  }

  /// Whether the default lies on a step from the minimum.
  private func isOnStep(_ size: Double) -> Bool {
    let value = parameter.defaultValue
    let origins = parameter.minimum?.components ?? value.components.map { _ in 0 }
    return zip(value.components, origins).allSatisfy { value, origin in
      let count = (value - origin) / size
      return (count - count.rounded()).magnitude <= 1e-6 * max(1, count.magnitude)
    }
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
    let place = comment.place ?? parameter.place
    warnings.append(
      Diagnostic(
        id, message, severity: .warning, labels: place.map { [.init($0.source, $0.range, label)] } ?? [], help: help, notes: notes))
  }
}

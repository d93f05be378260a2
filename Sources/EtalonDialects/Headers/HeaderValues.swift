internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Reads the values of an input: its default, its range, its step, its choices, and whether they fit each other.
struct HeaderValues {
  var members: JSONMembers
  let name: Placed<String>
  /// What the input is, for messages: `the input 'scale'`.
  let owner: String
  /// The input that says which font draws a text.
  var font: Placed<String>?
  private let policy: HeaderPolicy

  init(_ members: JSONMembers, name: Placed<String>, owner: String, policy: HeaderPolicy) {
    self.members = members
    self.name = name
    self.owner = owner
    self.policy = policy
  }

  /// The parameter; nil when it has no default that can be used, which is reported.
  mutating func parameter(_ type: HeaderInputType) -> FilterParameter? {
    guard var kind = type.parameterKind else { return nil }
    if kind == .curve || kind == .matrix { return list(kind) }
    if kind == .text { return text() }
    let valueType = kind.valueType
    let initial = value("DEFAULT", valueType)
    if !policy.isLenient, type != .event { members.reportMissing("DEFAULT", help: ["write \"DEFAULT\": \(Self.example(valueType))"]) }
    let choices = type == .long ? policy.isLenient ? lenientChoices() : choices() : []
    // A `long` is one of its values; in ISF it may be a whole number in a range.
    if policy.isLenient, type == .long, choices.isEmpty { kind = .int }
    var range = valueType == .bool ? nil : range(valueType)
    if policy.isLenient, type == .float { reportOmissions(range) }
    let step = step()
    let unit = members.word("UNIT", FilterParameter.Unit.self)
    let identity = value("IDENTITY", valueType)
    if let initial { check(initial, kind == .choice ? nil : range, step, choices) }
    let start = policy.isLenient || type == .event ? startValue(valueType, range, choices) : nil
    guard let standard = initial?.value ?? start else { return nil }
    if policy.isLenient, type != .long, let initial { range = range?.widened(to: initial.value) }
    var parameter = FilterParameter(name: name.value, kind: kind, defaultValue: standard, place: name.place)
    if kind != .choice { (parameter.minimum, parameter.maximum) = (range?.minimum, range?.maximum) }
    parameter.identity = identity?.value
    parameter.step = step?.value
    parameter.unit = unit ?? (kind == .angle ? .degrees : nil)
    if policy.isLenient, type == .point2D { parameter.unit = self.unit(ofPointIn: range, initial: initial) }
    parameter.choices = choices
    return parameter
  }

  private static func example(_ type: ValueType) -> String {
    if type == .bool { return "false" }
    return type.componentCount == 1 ? "0" : "[\(Array(repeating: "0", count: type.componentCount).joined(separator: ", "))]"
  }

  /// The first choice, or zero, or what is nearest to it in the range.
  private func startValue(_ type: ValueType, _ range: Range?, _ choices: [FilterParameter.Choice] = []) -> Value {
    if let first = choices.first { return Value(.int, [Double(first.value)]) }
    let zero = [Double](repeating: 0, count: type.componentCount)
    let raised = range?.minimum.map { zip(zero, $0.components).map { max($0, $1) } } ?? zero
    return Value(type, range?.maximum.map { zip(raised, $0.components).map { min($0, $1) } } ?? raised)
  }

  /// The value of a key as a type; nil when there is none, or none that fits, which is reported.
  private mutating func value(_ key: String, _ type: ValueType) -> Placed<Value>? {
    guard let json = members.value(key) else { return nil }
    if policy.isLenient { return lenientValue(json, key, type) }
    if let value = Self.value(json, type) { return Placed(value, at: json.place) }
    let expected =
      switch type {
      case .bool: "true or false"
      case .int: "a whole number"
      default: type.componentCount == 1 ? "a number" : "\(type.componentCount) numbers in brackets"
      }
    members.report("native.value", "'\(key)' of \(owner) is not \(expected)", at: json.place, json.kind, help: ["expected \(expected)"])
    return nil
  }

  /// A value of a type: a number, a truth value, or one number for each component; colors also as `#rrggbbaa`.
  private static func value(_ json: LocatedJSON, _ type: ValueType) -> Value? {
    switch json.content {
    case .bool(let isTrue): return type == .bool ? Value(.bool, [isTrue ? 1 : 0]) : nil
    case .string(let text): return text.hasPrefix("#") && type == .vec4 ? ValueText.value(text, as: .vec4) : nil
    default: break
    }
    guard type != .bool else { return nil }
    let numbers = (json.elements ?? [json]).map(\.number)
    let finite = numbers.compactMap { $0 }.filter { $0.magnitude <= Double(Float.greatestFiniteMagnitude) }
    guard finite.count == numbers.count, finite.count == type.componentCount, type.isFloat || finite.allSatisfy(isWhole) else { return nil }
    return Value(type, finite)
  }

  private static func isWhole(_ number: Double) -> Bool {
    number == number.rounded() && (Double(Int32.min)...Double(Int32.max)).contains(number)
  }

  // MARK: ranges

  /// The bounds of an input, of which either may be missing.
  private struct Range {
    var minimum: Value?
    var maximum: Value?

    /// The range, widened where needed to hold the default that the author gave.
    func widened(to value: Value) -> Range {
      func joined(_ bound: Value?, _ choose: (Double, Double) -> Double) -> Value? {
        bound.map { Value($0.type, zip($0.components, value.components).map(choose)) }
      }
      return Range(minimum: joined(minimum, min), maximum: joined(maximum, max))
    }

    func contains(_ value: Value) -> Bool {
      let isBelow = minimum.map { zip(value.components, $0.components).contains { $0 < $1 } } ?? false
      let isAbove = maximum.map { zip(value.components, $0.components).contains { $0 > $1 } } ?? false
      return !isBelow && !isAbove
    }
  }

  /// `MIN` and `MAX`; nil when there is no range, or none that can be used, which is reported.
  private mutating func range(_ type: ValueType) -> Range? {
    let (low, high) = (bound("MIN", type), bound("MAX", type))
    if !policy.isLenient { reportHalfRange() }
    guard let low, let high else {
      return policy.isLenient && (low ?? high) != nil ? Range(minimum: low?.value, maximum: high?.value) : nil
    }
    let pairs = zip(low.value.components, high.value.components)
    guard pairs.contains(where: { $0 > $1 }) else { return Range(minimum: low.value, maximum: high.value) }
    guard policy.isLenient else {
      members.report(
        "native.empty-range", "no value of \(owner) is between 'MIN' and 'MAX'", at: high.place, "less than 'MIN'",
        help: ["swap 'MIN' and 'MAX'"])
      return nil
    }
    members.report(
      "isf.range-backwards", "'MIN' of \(owner) is larger than 'MAX'", severity: .warning, at: low.place, "the larger one",
      further: [high.place.label("the smaller one")], help: ["exchange them"])
    return Range(minimum: Value(type, pairs.map { min($0, $1) }), maximum: Value(type, pairs.map { max($0, $1) }))
  }

  /// A bound: one number for all components, or one for each.
  private mutating func bound(_ key: String, _ type: ValueType) -> Placed<Value>? {
    if !policy.isLenient, type.componentCount > 1, let json = members.value(key), let number = json.number,
      number.magnitude <= Double(Float.greatestFiniteMagnitude)
    {
      return Placed(Value(type, Array(repeating: number, count: type.componentCount)), at: json.place)
    }
    return value(key, type)
  }

  private mutating func reportHalfRange() {
    for (key, other) in [("MIN", "MAX"), ("MAX", "MIN")] where members.object[key] == nil {
      guard let place = members.value(other)?.place else { continue }
      members.report(
        "native.half-range", "\(owner) has '\(other)' but no '\(key)'", at: place, "half of a range", help: ["add '\(key)'"])
    }
  }

  private mutating func step() -> Placed<Double>? {
    guard let step = members.number("STEP") else { return nil }
    if step.value > 0 { return step }
    members.report("native.step", "'STEP' of \(owner) is not above 0", at: step.place, "not above 0")
    return nil
  }

  /// Reports a default that is out of its range, between its steps, or none of its choices.
  private mutating func check(_ initial: Placed<Value>, _ range: Range?, _ step: Placed<Double>?, _ choices: [FilterParameter.Choice]) {
    if let range, !range.contains(initial.value) {
      if policy.isLenient {
        warn(
          "default-outside", "'DEFAULT' of \(owner) lies outside of its range", at: initial.place, "outside",
          help: ["widen 'MIN' and 'MAX', or choose another 'DEFAULT'"], notes: ["the range is widened to hold it"])
      } else {
        let bounds = [range.minimum, range.maximum].compactMap { $0.map(ValueConversion.plainText) }
        members.report(
          "native.default-outside", "'DEFAULT' of \(owner) is out of its range", at: initial.place, "out of range",
          help: ["give a value from \(bounds.joined(separator: " to "))"])
      }
    }
    if let step, !initial.value.isOnStep(step.value, from: range?.minimum) {
      members.report(
        "native.default-step", "'DEFAULT' of \(owner) lies between its steps", at: initial.place, "not on a step",
        help: ["give 'MIN' (or 0) plus a multiple of 'STEP'"])
    }
    if !choices.isEmpty, !choices.contains(where: { Double($0.value) == initial.value.components[0] }) {
      let list = choices.map { "\($0.value)" }.joined(separator: ", ")
      members.report(
        policy.id("default-outside"), "'DEFAULT' of \(owner) is none of its values", severity: policy.isLenient ? .warning : .error,
        at: initial.place, "not in 'VALUES'",
        help: [policy.isLenient ? "add it to 'VALUES', or choose another 'DEFAULT'" : "give one of \(list)"])
    }
  }

  // MARK: choices

  /// `VALUES` with their `LABELS`.
  private mutating func choices() -> [FilterParameter.Choice] {
    for key in ["VALUES", "LABELS"] {
      members.reportMissing(key, help: ["a 'long' offers labelled values; a plain whole number is an 'int'"])
    }
    let labels = members.strings("LABELS")
    guard let values = members.numbers("VALUES"), let labels else { return [] }
    let place = members.object["LABELS"]?.place ?? values.place
    guard labels.count == values.value.count, !labels.isEmpty else {
      members.report(
        "native.labels", "\(owner) has \(values.value.count) values and \(labels.count) labels", at: place,
        "\(labels.count) labels", help: ["give every value a label"])
      return []
    }
    guard values.value.allSatisfy(Self.isWhole), Set(values.value).count == labels.count else {
      members.report("native.values", "'VALUES' of \(owner) are not different whole numbers", at: values.place, "these values")
      return []
    }
    return zip(values.value, labels).map { FilterParameter.Choice(value: Int($0), label: $1.value) }
  }
}

// MARK: - what other hosts accept

extension HeaderValues {
  private mutating func warn(
    _ id: String, _ message: String, at place: SourceRange, _ label: String, help: [String] = [], notes: [String] = []
  ) {
    members.report("isf.\(id)", message, severity: .warning, at: place, label, help: help, notes: notes)
  }

  private mutating func lenientValue(_ json: LocatedJSON, _ key: String, _ type: ValueType) -> Placed<Value>? {
    guard var components = components(json, key, type) else { return nil }
    if type == .vec4, components.count == 3 {
      warn("color", "'\(key)' of \(owner) has no alpha", at: json.place, "three numbers", help: ["add a fourth number, 1.0"])
      components.append(1)
    }
    if type == .int, let whole = components.first?.rounded(.towardZero), whole != components.first {
      warn("whole-number", "'\(key)' of \(owner) is no whole number", at: json.place, "read as \(Int(whole))")
    }
    if components.count == 1, type.componentCount > 1, key != "DEFAULT" {
      warn(
        "one-bound", "'\(key)' of \(owner) is one number, expected \(Self.count(type.componentCount))", at: json.place,
        "taken for all of them", help: ["write an array"])
      components = [Double](repeating: components[0], count: type.componentCount)
    }
    guard components.count == type.componentCount else {
      members.report(
        "isf.components", "'\(key)' of \(owner) has \(Self.count(components.count)), expected \(Self.count(type.componentCount))",
        at: json.place, "not a \(type == .vec2 ? "point" : type == .vec4 ? "color" : "number")")
      return nil
    }
    return ValueConversion.constructed(type, from: components).map { Placed($0, at: json.place) }
  }

  private static func count(_ number: Int) -> String { number == 1 ? "1 number" : "\(number) numbers" }

  /// The numbers of a value; other hosts accept truth values as numbers, and numbers as truth values.
  private mutating func components(_ json: LocatedJSON, _ key: String, _ type: ValueType) -> [Double]? {
    let elements = json.elements ?? [json]
    let numbers = elements.compactMap { number($0, key, type) }
    return numbers.count == elements.count ? numbers : nil
  }

  private static let truthValues: [String: Double] = ["true": 1, "yes": 1, "on": 1, "false": 0, "no": 0, "off": 0]

  private mutating func number(_ json: LocatedJSON, _ key: String, _ type: ValueType) -> Double? {
    let number: Double?
    switch json.content {
    case .number: number = json.number
    case .bool(let isTrue): number = isTrue ? 1 : 0
    case .string(let text):
      number = JSONNumber.value(text) ?? (type == .bool ? Self.truthValues[text.lowercased()] : nil)
      if number != nil {
        warn("quotes", "'\(key)' of \(owner) is a string", at: json.place, "a value in quotes", help: ["remove the quotes"])
      }
    case .object, .array, .null: number = nil
    }
    guard let number else {
      members.reportType(of: json, named: "'\(key)' of \(owner)", expected: "a number")
      return nil
    }
    let largest = type == .int ? Double(Int32.max) : Double(Float.greatestFiniteMagnitude)
    guard number.magnitude <= largest else {
      members.report("json.number-range", "'\(key)' of \(owner) is too large for a shader", at: json.place, "too large")
      return nil
    }
    return number
  }

  /// `VALUES` with their `LABELS`; when one is missing, it is made from the other.
  private mutating func lenientChoices() -> [FilterParameter.Choice] {
    let labels = members.array("LABELS")?.value.map(Self.label) ?? []
    guard let values = members.array("VALUES") else {
      return labels.enumerated().map { FilterParameter.Choice(value: $0, label: $1) }
    }
    let numbers = values.value.compactMap { number($0, "VALUES", .int).map { Int($0) } }
    if numbers.count == values.value.count, let place = members.object["LABELS"]?.place, labels.count != numbers.count {
      warn(
        "labels", "\(owner) has \(numbers.count) values and \(labels.count) labels", at: place, "\(labels.count) labels",
        help: ["give every value a label"])
    }
    return numbers.enumerated().map { FilterParameter.Choice(value: $1, label: $0 < labels.count ? labels[$0] : "\($1)") }
  }

  private static func label(_ json: LocatedJSON) -> String {
    switch json.content {
    case .string(let text), .number(let text): text
    case .bool(let isTrue): "\(isTrue)"
    case .object, .array, .null: ""
    }
  }

  /// Reports a number without a range or without a default; one without a name has a larger error.
  private mutating func reportOmissions(_ range: Range?) {
    guard !name.value.isEmpty else { return }
    let missing = ["MIN", "MAX"].filter { members.object[$0] == nil }.map { "'\($0)'" }
    if !missing.isEmpty {
      warn(
        "no-range", "the input \(owner) has no \(missing.joined(separator: " and no "))", at: name.place, "without a range",
        help: ["add \(missing.joined(separator: " and ")), which editors need for a slider"],
        notes: [missing.count == 2 ? "every value is accepted without them" : "without it the range has one end only"])
    }
    if members.object["DEFAULT"] == nil {
      warn(
        "no-default", "the input \(owner) has no 'DEFAULT'", at: name.place, "without a default", help: ["add 'DEFAULT'"],
        notes: ["it is \(ValueConversion.plainText(startValue(.float, range))) unless set"])
    }
  }

  /// Points with a range up to 1 are fractions of the picture; points without a range are pixels, and then hosts scale the default alone.
  private mutating func unit(ofPointIn range: Range?, initial: Placed<Value>?) -> FilterParameter.Unit? {
    if let range { return range.maximum.map { $0.components.allSatisfy { $0 <= 1 } } ?? false ? .normalized : nil }
    guard let initial else { return .pixels }
    warn(
      "point-in-pixels", "the point \(owner) has no 'MIN' and no 'MAX'", at: initial.place, "read as pixels",
      help: ["add 'MIN' and 'MAX', and give the point in fractions of the picture"],
      notes: ["some hosts give such a point in pixels and take its default as a fraction of the picture"])
    return .pixels
  }
}

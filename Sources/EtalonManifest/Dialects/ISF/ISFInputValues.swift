internal import EtalonDiagnostics
internal import EtalonTypes

/// The bounds of an input, of which either may be missing.
struct ISFRange {
  var minimum: Value?
  var maximum: Value?

  /// The range with a value in it that its author gave in spite of it.
  func widened(to value: Value) -> ISFRange {
    func joined(_ bound: Value?, _ choose: (Double, Double) -> Double) -> Value? {
      bound.map { Value($0.type, zip($0.components, value.components).map(choose)) }
    }
    return ISFRange(minimum: joined(minimum, min), maximum: joined(maximum, max))
  }

  func contains(_ value: Value) -> Bool {
    let isBelow = minimum.map { zip(value.components, $0.components).contains { $0 < $1 } } ?? false
    let isAbove = maximum.map { zip(value.components, $0.components).contains { $0 > $1 } } ?? false
    return !isBelow && !isAbove
  }
}

/// Takes the values of an input and notes what is odd about them.
struct ISFInputValues {
  var members: JSONMembers
  private let name: Placed<String>

  init(_ members: JSONMembers, name: Placed<String>) {
    self.members = members
    self.name = name
  }

  // MARK: values

  /// The value of a key as a type; nil when there is none, or none that fits.
  mutating func value(_ key: String, _ type: ValueType) -> Placed<Value>? {
    guard let json = members.value(key), json.content != .null, var components = components(json, key, type) else { return nil }
    if type == .vec4, components.count == 3 {
      warn("isf.color", "'\(key)' of '\(name.value)' has no alpha", at: json.place, "three numbers", help: ["add a fourth number, 1.0"])
      components.append(1)
    }
    if type == .int, let whole = components.first?.rounded(.towardZero), whole != components.first {
      warn("isf.whole-number", "'\(key)' of '\(name.value)' is no whole number", at: json.place, "read as \(Int(whole))")
    }
    if components.count == 1, type.componentCount > 1, key != "DEFAULT" {
      warn(
        "isf.one-bound", "'\(key)' of '\(name.value)' is one number, expected \(Self.count(type.componentCount))", at: json.place,
        "taken for all of them", help: ["write an array"])
      components = [Double](repeating: components[0], count: type.componentCount)
    }
    guard components.count == type.componentCount else {
      members.report(
        "isf.components", "'\(key)' of '\(name.value)' has \(Self.count(components.count)), expected \(Self.count(type.componentCount))",
        at: json.place, "not a \(type == .vec2 ? "point" : type == .vec4 ? "color" : "number")")
      return nil
    }
    return ValueConversion.constructed(type, from: components).map { Placed($0, at: json.place) }
  }

  private static func count(_ number: Int) -> String { number == 1 ? "1 number" : "\(number) numbers" }

  /// The numbers of a value; hosts take truth values for numbers, and the other way round.
  private mutating func components(_ json: LocatedJSON, _ key: String, _ type: ValueType) -> [Double]? {
    if let elements = json.elements {
      let numbers = elements.map { number($0, key, type) }
      return numbers.contains { $0 == nil } ? nil : numbers.compactMap(\.self)
    }
    return number(json, key, type).map { [$0] }
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
        warn("isf.quotes", "'\(key)' of '\(name.value)' is a string", at: json.place, "a value in quotes", help: ["remove the quotes"])
      }
    case .object, .array, .null: number = nil
    }
    guard let number else {
      members.reportType(of: json, named: "'\(key)' of '\(name.value)'", expected: "a number")
      return nil
    }
    let largest = type == .int ? Double(Int32.max) : Double(Float.greatestFiniteMagnitude)
    guard number.magnitude <= largest else {
      members.report("json.number-range", "'\(key)' of '\(name.value)' is too large for a shader", at: json.place, "too large")
      return nil
    }
    return number
  }

  // MARK: ranges

  /// `MIN` and `MAX`; nil when neither is there.
  mutating func range(_ type: ValueType) -> ISFRange? {
    let minimum = value("MIN", type)
    let maximum = value("MAX", type)
    guard minimum != nil || maximum != nil else { return nil }
    var range = ISFRange(minimum: minimum?.value, maximum: maximum?.value)
    guard let minimum, let maximum, zip(minimum.value.components, maximum.value.components).contains(where: { $0 > $1 }) else {
      return range
    }
    warn(
      "isf.range-backwards", "'MIN' of '\(name.value)' is larger than 'MAX'", at: minimum.place, "the larger one",
      further: [.init(maximum.place.source, maximum.place.range, "the smaller one")], help: ["exchange them"])
    let pairs = zip(minimum.value.components, maximum.value.components)
    range.minimum = Value(type, pairs.map { min($0, $1) })
    range.maximum = Value(type, pairs.map { max($0, $1) })
    return range
  }

  mutating func check(_ initial: Placed<Value>?, in range: ISFRange?) {
    guard let initial, let range, !range.contains(initial.value) else { return }
    warn(
      "isf.default-outside", "'DEFAULT' of '\(name.value)' lies outside of its range", at: initial.place, "outside",
      help: ["widen 'MIN' and 'MAX', or choose another 'DEFAULT'"], notes: ["the range is widened to hold it"])
  }

  mutating func reportMissingRange() {
    let missing = ["MIN", "MAX"].filter { members.object[$0] == nil }.map { "'\($0)'" }
    guard !missing.isEmpty else { return }
    warn(
      "isf.no-range", "the input '\(name.value)' has no \(missing.joined(separator: " and no "))", at: name.place, "without a range",
      help: ["add \(missing.joined(separator: " and ")), which editors need for a slider"],
      notes: [missing.count == 2 ? "every value is accepted without them" : "without it the range has one end only"])
  }

  /// Points with a range up to 1 are fractions of the picture; points without a range are pixels, and then hosts scale the default alone.
  mutating func unit(ofPointIn range: ISFRange?, initial: Placed<Value>?) -> FilterParameter.Unit? {
    if let range { return range.maximum.map { $0.components.allSatisfy { $0 <= 1 } } ?? false ? .normalized : nil }
    guard let initial else { return .pixels }
    warn(
      "isf.point-in-pixels", "the point '\(name.value)' has no 'MIN' and no 'MAX'", at: initial.place, "read as pixels",
      help: ["add 'MIN' and 'MAX', and give the point in fractions of the picture"],
      notes: ["some hosts give such a point in pixels and take its default as a fraction of the picture"])
    return .pixels
  }

  mutating func reportMissingDefault(_ range: ISFRange?) {
    guard members.object["DEFAULT"] == nil else { return }
    warn(
      "isf.no-default", "the input '\(name.value)' has no 'DEFAULT'", at: name.place, "without a default",
      help: ["add 'DEFAULT'"], notes: ["it is \(ValueConversion.plainText(start(.float, range))) unless set"])
  }

  /// Zero, or what is nearest to it in the range.
  func start(_ type: ValueType, _ range: ISFRange?) -> Value {
    let zero = [Double](repeating: 0, count: type.componentCount)
    let raised = range?.minimum.map { zip(zero, $0.components).map { max($0, $1) } } ?? zero
    return Value(type, range?.maximum.map { zip(raised, $0.components).map { min($0, $1) } } ?? raised)
  }

  // MARK: choices

  /// `VALUES` with their `LABELS`; one without the other is completed.
  mutating func choices() -> [FilterParameter.Choice] {
    let labels = members.array("LABELS")?.value.map(Self.label) ?? []
    guard let values = members.array("VALUES") else {
      return labels.enumerated().map { FilterParameter.Choice(value: $0, label: $1) }
    }
    let numbers = values.value.compactMap { number($0, "VALUES", .int).map { Int($0) } }
    if numbers.count == values.value.count, let place = members.object["LABELS"]?.place, labels.count != numbers.count {
      warn(
        "isf.labels", "'\(name.value)' has \(numbers.count) values and \(labels.count) labels", at: place, "\(labels.count) labels",
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

  mutating func check(_ initial: Placed<Value>?, among choices: [FilterParameter.Choice]) {
    guard let initial, !choices.contains(where: { Double($0.value) == initial.value.components[0] }) else { return }
    warn(
      "isf.default-outside", "'DEFAULT' of '\(name.value)' is none of its values", at: initial.place, "not in 'VALUES'",
      help: ["add it to 'VALUES', or choose another 'DEFAULT'"])
  }

  // MARK: reporting

  private mutating func warn(
    _ id: String, _ message: String, at place: SourceRange, _ label: String, further: [Diagnostic.Label] = [], help: [String] = [],
    notes: [String] = []
  ) {
    members.report(id, message, severity: .warning, at: place, label, further: further, help: help, notes: notes)
  }
}

internal import EtalonDiagnostics
internal import EtalonTypes

/// Reads one element of `INPUTS`.
struct ISFInputReader {
  enum Input {
    case image(FilterInput)
    case parameter(FilterParameter)
  }

  /// The name in the text; empty when there is none.
  let name: Placed<String>
  private var values: ISFInputValues
  private let isObject: Bool

  var diagnostics: [Diagnostic] { values.members.diagnostics }

  init(_ value: LocatedJSON, index: Int) {
    var name: Placed<String>?
    if case .string(let text)? = value["NAME"]?.content, let place = value["NAME"]?.place { name = Placed(text, at: place) }
    var members = JSONMembers(value, of: name.map { "the input '\($0.value)'" } ?? "input \(index)", ignoresNull: true)
    _ = members.string("NAME")
    members.reportMissing("NAME", help: ["write \"NAME\": \"amount\""])
    if let name, name.value.isEmpty {
      members.report("isf.name", "input \(index) has an empty name", at: name.place, "nothing", help: ["write \"NAME\": \"amount\""])
    }
    isObject = value.members != nil
    self.name = name ?? Placed("", at: value.place)
    values = ISFInputValues(members, name: self.name)
  }

  /// What the input is; nil when that cannot be said, which is reported.
  mutating func read() -> Input? {
    guard let type = type() else { return nil }
    defer { values.members.reportUnknownKeys(as: .warning) }
    let label = values.members.string("LABEL").flatMap { $0.value.isEmpty ? nil : $0.value }
    for key in ["DESCRIPTION", "IDENTITY", "DEFAULT", "MIN", "MAX"] { _ = values.members.value(key) }
    switch type {
    case .audio, .audioFFT:
      let sound = SoundPicture(count: &values.members, isSpectrum: type == .audioFFT)
      return name.value.isEmpty
        ? nil : .image(FilterInput(name: name.value, label: label, sampler: ISFUniforms.sampler, sound: sound, place: name.place))
    case .image:
      return name.value.isEmpty ? nil : .image(FilterInput(name: name.value, label: label, sampler: ISFUniforms.sampler, place: name.place))
    default: break
    }
    guard var parameter = parameter(type), !name.value.isEmpty else { return nil }
    parameter.label = label
    return .parameter(parameter)
  }

  // MARK: the type

  private mutating func type() -> ISFInputType? {
    guard let written = values.members.string("TYPE") else {
      values.members.reportMissing("TYPE", help: ["write one of \(Self.typeNames)"])
      return nil
    }
    if let type = ISFInputType(rawValue: written.value) { return type }
    if let meaning = ISFInputType.meaning(of: written.value) {
      values.members.report(
        "isf.type", "ISF has no type '\(written.value)'", severity: .warning, at: written.place, "read as '\(meaning.rawValue)'",
        help: ["write '\(meaning.rawValue)'"])
      return meaning
    }
    let near = NearestName.find(written.value, in: ISFInputType.allCases.map(\.rawValue))
    values.members.report(
      "isf.type", "ISF has no type '\(written.value)'", at: written.place, "unknown type",
      help: near.map { ["did you mean '\($0)'?"] } ?? [], notes: ["types: \(Self.typeNames)"])
    return nil
  }

  private static let typeNames = ISFInputType.allCases.map(\.rawValue).joined(separator: ", ")

  // MARK: parameters

  private mutating func parameter(_ type: ISFInputType) -> FilterParameter? {
    if type == .long { return choice() }
    guard let kind = type.parameterKind else { return nil }
    let valueType = kind.valueType
    var range = type == .bool || type == .event ? nil : values.range(valueType)
    if type == .float { values.reportMissingRange() }
    let initial = values.value("DEFAULT", valueType)
    if type == .float, initial == nil { values.reportMissingDefault(range) }
    values.check(initial, in: range)
    var parameter = FilterParameter(
      name: name.value, kind: kind, defaultValue: initial?.value ?? values.start(valueType, range), place: name.place)
    if let initial, let bounds = range { range = bounds.widened(to: initial.value) }
    parameter.minimum = range?.minimum
    parameter.maximum = range?.maximum
    parameter.identity = values.value("IDENTITY", valueType)?.value
    if type == .point2D { parameter.unit = values.unit(ofPointIn: range, initial: initial) }
    return parameter
  }

  /// A `long` is one of its `VALUES`; without them it is a whole number in a range.
  private mutating func choice() -> FilterParameter? {
    let choices = values.choices()
    let range = values.range(.int)
    let initial = values.value("DEFAULT", .int)
    let kind: ParameterKind = choices.isEmpty ? .int : .choice
    let start = choices.first.map { Value(.int, [Double($0.value)]) } ?? values.start(.int, range)
    if choices.isEmpty { values.check(initial, in: range) } else { values.check(initial, among: choices) }
    var parameter = FilterParameter(name: name.value, kind: kind, defaultValue: initial?.value ?? start, place: name.place)
    parameter.choices = choices
    if choices.isEmpty { (parameter.minimum, parameter.maximum) = (range?.minimum, range?.maximum) }
    parameter.identity = values.value("IDENTITY", .int)?.value
    return parameter
  }
}

/// The types of inputs that ISF has.
private enum ISFInputType: String, CaseIterable {
  case event, bool, long, float, point2D, color, image, audio, audioFFT

  /// Other words for some of them that published files contain.
  private static let aliases: [String: ISFInputType] = [
    "int": .long, "integer": .long, "menu": .long, "boolean": .bool, "number": .float, "double": .float, "vec2": .point2D,
    "point": .point2D,
    "vec4": .color, "colour": .color, "rgba": .color, "texture": .image, "sampler2D": .image, "trigger": .event,
  ]

  /// What another word than the names of the types means; nil when that is unclear.
  static func meaning(of word: String) -> ISFInputType? {
    allCases.first { $0.rawValue.lowercased() == word.lowercased() } ?? aliases[word] ?? aliases[word.lowercased()]
  }

  /// Nil for inputs that are no parameters.
  var parameterKind: ParameterKind? {
    switch self {
    case .event: .event
    case .bool: .bool
    case .long: .choice
    case .float: .float
    case .point2D: .point
    case .color: .color
    case .image, .audio, .audioFFT: nil
    }
  }
}

// MARK: - values

/// The bounds of an input, of which either may be missing.
struct ISFRange {
  var minimum: Value?
  var maximum: Value?

  /// The range, widened where needed to hold the default that the author gave.
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
private struct ISFInputValues {
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

  /// The numbers of a value; other hosts accept truth values as numbers, and numbers as truth values.
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
    // One without a name has a larger mistake.
    guard !missing.isEmpty, !name.value.isEmpty else { return }
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
    guard members.object["DEFAULT"] == nil, !name.value.isEmpty else { return }
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

  /// `VALUES` with their `LABELS`; when one is missing, it is made from the other.
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

extension SoundPicture {
  /// What an input of type `audio` or `audioFFT` shows: `MAX` is the width of its picture.
  init(count members: inout JSONMembers, isSpectrum: Bool) {
    let written = members.number("MAX")
    var count = Self.standardCount
    if let written {
      if (1...Double(Self.mostCount)).contains(written.value), written.value == written.value.rounded() {
        count = Int(written.value)
      } else {
        members.report(
          "sound.count", "a sound has from 1 to \(Self.mostCount) \(isSpectrum ? "frequencies" : "samples")", at: written.place,
          "not as many", help: ["write \"MAX\": \(Self.standardCount)"])
      }
    }
    self = isSpectrum ? .spectrum(bandCount: count) : .waveform(sampleCount: count)
  }
}

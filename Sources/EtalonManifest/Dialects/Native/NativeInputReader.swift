internal import EtalonDiagnostics
internal import EtalonTypes

/// Reads one element of `INPUTS`.
struct NativeInputReader {
  enum Input {
    case image(NativeHeader.Image)
    case parameter(FilterParameter)
  }

  /// Nil when there is none, which is reported.
  let name: Placed<String>?
  private var members: JSONMembers
  /// What it is, for messages.
  private let owner: String
  private let options: ReadingOptions
  private let alpha: AlphaMode

  var diagnostics: [Diagnostic] { members.diagnostics }

  /// - Parameter alpha: what the header says about the alpha of all images.
  init(_ value: LocatedJSON, index: Int, alpha: AlphaMode, options: ReadingOptions) {
    var name: Placed<String>?
    if case .string(let text)? = value["NAME"]?.content, let place = value["NAME"]?.place { name = Placed(text, at: place) }
    owner = name.map { "the input '\($0.value)'" } ?? "input \(index)"
    members = JSONMembers(value, of: owner)
    _ = members.string("NAME")
    members.reportMissing("NAME", help: ["write \"NAME\": \"amount\""])
    self.name = name
    self.options = options
    self.alpha = alpha
  }

  /// What the input is; nil when that cannot be said, which is reported.
  mutating func read() -> Input? {
    guard members.object.members != nil, let type = type() else { return nil }
    defer { members.reportUnknownKeys(as: .error) }
    let label = members.string("LABEL")?.value
    guard let kind = type.parameterKind else {
      let sound = type == .image ? nil : SoundPicture(count: &members, isSpectrum: type == .audioFFT)
      let image = image(name ?? Placed("", at: members.object.place), label: label, origin: .user, sound: sound)
      return name == nil ? nil : .image(image)
    }
    let details = (help: members.string("HELP")?.value, group: members.string("GROUP")?.value)
    let name = name ?? Placed("", at: members.object.place)
    var values = NativeInputValues(members, name: name.value, owner: owner)
    var parameter = values.parameter(kind, place: name.place)
    members = values.members
    parameter?.label = label
    parameter?.help = details.help
    parameter?.group = details.group
    return self.name == nil ? nil : parameter.map { .parameter($0) }
  }

  /// One member of `IMPORTED`: a file beside the filter.
  mutating func readImport(named name: Placed<String>) -> NativeHeader.Image? {
    let path = members.string("PATH")
    members.reportMissing("PATH", help: ["write \"PATH\": \"picture.png\""])
    let image = image(name, label: nil, origin: .file(path: path?.value ?? "", place: path?.place))
    members.reportUnknownKeys(as: .error)
    guard let path else { return nil }
    if !Self.isInside(path.value) {
      members.report(
        "native.import-outside", "cannot import '\(path.value)'", at: path.place, "leads out of the folder",
        help: ["put the file beside the filter and name it alone"])
    }
    return image
  }

  /// Prepares to read a member of `IMPORTED`.
  init(importOf value: LocatedJSON, named name: String, alpha: AlphaMode, options: ReadingOptions) {
    owner = "the import '\(name)'"
    members = JSONMembers(value, of: owner)
    self.name = nil
    self.options = options
    self.alpha = alpha
  }

  private static func isInside(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return !path.isEmpty && !path.hasPrefix("/") && !path.contains("\\") && !path.contains("\0") && !parts.contains("..")
  }

  // MARK: the type

  private mutating func type() -> NativeInputType? {
    guard let written = members.string("TYPE") else {
      members.reportMissing("TYPE", help: ["write one of \(Self.typeNames)"])
      return nil
    }
    if let type = NativeInputType(rawValue: written.value) { return type }
    let near =
      NativeInputType.others[written.value]?.rawValue
      ?? NearestName.find(written.value, in: NativeInputType.allCases.map(\.rawValue))
    members.report(
      "native.type", "there is no type '\(written.value)'", at: written.place, "unknown type", help: near.map { ["write '\($0)'"] } ?? [],
      notes: ["types: \(Self.typeNames)"])
    return nil
  }

  private static let typeNames = NativeInputType.allCases.map(\.rawValue).joined(separator: ", ")

  // MARK: images

  private mutating func image(_ name: Placed<String>, label: String?, origin: FilterInput.Origin, sound: SoundPicture? = nil)
    -> NativeHeader.Image
  {
    var sampler = Sampler(members.word("INTERPOLATION", Sampler.Interpolation.self) ?? .linear, .clamp)
    var border: Value?
    if let address = members.value("ADDRESS") {
      border = color(address)
      if border != nil { sampler.address = .transparent } else { sampler.address = addressMode() ?? .clamp }
    }
    let space = members.word("SPACE", FilterInput.ColorSpace.self) ?? .working
    let own = members.word("ALPHA", AlphaMode.self)
    let declared = FilterInput(
      name: name.value, label: label, origin: origin, sampler: sampler, space: space, alpha: own ?? alpha, sound: sound,
      place: name.place)
    let input = declared.changed(by: options.samplers[name.value])
    // A border has an effect only in the address mode `transparent`, where no pixels lie beyond the edge.
    return NativeHeader.Image(input: input, border: input.sampler.address == .transparent ? border : nil)
  }

  private mutating func addressMode() -> Sampler.AddressMode? {
    guard let written = members.string("ADDRESS") else { return nil }
    if let mode = Sampler.AddressMode(rawValue: written.value) { return mode }
    members.reportWord(written, "ADDRESS", Sampler.AddressMode.allCases.map(\.rawValue) + ["a color such as '#204080ff'"])
    return nil
  }

  /// A color as four numbers or as `#rrggbbaa`.
  private mutating func color(_ value: LocatedJSON) -> Value? {
    if case .string(let text) = value.content { return text.hasPrefix("#") ? ValueText.value(text, as: .vec4) : nil }
    let numbers = value.elements?.compactMap(\.number) ?? []
    return numbers.count == 4 && value.elements?.count == 4 ? Value(.vec4, numbers) : nil
  }
}

/// The types of inputs that a native header has: those of ISF, and further ones.
private enum NativeInputType: String, CaseIterable {
  case event, bool, long, int, float, angle, point2D, vec2, vec3, vec4, color, image, audio, audioFFT

  /// What a parameter of the type is; nil for an image or a sound.
  var parameterKind: ParameterKind? {
    switch self {
    case .event: .event
    case .bool: .bool
    case .long: .choice
    case .int: .int
    case .float: .float
    case .angle: .angle
    case .point2D: .point
    case .vec2: .vec2
    case .vec3: .vec3
    case .vec4: .vec4
    case .color: .color
    case .image, .audio, .audioFFT: nil
    }
  }

  /// Names of other dialects for the types.
  static let others: [String: NativeInputType] = [
    "integer": .int, "uint": .int, "boolean": .bool, "number": .float, "double": .float, "point": .point2D, "colour": .color,
    "rgba": .color,
    "texture": .image, "sampler2D": .image, "menu": .long, "choice": .long, "enum": .long, "trigger": .event,
  ]
}

// MARK: - values

/// Reads the values of an input: its default, its range, its step, its choices, and whether they fit each other.
private struct NativeInputValues {
  private(set) var members: JSONMembers
  private let name: String
  /// What the input is, for messages: `the input 'scale'`.
  private let owner: String

  init(_ members: JSONMembers, name: String, owner: String) {
    self.members = members
    self.name = name
    self.owner = owner
  }

  /// The parameter; nil when it has no default that can be used, which is reported.
  mutating func parameter(_ kind: ParameterKind, place: SourceRange) -> FilterParameter? {
    let type = kind.valueType
    let initial = kind == .event ? Placed(Value(.bool, [0]), at: place) : value("DEFAULT", type)
    if kind != .event { members.reportMissing("DEFAULT", help: ["write \"DEFAULT\": \(Self.example(type))"]) }
    let choices = kind == .choice ? choices() : []
    let range = type == .bool || kind == .choice ? nil : range(type)
    let step = type == .bool || kind == .choice ? nil : step()
    let unit = type == .bool || kind == .choice ? nil : members.word("UNIT", FilterParameter.Unit.self)
    let identity = kind == .event ? nil : value("IDENTITY", type)
    guard let initial else { return nil }
    check(initial, range, step, choices, kind)
    var parameter = FilterParameter(name: name, kind: kind, defaultValue: initial.value, place: place)
    parameter.minimum = range?.minimum
    parameter.maximum = range?.maximum
    parameter.identity = identity?.value
    parameter.step = step?.value
    parameter.unit = unit ?? (kind == .angle ? .degrees : nil)
    parameter.choices = choices
    return parameter
  }

  private static func example(_ type: ValueType) -> String {
    switch type {
    case .bool: "false"
    default: type.componentCount == 1 ? "0" : "[\(Array(repeating: "0", count: type.componentCount).joined(separator: ", "))]"
    }
  }

  // MARK: values

  /// A value of a type: a number, a truth value, or one number for each component; colors also as `#rrggbbaa`.
  private mutating func value(_ key: String, _ type: ValueType) -> Placed<Value>? {
    guard let json = members.value(key) else { return nil }
    if let value = Self.value(json, type) { return Placed(value, at: json.place) }
    let expected =
      switch type {
      case .bool: "true or false"
      case .int: "a whole number"
      default: type.componentCount == 1 ? "a number" : "\(type.componentCount) numbers in brackets"
      }
    members.report(
      "native.value", "'\(key)' of \(owner) is not \(expected)", at: json.place, json.kind, help: ["expected \(expected)"])
    return nil
  }

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

  private struct Bounds {
    let minimum: Value
    let maximum: Value
  }

  /// `MIN` and `MAX`, each one number for all components or one for each; a range has both.
  private mutating func range(_ type: ValueType) -> Bounds? {
    let low = bound("MIN", type)
    let high = bound("MAX", type)
    for (key, other) in [("MIN", "MAX"), ("MAX", "MIN")] where members.object[key] == nil {
      guard let place = members.object[other]?.place else { continue }
      members.report(
        "native.half-range", "\(owner) has '\(other)' but no '\(key)'", at: place, "half of a range", help: ["add '\(key)'"])
    }
    guard let low, let high else { return nil }
    if zip(low.value.components, high.value.components).contains(where: { $0 > $1 }) {
      members.report(
        "native.empty-range", "no value of \(owner) is between 'MIN' and 'MAX'", at: high.place, "less than 'MIN'",
        help: ["swap 'MIN' and 'MAX'"])
      return nil
    }
    return Bounds(minimum: low.value, maximum: high.value)
  }

  private mutating func bound(_ key: String, _ type: ValueType) -> Placed<Value>? {
    guard let json = members.value(key) else { return nil }
    if type.componentCount > 1, let number = json.number, number.magnitude <= Double(Float.greatestFiniteMagnitude) {
      return Placed(Value(type, Array(repeating: number, count: type.componentCount)), at: json.place)
    }
    return value(key, type)
  }

  private mutating func step() -> Placed<Double>? {
    guard let step = members.number("STEP") else { return nil }
    if step.value > 0 { return step }
    members.report("native.step", "'STEP' of \(owner) is not above 0", at: step.place, "not above 0")
    return nil
  }

  private mutating func check(
    _ initial: Placed<Value>, _ range: Bounds?, _ step: Placed<Double>?, _ choices: [FilterParameter.Choice], _ kind: ParameterKind
  ) {
    let numbers = initial.value.components
    if let range {
      let isInside =
        zip(numbers, range.minimum.components).allSatisfy { $0 >= $1 } && zip(numbers, range.maximum.components).allSatisfy { $0 <= $1 }
      if !isInside {
        members.report(
          "native.default-outside", "'DEFAULT' of \(owner) is out of its range", at: initial.place, "out of range",
          help: ["give a value from \(ValueConversion.plainText(range.minimum)) to \(ValueConversion.plainText(range.maximum))"])
      }
    }
    if let step {
      let origins = range?.minimum.components ?? numbers.map { _ in 0 }
      let isOnStep = zip(numbers, origins).allSatisfy { number, origin in
        let count = (number - origin) / step.value
        return (count - count.rounded()).magnitude <= 1e-6 * max(1, count.magnitude)
      }
      if !isOnStep {
        members.report(
          "native.default-step", "'DEFAULT' of \(owner) lies between its steps", at: initial.place, "not on a step",
          help: ["give 'MIN' (or 0) plus a multiple of 'STEP'"])
      }
    }
    if kind == .choice, !choices.isEmpty, !choices.contains(where: { Double($0.value) == numbers[0] }) {
      members.report(
        "native.default-outside", "'DEFAULT' of \(owner) is none of its values", at: initial.place, "not in 'VALUES'",
        help: ["give one of \(choices.map { "\($0.value)" }.joined(separator: ", "))"])
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

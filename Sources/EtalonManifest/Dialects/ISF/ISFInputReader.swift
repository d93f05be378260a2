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

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
    // A border has a meaning only where nothing else lies beyond the edge.
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

internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonTypes

/// Reads one element of `INPUTS`, or one imported file.
struct HeaderInputReader {
  /// What an element is.
  enum Input {
    case image(FilterHeader.Image)
    case parameter(FilterParameter)
  }

  /// Nil when there is none, which is reported.
  private(set) var name: Placed<String>?
  /// The parameter that says which frames are read.
  private(set) var distance: Placed<String>?
  /// The input that says which font draws a text.
  private(set) var font: Placed<String>?
  private var members: JSONMembers
  /// What it is, for messages.
  private let owner: String
  private let policy: HeaderPolicy
  /// What the header says about the alpha of all images.
  private let alpha: AlphaMode
  private let options: FilterReader.Options

  var diagnostics: [Diagnostic] { members.diagnostics }

  /// Prepares to read an element of `INPUTS`.
  init(_ value: LocatedJSON, index: Int, _ header: FilterHeader, options: FilterReader.Options) {
    policy = header.policy
    alpha = header.alpha
    self.options = options
    if case .string(let text)? = value["NAME"]?.content, let place = value["NAME"]?.place { name = Placed(text, at: place) }
    owner = name.map { "the input '\($0.value)'" } ?? "input \(index)"
    members = JSONMembers(value, of: owner, ignoresNull: policy.isLenient)
    _ = members.string("NAME")
    let help = ["write \"NAME\": \"amount\""]
    members.reportMissing("NAME", help: help)
    if policy.isLenient, let empty = name, empty.value.isEmpty {
      members.report("isf.name", "input \(index) has an empty name", at: empty.place, "nothing", help: help)
      name = nil
    }
  }

  /// Prepares to read an imported file.
  ///
  /// - Parameter name: nil when the file itself says its name.
  init(importOf value: LocatedJSON, named name: Placed<String>?, _ header: FilterHeader, options: FilterReader.Options) {
    policy = header.policy
    alpha = header.alpha
    self.options = options
    self.name = name
    owner = name.map { "the import '\($0.value)'" } ?? "an import"
    members = policy.members(value, .importedFile, of: owner)
  }

  /// The name, or an empty one where there is none.
  private var nameOrNone: Placed<String> { name ?? Placed("", at: members.object.place) }

  /// What the input is; nil when that cannot be said, which is reported.
  mutating func read() -> Input? {
    guard members.object.members != nil, let type = type() else { return nil }
    members.known = policy.inputKeys(type)
    defer { members.reportUnknownKeys(as: policy.unknownKeys) }
    let label = members.string("LABEL").flatMap { $0.value.isEmpty && policy.isLenient ? nil : $0.value }
    let help = policy.isLenient && type.parameterKind == nil ? nil : members.string("HELP")?.value
    if let kind = type.data {
      var data = data(kind, label: label)
      data.input.help = help
      return name == nil ? nil : .image(data)
    }
    if type.parameterKind == nil {
      let sound = type == .image ? nil : SoundPicture(count: &members, isSpectrum: type == .audioFFT)
      let frames = type == .image ? frames() : nil
      var image = image(label: label, origin: .user, sound: sound, frames: frames)
      image.input.help = help
      return name == nil ? nil : .image(image)
    }
    let group = members.string("GROUP")?.value
    var values = HeaderValues(members, name: nameOrNone, owner: policy.isLenient ? "'\(nameOrNone.value)'" : owner, policy: policy)
    var parameter = values.parameter(type)
    members = values.members
    font = values.font
    parameter?.label = label
    parameter?.help = help
    parameter?.group = group
    return name == nil ? nil : parameter.map { .parameter($0) }
  }

  // MARK: the type

  private mutating func type() -> HeaderInputType? {
    let names = policy.types.map(\.rawValue)
    let list = names.joined(separator: ", ")
    guard let written = members.string("TYPE") else {
      members.reportMissing("TYPE", help: ["write one of \(list)"])
      return nil
    }
    if let type = policy.types.first(where: { $0.rawValue == written.value }) { return type }
    let meaning = policy.meaning(ofType: written.value)
    if policy.isLenient, let meaning {
      members.report(
        "isf.type", "ISF has no type '\(written.value)'", severity: .warning, at: written.place, "read as '\(meaning.rawValue)'",
        help: ["write '\(meaning.rawValue)'"])
      return meaning
    }
    let near = meaning?.rawValue ?? NearestName.find(written.value, in: names)
    members.report(
      policy.id("type"), "\(policy.isLenient ? "ISF has" : "there is") no type '\(written.value)'", at: written.place, "unknown type",
      help: near.map { [policy.isLenient ? "did you mean '\($0)'?" : "write '\($0)'"] } ?? [], notes: ["types: \(list)"])
    return nil
  }

  // MARK: images

  /// A file of data: a texture whose texels are read one by one.
  private func data(_ kind: FilterInput.DataKind, label: String?) -> FilterHeader.Image {
    let input = FilterInput(
      name: nameOrNone.value, label: label, origin: .data(kind), sampler: Sampler(.nearest, .clamp), space: .data, place: nameOrNone.place)
    return FilterHeader.Image(input: input, border: nil)
  }

  /// `"FRAMES": [-2, 2]` and `"ENDS": "mirror"`; what is wrong with them is reported.
  private mutating func frames() -> FrameWindow? {
    let ends = members.word("ENDS", FrameWindow.Ends.self)
    distance = members.string("DISTANCE")
    guard let written = members.numbers("FRAMES") else {
      if let place = distance?.place, members.value("FRAMES") == nil {
        members.report(
          "native.distance", "\(owner) has 'DISTANCE', but reads no other frames", at: place, "has no meaning here",
          help: ["add \"FRAMES\": [-8, 8], or remove it"])
      }
      if let place = members.value("ENDS")?.place, members.value("FRAMES") == nil {
        members.report(
          "native.ends", "\(owner) has 'ENDS', but reads no other frames", at: place, "has no meaning here",
          help: ["add \"FRAMES\": [-1, 1], or remove it"])
      }
      return nil
    }
    let most = Double(FrameWindow.mostFrames)
    let numbers = written.value
    guard numbers.count == 2, numbers.allSatisfy({ $0 == $0.rounded() && abs($0) <= most }), numbers[0] <= 0, numbers[1] >= 0 else {
      members.report(
        "native.frames", "'FRAMES' of \(owner) is not a range of frames around the one that shows", at: written.place, "no such range",
        help: ["write [-2, 2] for the two frames before and the two after, [-1, 0] for the one before"],
        notes: ["both are whole numbers: the first from -\(FrameWindow.mostFrames) to 0, the second from 0 to \(FrameWindow.mostFrames)"])
      return nil
    }
    var window = FrameWindow(Int(numbers[0])...Int(numbers[1]), ends: ends ?? .hold)
    window.distance = distance?.value
    return window
  }

  private mutating func image(
    label: String?, origin: FilterInput.Origin, shape: TextureShape = .flat, sound: SoundPicture? = nil, frames: FrameWindow? = nil
  ) -> FilterHeader.Image {
    var sampler = Sampler(members.word("INTERPOLATION", Sampler.Interpolation.self) ?? .linear, .clamp)
    var border: Value?
    if let address = members.value("ADDRESS") {
      border = Self.color(address)
      sampler.address = border != nil ? .transparent : addressMode() ?? .clamp
    }
    let space = members.word("SPACE", FilterInput.ColorSpace.self) ?? policy.space
    let alpha = members.word("ALPHA", AlphaMode.self) ?? alpha
    let name = nameOrNone
    var declared = FilterInput(
      name: name.value, label: label, origin: origin, shape: shape, sampler: sampler, space: space, alpha: alpha, sound: sound,
      place: name.place)
    declared.frames = frames
    let input = declared.changed(by: options.samplers[name.value])
    // A border has an effect only in the address mode `transparent`, where no pixels lie beyond the edge.
    return FilterHeader.Image(input: input, border: input.sampler.address == .transparent ? border : nil)
  }

  private mutating func addressMode() -> Sampler.AddressMode? {
    guard let written = members.string("ADDRESS") else { return nil }
    if let mode = Sampler.AddressMode(rawValue: written.value) { return mode }
    members.reportWord(written, "ADDRESS", Sampler.AddressMode.allCases.map(\.rawValue) + ["a color such as '#204080ff'"])
    return nil
  }

  /// A color as four numbers or as `#rrggbbaa`.
  private static func color(_ value: LocatedJSON) -> Value? {
    if case .string(let text) = value.content { return text.hasPrefix("#") ? ValueText.value(text, as: .vec4) : nil }
    let numbers = value.elements?.compactMap(\.number) ?? []
    return numbers.count == 4 && value.elements?.count == 4 ? Value(.vec4, numbers) : nil
  }

  // MARK: imported files

  /// A file beside the filter; nil when it cannot be used, which is reported.
  mutating func readImport() -> FilterHeader.Image? {
    let given = members.string("NAME")
    let files = importedFiles()
    for file in files where !Self.isInside(file.value) {
      members.report(
        policy.id("import-outside"), "cannot import '\(file.value)'", at: file.place, "leads out of the folder",
        help: ["put the file beside the filter and name it alone"])
    }
    if name == nil {
      members.reportMissing("NAME")
      name = given
    }
    let isCube = isCube(files)
    let image = image(label: nil, origin: .file(path: files.first?.value ?? "", place: files.first?.place), shape: isCube ? .cube : .flat)
    members.reportUnknownKeys(as: policy.unknownKeys)
    guard !files.isEmpty else { return nil }
    return FilterHeader.Image(input: image.input.withFaces(files.dropFirst().map(\.value)), border: image.border)
  }

  /// The file of an import; six of them for a cube.
  private mutating func importedFiles() -> [Placed<String>] {
    members.reportMissing("PATH", help: ["write \"PATH\": \"picture.png\""])
    guard policy.isLenient, let list = members.object["PATH"], list.elements != nil else {
      return members.string("PATH").map { [$0] } ?? []
    }
    let files = members.strings("PATH") ?? []
    guard files.count == CubeFaces.count else {
      members.report(
        "isf.cube-sides", "\(owner) has \(files.count) files; a cube has 6", at: list.place, "the sides of a cube",
        help: ["name the sides in the order +X, -X, +Y, -Y, +Z, -Z, or a single file that holds all of them"])
      return []
    }
    return files
  }

  /// Whether it is a cube, which its type or its six files say.
  private mutating func isCube(_ files: [Placed<String>]) -> Bool {
    guard policy.isLenient else { return false }
    let type = members.string("TYPE")?.value.lowercased() ?? ""
    return files.count > 1 || type.hasPrefix("cube")
  }

  private static func isInside(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return !path.isEmpty && !path.hasPrefix("/") && !path.contains("\\") && !path.contains("\0") && !parts.contains("..")
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

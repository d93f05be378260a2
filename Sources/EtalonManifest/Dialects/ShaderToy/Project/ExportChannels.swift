internal import EtalonDiagnostics
internal import EtalonTypes

/// The inputs of one pass of an export, which stand in any order.
struct ExportChannels {
  private(set) var channels: [ShaderToyProject.Channel] = []
  private(set) var diagnostics: [Diagnostic] = []
  private let pass: ShaderToyProject.PassName
  /// The passes by the ids of what they write in this export.
  private let outputs: [String: ShaderToyProject.PassName]

  init(_ inputs: [LocatedJSON], of pass: ShaderToyProject.PassName, outputs: [String: ShaderToyProject.PassName]) {
    self.pass = pass
    self.outputs = outputs
    for input in inputs { add(input) }
  }

  private mutating func add(_ input: LocatedJSON) {
    guard let type = input["ctype"] ?? input["type"], let kind = type.text else {
      report("shadertoy.input-type", "an input of '\(pass.rawValue)' has no 'ctype'", start(of: input), "in here")
      return
    }
    guard let index = input["channel"]?.text.flatMap(Int.init), (0...3).contains(index) else {
      let place = input["channel"]?.place ?? start(of: input)
      report(
        "shadertoy.channel-number", "an input of '\(pass.rawValue)' has no channel from 0 to 3", place, "expected 0 to 3")
      return
    }
    let words = ExportSampler(input["sampler"], of: "the sampler of 'iChannel\(index)' of '\(pass.rawValue)'")
    diagnostics += words.diagnostics
    guard let source = source(kind, input, type.place) else { return }
    if let earlier = channels.firstIndex(where: { $0.index == index }) {
      report(
        "shadertoy.channel-twice", "'iChannel\(index)' of '\(pass.rawValue)' is connected twice", type.place, "this one counts",
        severity: .warning)
      channels.remove(at: earlier)
    }
    channels.append(
      ShaderToyProject.Channel(
        index: index, source: source, sampler: words.sampler(of: source), isFlipped: words.isFlipped(source), place: type.place))
  }

  // MARK: what is connected

  private mutating func source(_ kind: String, _ input: LocatedJSON, _ place: SourceRange) -> ShaderToyProject.Source? {
    let path = (input["src"] ?? input["filepath"])?.text ?? ""
    switch kind {
    case "texture": return asset(path, .flat, input, place)
    case "cubemap": return target(input, path).map { .target($0) } ?? asset(path, .cube, input, place)
    case "keyboard": return .keyboard
    case "buffer":
      if let target = target(input, path) { return .target(target) }
      report(
        "shadertoy.unknown-buffer", "'\(pass.rawValue)' reads a buffer that nothing identifies", input["id"]?.place ?? place, "which one?",
        help: ["write the 'id' that the buffer's pass has among its 'outputs'"])
      return nil
    default:
      if SoundInputs.kinds.contains(kind) { return .sound(kind) }
      if FilmInputs.kinds.contains(kind) { return .user }
      if UnsupportedInputs.kinds.contains(kind) { return .unsupported(kind) }
      report(
        "shadertoy.input-type", "'\(pass.rawValue)' reads '\(kind)', which ShaderToy does not have", place, "unknown",
        help: NearestName.find(
          kind,
          in: UnsupportedInputs.kinds.union(SoundInputs.kinds).union(FilmInputs.kinds).union(["texture", "cubemap", "keyboard", "buffer"])
        ).map {
          ["did you mean '\($0)'?"]
        } ?? [])
      return nil
    }
  }

  /// The pass whose result an input names: by an id of this export, by one of the player's, or by the picture that stands for it.
  private func target(_ input: LocatedJSON, _ path: String) -> ShaderToyProject.PassName? {
    let id = input["id"]?.text ?? ""
    if let name = outputs[id] ?? ExportPasses.targets[id] { return name }
    let pictures: KeyValuePairs<String, ShaderToyProject.PassName> = [
      "buffer00": .bufferA, "buffer01": .bufferB, "buffer02": .bufferC, "buffer03": .bufferD, "cubemap00": .cubemapA,
    ]
    return pictures.first { path.contains("/previz/\($0.key).") }?.value
  }

  private mutating func asset(
    _ path: String, _ shape: TextureShape, _ input: LocatedJSON, _ place: SourceRange
  ) -> ShaderToyProject.Source? {
    if let entry = ShaderToyAssets.entry(path: path) { return .asset(entry.asset, shape) }
    guard let fileName = path.split(separator: "/").last.map(String.init) else {
      report("shadertoy.no-picture", "'\(pass.rawValue)' reads a picture without a path", place, "no 'src'")
      return nil
    }
    return .asset(FilterInput.Asset(id: path, fileName: fileName), shape)
  }

  private func start(of value: LocatedJSON) -> SourceRange { SourceRange(value.place.source, value.place.range.prefix(1)) }

  private mutating func report(
    _ id: String, _ message: String, _ place: SourceRange, _ label: String, severity: Diagnostic.Severity = .error, help: [String] = []
  ) {
    diagnostics.append(Diagnostic(id, message, severity: severity, labels: [.init(place.source, place.range, label)], help: help))
  }
}

extension ShaderToyProject.Source {
  var isCube: Bool {
    switch self {
    case .target(let name): name == .cubemapA
    case .asset(_, let shape), .file(_, let shape): shape == .cube
    case .user, .keyboard, .sound, .unsupported: false
    }
  }

  /// How a player reads it unless something else is said.
  var standardSampler: Sampler {
    switch self {
    case .target(.cubemapA): Sampler(.linear, .clamp)
    case .target, .keyboard: Sampler(.nearest, .clamp)
    case .sound: Sampler(.linear, .clamp)
    case .asset(_, .cube), .file(_, .cube): Sampler(.mipmap, .clamp)
    case .asset, .file, .user, .unsupported: Sampler(.mipmap, .repeat)
    }
  }
}

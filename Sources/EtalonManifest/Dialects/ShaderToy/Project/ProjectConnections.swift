internal import EtalonDiagnostics
internal import EtalonTypes

/// What connects the passes of a project: their targets, and what each channel reads.
struct ProjectConnections {
  private(set) var targets: [FilterTarget] = []
  private(set) var diagnostics: [Diagnostic] = []
  private let options: ShaderToyOptions
  private let isConnected: Bool
  private let mainPass: ShaderToyProject.PassName

  init(_ project: ShaderToyProject, _ options: ShaderToyOptions) {
    self.options = options
    isConnected = project.isConnected
    mainPass = project.mainPass
    let written = project.runningOrder.map(\.name).filter(\.isTarget)
    let read = project.runningOrder.flatMap(\.channels).compactMap { channel in
      if case .target(let name) = channel.source { (name: name, place: channel.place) } else { nil }
    }
    targets = ShaderToyProject.PassName.allCases.filter { name in
      written.contains(name) || read.contains { $0.name == name }
    }.map { Self.target($0, place: project[$0]?.place) }
    for (name, place) in read where !written.contains(name) { warnEmpty(name, place) }
    for pass in project.passes { report(pass) }
  }

  private static func target(_ name: ShaderToyProject.PassName, place: SourceRange?) -> FilterTarget {
    guard name == .cubemapA else { return FilterTarget(name: name.rawValue, format: .rgba32f, isPersistent: true, place: place) }
    let side = CubeFaces.side
    return FilterTarget(
      name: name.rawValue, extent: .pixels(Size(side, side)), shape: .cube, format: .rgba16f, isPersistent: true, place: place)
  }

  /// What a pass is within the project.
  func role(of pass: ShaderToyProject.Pass) -> ShaderToyRole {
    let prefix = pass.name == mainPass ? "" : pass.name.rawValue + "."
    let channels = pass.channels.compactMap { channel in self.channel(channel, prefix).map { (channel.name, $0) } }
    return ShaderToyRole(
      name: pass.name.rawValue, target: pass.name == .image ? nil : pass.name.rawValue, entry: pass.name == .cubemapA ? .cubemap : .image,
      prefix: prefix, connected: Dictionary(channels) { _, last in last }, isConnected: isConnected)
  }

  private func channel(_ channel: ShaderToyProject.Channel, _ prefix: String) -> ShaderToyRole.Channel? {
    func input(_ origin: FilterInput.Origin, _ shape: TextureShape = .flat, hasSize: Bool = true, sound: SoundPicture? = nil)
      -> ShaderToyRole.Channel
    {
      let setting = options.channel(prefix + channel.name, declared: .init(sampler: channel.sampler, isFlipped: channel.isFlipped))
      return ShaderToyRole.Channel(
        input: FilterInput(
          name: prefix + channel.name, origin: origin, shape: shape, sampler: setting.sampler, isFlipped: setting.isFlipped,
          sound: sound, place: channel.place), hasSize: hasSize)
    }
    switch channel.source {
    case .target(let name):
      return ShaderToyRole.Channel(target: name.rawValue, shape: name == .cubemapA ? .cube : .flat, sampler: channel.sampler)
    case .asset(let asset, let shape): return input(.asset(asset), shape, hasSize: shape == .flat)
    case .file(let path, let shape): return input(.file(path: path, place: channel.place), shape, hasSize: shape == .flat)
    case .user: return input(.user)
    case .keyboard: return input(.keyboard, hasSize: false)
    case .sound: return input(.user, sound: .player)
    case .unsupported: return nil
    }
  }

  // MARK: what a project may not have

  private mutating func warnEmpty(_ name: ShaderToyProject.PassName, _ place: SourceRange) {
    diagnostics.append(
      Diagnostic(
        "shadertoy.empty-target", "the project has no pass '\(name.rawValue)', so what it would write stays transparent black",
        severity: .warning, labels: [.init(place.source, place.range, "never written")]))
  }

  private mutating func report(_ pass: ShaderToyProject.Pass) {
    if pass.name == .sound {
      diagnostics.append(
        Diagnostic(
          "shadertoy.sound-pass", "the sound pass is left out", severity: .warning,
          labels: pass.place.map { [.init($0.source, $0.range, "makes sound")] } ?? [], notes: ["no picture depends on it"]))
      return
    }
    for channel in pass.channels {
      guard case .unsupported(let kind) = channel.source else { continue }
      diagnostics.append(
        Diagnostic(
          "shadertoy.unsupported-input",
          "'\(channel.name)' of '\(pass.name.rawValue)' reads \(UnsupportedInputs.article(kind)), which cannot be an input",
          labels: [.init(channel.place.source, channel.place.range, "no picture")]))
    }
  }
}

/// The inputs of a player that are sounds.
enum SoundInputs {
  /// As the site calls them.
  static let kinds: Set<String> = ["music", "musicstream", "mic"]
}

/// The inputs of a player that are pictures of a film or of a camera, in whose place a user gives a picture or a sequence.
enum FilmInputs {
  /// As the site calls them.
  static let kinds: Set<String> = ["video", "webcam"]
}

/// The inputs of a player that are neither pictures nor sounds.
enum UnsupportedInputs {
  private static let articles = ["volume": "a volume"]

  /// As the site calls them.
  static let kinds = Set(articles.keys)

  /// The kind in a sentence.
  static func article(_ kind: String) -> String { articles[kind] ?? "'\(kind)'" }
}

package import EtalonDiagnostics
package import EtalonManifest
internal import EtalonTypes

/// Turns a ShaderToy with all its passes into a manifest: buffers become targets, channels become their readers.
///
/// ```swift
/// let project = try ShaderToyExport().read(source).project
/// let reading = try ShaderToyProjectReader(files: NoFiles()).read(project, named: "fluid", options: FilterReader.Options())
/// ```
/// Names of inputs are those of the channels, with the pass in front unless it is the image: `iChannel0`, `bufferA.iChannel1`. A value for a constant
/// is used in every pass that defines it.
package struct ShaderToyProjectReader: Sendable {
  let files: any FileProvider

  /// Prepares to read; included files come from `files`.
  package init(files: any FileProvider) { self.files = files }

  /// Reads all passes; what is wrong with any of them is reported together.
  package func read(
    _ project: ShaderToyProject, named name: String, options: FilterReader.Options
  ) throws(DiagnosticsError) -> FilterReading {
    try draft(project, named: name, options: options).reading()
  }

  /// Reads all passes as far as they can be understood; of a project whose sound is wanted only that pass.
  func draft(
    _ project: ShaderToyProject, named name: String, options: FilterReader.Options
  ) throws(DiagnosticsError) -> FilterDraft {
    options.part == .sound ? try soundDraft(project, named: name, options: options) : pictureDraft(project, named: name, options: options)
  }

  private func pictureDraft(_ project: ShaderToyProject, named name: String, options: FilterReader.Options) -> FilterDraft {
    let connections = ProjectConnections(project, options)
    var diagnostics = connections.diagnostics
    var readings: [ShaderToyPassReader.Reading] = []
    var exposed = ExposedParameters([], among: [])
    let common = project.passes.filter { $0.name == .common }.map(\.text)
    let reader = ShaderToyPassReader(files: files, options: options)
    for pass in project.runningOrder {
      do throws(DiagnosticsError) {
        readings.append(
          try reader.read(pass.text, after: common, as: connections.role(of: pass), exposing: project.parameters))
        diagnostics += readings.last?.diagnostics ?? []
      } catch {
        diagnostics += error.diagnostics
      }
    }
    let parameters = MergedParameters(readings.flatMap(\.parameters))
    let constants = readings.flatMap(\.constants)
    let isComplete = readings.count == project.runningOrder.count
    // A text that could not be read may define names that are missing in others.
    if isComplete, !diagnostics.contains(where: { $0.severity == .error }) {
      exposed = ExposedParameters(project.parameters, among: constants)
    }
    diagnostics = (diagnostics + exposed.diagnostics + parameters.diagnostics).withoutRepetitions.inOrderOfPlaces
    guard isComplete else { return FilterDraft(nil, diagnostics) }
    // The image comes first, whose channels have the shortest names; the others as they run.
    let inputs = (readings.suffix(1) + readings.dropLast()).flatMap(\.inputs)
    var about = project.about
    about.title = project.title
    let passes = readings.map(\.pass)
    let canvas = ShaderToyCanvas.target(writtenBy: passes)
    let manifest = FilterManifest(
      name: name, dialect: .shaderToy, kind: inputs.contains { $0.origin == .user } ? .filter : .generator, about: about,
      inputs: inputs, parameters: exposed.parameters + parameters.parameters,
      constants: constants.firstOfEachName.filter { constant in !project.parameters.contains { $0.name == constant.name } },
      targets: connections.targets + canvas.targets, passes: passes + canvas.passes, alpha: .opaque)
    return FilterDraft(manifest, diagnostics)
  }
}

/// The parameters of all passes, each once.
private struct MergedParameters {
  private(set) var parameters: [FilterParameter] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ all: [FilterParameter]) {
    for parameter in all {
      guard let first = parameters.first(where: { $0.name == parameter.name }) else {
        parameters.append(parameter)
        continue
      }
      guard first.kind.valueType != parameter.kind.valueType else { continue }
      let places = [(parameter.place, "\(parameter.kind.valueType.rawValue) here"), (first.place, "\(first.kind.valueType.rawValue) here")]
      diagnostics.append(
        Diagnostic(
          "shadertoy.parameter-types", "'\(parameter.name)' has different types in different passes",
          labels: places.compactMap { place, label in place.map { $0.label(label) } },
          help: ["declare it with one type, or give it two names"]))
    }
  }
}

extension [Diagnostic] {
  /// Each diagnostic once: what is wrong with Common shows in every pass.
  var withoutRepetitions: [Diagnostic] {
    var known: Set<Diagnostic> = []
    return filter { known.insert($0).inserted }
  }
}

// MARK: - connections

/// What connects the passes of a project: their targets, and what each channel reads.
struct ProjectConnections {
  private(set) var targets: [FilterTarget] = []
  private(set) var diagnostics: [Diagnostic] = []
  private let options: FilterReader.Options
  private let isConnected: Bool
  private let mainPass: ShaderToyProject.PassName

  init(_ project: ShaderToyProject, _ options: FilterReader.Options) {
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
    let channels = pass.channels.map { ($0.name, channel($0, prefix)) }
    return ShaderToyRole(
      name: pass.name.rawValue, target: pass.name.isTarget ? pass.name.rawValue : nil, entry: entry(of: pass.name),
      prefix: prefix, connected: Dictionary(channels) { _, last in last }, isConnected: isConnected)
  }

  private func entry(of pass: ShaderToyProject.PassName) -> ShaderToyEntry.Form {
    switch pass {
    case .cubemapA: .cubemap
    case .sound: .sound
    default: .image
    }
  }

  private func channel(_ channel: ShaderToyProject.Channel, _ prefix: String) -> ShaderToyRole.Channel {
    func input(
      _ origin: FilterInput.Origin, _ shape: TextureShape = .flat, hasSize: Bool = true, sound: SoundPicture? = nil,
      media: FilterInput.SiteMedia? = nil
    ) -> ShaderToyRole.Channel {
      let setting = options.channel(prefix + channel.name, declared: .init(sampler: channel.sampler, isFlipped: channel.isFlipped))
      return ShaderToyRole.Channel(
        input: FilterInput(
          name: prefix + channel.name, origin: origin, shape: shape, sampler: setting.sampler, isFlipped: setting.isFlipped,
          sound: sound, media: media, place: channel.place), hasSize: hasSize)
    }
    switch channel.source {
    case .target(let name):
      return ShaderToyRole.Channel(target: name.rawValue, shape: name == .cubemapA ? .cube : .flat, sampler: channel.sampler)
    case .asset(let asset, let shape): return input(.asset(asset), shape, hasSize: shape != .cube)
    case .file(let path, let shape):
      let sound = EditorChannels.isSound(path) ? SoundPicture.player : nil
      return input(.file(path: path, place: channel.place), shape, hasSize: shape != .cube, sound: sound)
    case .user(let shape): return input(.user, shape, hasSize: shape != .cube)
    case .keyboard: return input(.keyboard, hasSize: false)
    case .video(let media): return input(.user, media: media)
    case .sound(let media): return input(.user, sound: .player, media: media)
    }
  }

  // MARK: what a project may not have

  private mutating func warnEmpty(_ name: ShaderToyProject.PassName, _ place: SourceRange) {
    diagnostics.append(
      Diagnostic(
        "shadertoy.empty-target", "the project has no pass '\(name.rawValue)', so what it would write stays transparent black",
        severity: .warning, labels: [place.label("never written")]))
  }

  private mutating func report(_ pass: ShaderToyProject.Pass) {
    guard pass.name == .sound, options.part == .pictures else { return }
    diagnostics.append(
      Diagnostic(
        ShaderToySound.passNote, "no picture depends on the sound pass", severity: .note,
        labels: pass.place.map { [$0.label("makes sound")] } ?? [],
        help: ["type '-o name.wav' to hear it; a video has it"]))
  }
}

/// The inputs of a player that are sounds.
enum SoundInputs {
  /// As the site calls them.
  static let kinds: Set<String> = ["music", "musicstream", "mic"]
}

/// The inputs of a player that are pictures of a video or of a camera, in whose place a user gives a picture or a sequence.
enum VideoInputs {
  /// As the site calls them.
  static let kinds: Set<String> = ["video", "webcam"]
}

extension ShaderToyProject.Source {
  /// A sound, a video or a camera, by what the site calls it; nil for anything else.
  init?(kind: String, path: String = "") {
    let media = FilterInput.SiteMedia(kind: kind, path: path)
    if SoundInputs.kinds.contains(kind) {
      self = .sound(media)
    } else if VideoInputs.kinds.contains(kind) {
      self = .video(media)
    } else {
      return nil
    }
  }

  /// A song or a video of the site, by its path; nil for other files.
  init?(mediaPath path: String) {
    guard path.hasPrefix("/media/") else { return nil }
    switch path.split(separator: ".").last {
    case "mp3": self = .sound(.init(kind: "music", path: path))
    case "webm", "ogv", "mp4": self = .video(.init(kind: "video", path: path))
    default: return nil
    }
  }
}

// MARK: - samplers

/// The samplers that a player really uses where several channels of a project read one buffer.
///
/// The player keeps interpolation and address mode with the buffer, not with the channel. It sets the address mode while it loads the project, so the
/// last channel in the author's order counts for all; it sets the interpolation before each pass, channel by channel, so among the channels of one
/// pass the highest one counts.
struct SharedSamplers {
  private(set) var warnings: [Diagnostic] = []
  private let addresses: [ShaderToyProject.PassName: (channel: ShaderToyProject.Channel, pass: ShaderToyProject.PassName)]

  init(_ project: ShaderToyProject) {
    var addresses: [ShaderToyProject.PassName: (channel: ShaderToyProject.Channel, pass: ShaderToyProject.PassName)] = [:]
    for pass in project.passes {
      for channel in pass.channels {
        if case .target(let target) = channel.source { addresses[target] = (channel, pass.name) }
      }
    }
    self.addresses = addresses
  }

  /// The project with every channel read as the player reads it; what that changes becomes a warning.
  mutating func applied(to project: ShaderToyProject) -> ShaderToyProject {
    let passes = project.passes.map { pass in
      ShaderToyProject.Pass(
        name: pass.name, text: pass.text, channels: pass.channels.map { shared($0, in: pass) }, place: pass.place)
    }
    return ShaderToyProject(
      title: project.title, about: project.about, passes: passes, parameters: project.parameters, isConnected: project.isConnected)
  }

  private mutating func shared(_ channel: ShaderToyProject.Channel, in pass: ShaderToyProject.Pass) -> ShaderToyProject.Channel {
    guard case .target(let target) = channel.source, let address = addresses[target] else { return channel }
    let interpolation = pass.channels.filter { $0.source == channel.source }.max { $0.index < $1.index } ?? channel
    let sampler = Sampler(interpolation.sampler.interpolation, address.channel.sampler.address)
    if sampler.interpolation != channel.sampler.interpolation {
      warn(channel, of: pass.name, target, channel.sampler.interpolation.rawValue, sampler.interpolation.rawValue, interpolation, pass.name)
    }
    if sampler.address != channel.sampler.address {
      warn(channel, of: pass.name, target, channel.sampler.address.rawValue, sampler.address.rawValue, address.channel, address.pass)
    }
    return ShaderToyProject.Channel(
      index: channel.index, source: channel.source, sampler: sampler, isFlipped: channel.isFlipped, place: channel.place)
  }

  private mutating func warn(
    _ channel: ShaderToyProject.Channel, of pass: ShaderToyProject.PassName, _ target: ShaderToyProject.PassName, _ asked: String,
    _ used: String, _ winner: ShaderToyProject.Channel, _ winningPass: ShaderToyProject.PassName
  ) {
    warnings.append(
      Diagnostic(
        "shadertoy.shared-sampler", "'\(channel.name)' of '\(pass.rawValue)' reads '\(target.rawValue)' as '\(used)', not as '\(asked)'",
        severity: .warning,
        labels: [
          channel.place.label("asks for \(asked)"),
          winner.place.label("set later: \(used)"),
        ],
        notes: [
          "a player keeps such settings with the buffer, so the last one counts, that of '\(winner.name)' of '\(winningPass.rawValue)'"
        ]))
  }
}

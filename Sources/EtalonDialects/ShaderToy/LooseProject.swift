package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
internal import EtalonTypes

/// Follows a loose file to the passes that its directives name: `#iChannel0 "self"` and `#iChannel0 "file://buffer.glsl"`, as an editor extension that
/// previews ShaderToy files has them.
///
/// Every file is a pass, which runs after those that it names; when files name each other, one of them reads the frame before. A file that reads itself
/// is a buffer, whose picture is the result. Buffers hold floats and are read linearly and up to their edges, unless directives say otherwise.
package struct LooseProject {
  private static let buffers: [ShaderToyProject.PassName] = [.bufferA, .bufferB, .bufferC, .bufferD]
  /// The largest text of a pass, in bytes.
  private static let largestFile = 1 << 22
  private static let copy = "void mainImage(out vec4 color, in vec2 position) { color = texelFetch(iChannel0, ivec2(position), 0); }\n"

  /// What follows the path of a file that reads itself in the path of the copy that shows it.
  static let copySuffix = "#image"

  private let root: SourceText
  /// The folder that messages put in front of relative paths.
  private let folder: String
  private let files: any FileProvider
  /// The buffer that each file is, by its path.
  private var names: [String: ShaderToyProject.PassName] = [:]
  private var passes: [ShaderToyProject.Pass] = []
  private var diagnostics: [Diagnostic] = []

  /// - Parameter files: those of the folder of the loose file.
  package init(_ root: SourceText, files: any FileProvider) {
    self.root = root
    self.files = files
    folder = String(root.path[..<(root.path.lastIndex(of: "/").map { root.path.index(after: $0) } ?? root.path.startIndex)])
  }

  /// The project; nil when the file names no passes.
  package func read() throws(DiagnosticsError) -> ShaderToyProject? {
    var reader = self
    return try reader.followed()
  }

  private mutating func followed() throws(DiagnosticsError) -> ShaderToyProject? {
    let name = String(root.path.dropFirst(folder.count))
    guard !EditorChannels(Lexer.tokens(of: root)).channelsOfPasses.isEmpty else { return nil }
    let channels = channels(of: root, at: name)
    if let own = names[name] {
      let reader = (passes.flatMap(\.channels) + channels).first { $0.source == .target(own) }
      let place = reader?.place ?? SourceRange(root, 0..<0)
      // The copy reads single pixels, whatever the sampler is; another one would count as a second way of reading the buffer.
      let image = ShaderToyProject.Channel(
        index: 0, source: .target(own), sampler: reader?.sampler ?? Sampler(.nearest, .clamp), place: place)
      passes.append(.init(name: own, text: root, channels: channels, place: place))
      passes.append(.init(name: .image, text: SourceText(path: root.path + Self.copySuffix, text: Self.copy), channels: [image]))
    } else {
      passes.append(.init(name: .image, text: root, channels: channels))
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics.inOrderOfPlaces) }
    return ShaderToyProject(passes: passes, isConnected: false, mainPass: names[name] ?? .image)
  }

  /// What a file connects; the files that it names become passes in front of it.
  private mutating func channels(of text: SourceText, at path: String) -> [ShaderToyProject.Channel] {
    let tokens = Lexer.tokens(of: text)
    let editor = EditorChannels(tokens)
    var found: [String: ShaderToyProject.Channel] = [:]
    for (name, pass, place) in editor.channelsOfPasses {
      guard let target = target(pass, of: path, place), let index = ShaderToyUniforms.channels.firstIndex(of: name) else { continue }
      let sampler = editor.sampler(of: name, from: Sampler(.linear, .clamp))
      found[name] = ShaderToyProject.Channel(index: index, source: .target(target), sampler: sampler, place: place)
    }
    for (index, name) in ShaderToyUniforms.channels.enumerated() where found[name] == nil {
      guard let input = editor.channel(name, FilterReader.Options())?.input, case .file(let picture, _) = input.origin else { continue }
      found[name] = ShaderToyProject.Channel(
        index: index, source: .file(Self.path(picture, from: path), input.shape), sampler: input.sampler, isFlipped: input.isFlipped,
        place: input.place ?? SourceRange(text, 0..<0))
    }
    return found.values.sorted { $0.index < $1.index }
  }

  /// The buffer of a pass; reads its file when it was not met before.
  private mutating func target(_ pass: EditorChannels.Pass, of path: String, _ place: SourceRange) -> ShaderToyProject.PassName? {
    guard case .file(let named) = pass else { return buffer(for: path, place) }
    let file = Self.path(named, from: path)
    if names[file] != nil || file == String(root.path.dropFirst(folder.count)) { return buffer(for: file, place) }
    guard let text = text(of: file, place), let name = buffer(for: file, place) else { return nil }
    let channels = channels(of: text, at: file)
    passes.append(.init(name: name, text: text, channels: channels, place: place))
    return name
  }

  private mutating func buffer(for file: String, _ place: SourceRange) -> ShaderToyProject.PassName? {
    if let known = names[file] { return known }
    guard names.count < Self.buffers.count else {
      diagnostics.append(
        Diagnostic(
          "shadertoy.many-buffers", "a ShaderToy has up to four buffers, and this file would be another one",
          labels: [place.label("a fifth buffer")], help: ["let one of the passes do the work of two"]))
      return nil
    }
    names[file] = Self.buffers[names.count]
    return names[file]
  }

  private mutating func text(of file: String, _ place: SourceRange) -> SourceText? {
    let why: String
    do throws(FileError) {
      return SourceText(path: folder + file, bytes: try files.bytes(at: file, atMost: Self.largestFile))
    } catch {
      switch error {
      case .missing: why = "it is not there"
      case .outside: why = "it leads out of the folder of the filter"
      case .tooLarge: why = "it is larger than \(Self.largestFile >> 20) MiB"
      case .unreadable(let reason): why = reason
      }
    }
    diagnostics.append(
      Diagnostic(
        "shadertoy.unreadable-pass", "cannot read the pass '\(folder)\(file)': \(why)",
        labels: [place.label("the text of a pass")],
        help: ["put it beside '\(root.path)', and name it as it is called there"]))
    return nil
  }

  /// A path that a file names, relative to the folder of the loose file.
  static func path(_ named: String, from file: String) -> String {
    var parts = file.split(separator: "/").dropLast().map(String.init)
    for part in named.split(separator: "/", omittingEmptySubsequences: true).map(String.init) where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (named.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}

// MARK: - directives of editors

/// The channels that a loose file connects itself, in the directives of an editor extension that previews ShaderToy files.
///
/// `#iChannel0 "file://horizon.jpg"`, `#iChannel0 "file://song.wav"`, `#iChannel0 "self"`, `#iChannel0 "file://buffer.glsl"`, `#iChannel0::MinFilter "Nearest"`,
/// `#iChannel0::WrapMode "Clamp"`; a cube map is `#iChannel0 "file://sky_{}.jpg"` with `#iChannel0::Type "CubeMap"`. The extension's other sources are refused elsewhere; addresses on the web are warned about, because nothing is fetched.
struct EditorChannels {
  /// A pass whose result a channel reads.
  enum Pass: Hashable {
    /// The one with the directive, a frame ago.
    case own
    /// The text at a path.
    case file(String)
  }

  private var paths: [String: SourceRange] = [:]
  private var files: [String: String] = [:]
  private var passes: [String: Pass] = [:]
  private var samplers: [String: SamplerChange] = [:]
  /// The channels that read cube maps.
  private(set) var cubes: Set<String> = []
  /// What is wrong with the directives.
  private(set) var warnings: [Diagnostic] = []

  init(_ tokens: [Token]) {
    for directive in Directive.all(in: tokens) {
      guard ShaderToyUniforms.channels.contains(directive.name) else {
        warnings += EditorDirectives.unknown(directive, tokens)
        continue
      }
      guard let last = directive.operands.last, tokens[last].kind == .string else { continue }
      let text = tokens[last].text.filter { $0 != "\"" }
      let words = directive.operands.dropLast().filter { tokens[$0].kind == .identifier }
      if let setting = words.first {
        let setting = EditorSampling(tokens[setting], tokens[last], of: directive.name)
        if setting.isCube { cubes.insert(directive.name) }
        set(setting, of: directive.name)
      } else if let place = tokens[last].origin {
        files[directive.name] = Self.path(text)
        passes[directive.name] = Self.pass(text)
        paths[directive.name] = place
        warnAbout(text, of: directive.name, place)
      }
    }
  }

  /// The channels that read passes.
  var channelsOfPasses: [(name: String, pass: Pass, place: SourceRange)] {
    ShaderToyUniforms.channels.compactMap { name in
      guard let pass = passes[name], let place = paths[name] else { return nil }
      return (name, pass, place)
    }
  }

  /// The pass that a text names; nil for anything else.
  static func pass(_ text: String) -> Pass? {
    let path = local(text)
    if path.lowercased() == "self" { return .own }
    let isShader = [".glsl", ".frag", ".fs"].contains { path.lowercased().hasSuffix($0) }
    return isShader && !path.contains("://") ? .file(path) : nil
  }

  /// The path of a picture or a sound beside the file; nil for anything else.
  private static func path(_ text: String) -> String? {
    let path = local(text)
    return isFile(path) ? path : nil
  }

  /// Whether a path is that of a picture or a sound.
  static func isFile(_ path: String) -> Bool {
    let isPicture = [".png", ".jpg", ".jpeg"].contains { path.lowercased().hasSuffix($0) }
    return (isPicture || isSound(path)) && !path.contains("://")
  }

  private static func local(_ text: String) -> String { text.hasPrefix("file://") ? String(text.dropFirst(7)) : text }

  static func isSound(_ path: String) -> Bool {
    [".wav", ".mp3", ".ogg", ".oga", ".opus", ".flac", ".m4a", ".aac"].contains { path.lowercased().hasSuffix($0) }
  }

  private mutating func set(_ sampling: EditorSampling, of channel: String) {
    warnings += sampling.warnings
    var sampler = samplers[channel] ?? SamplerChange()
    guard sampling.interpolation != nil || sampling.address != nil else { return }
    sampler.interpolation = sampling.interpolation ?? sampler.interpolation
    sampler.address = sampling.address ?? sampler.address
    samplers[channel] = sampler
  }

  /// Warns about a source that is neither a file nor refused elsewhere.
  private mutating func warnAbout(_ text: String, of channel: String, _ place: SourceRange) {
    guard files[channel] == nil, passes[channel] == nil, ShaderToyUnsupportedInputs.kind(ofInput: text) == nil else { return }
    let isAddress = text.contains("://") && !text.hasPrefix("file://")
    warnings.append(
      Diagnostic(
        "shadertoy.channel-source",
        isAddress
          ? "'\(channel)' reads an address on the web, and nothing is fetched"
          : "'\(channel)' reads '\(text)', which is neither a picture, nor a sound, nor a shader",
        severity: .warning, labels: [place.label(isAddress ? "not fetched" : "not read")],
        help: [
          isAddress
            ? "save the picture beside the shader, and write '#\(channel) \"file://photo.jpg\"'"
            : "write '#\(channel) \"file://photo.jpg\"': PNG, JPEG, a sound, or a shader that is a pass",
          "or type '--input \(channel)=photo.jpg'",
        ]))
  }

  /// What a channel reads; nil when no directive says anything about it.
  func channel(_ name: String, _ options: FilterReader.Options) -> ShaderToyRole.Channel? {
    guard files[name] != nil || samplers[name] != nil || cubes.contains(name) else { return nil }
    let isSound = files[name].map(Self.isSound) ?? false
    let shape = cubes.contains(name) ? TextureShape.cube : .flat
    let usual = isSound ? Sampler(.linear, .clamp) : shape == .cube ? Sampler(.mipmap, .clamp) : ChannelReading().sampler
    let setting = options.channel(name, declared: .init(sampler: sampler(of: name, from: usual)))
    let origin = files[name].map { FilterInput.Origin.file(path: $0, place: paths[name]) } ?? .user
    return ShaderToyRole.Channel(
      input: FilterInput(
        name: name, origin: origin, shape: shape, sampler: setting.sampler, isFlipped: setting.isFlipped, sound: isSound ? .player : nil,
        place: paths[name]), hasSize: shape != .cube)
  }

  /// How a channel is read where that differs from what is usual.
  func sampler(of name: String, from usual: Sampler) -> Sampler {
    Sampler(samplers[name]?.interpolation ?? usual.interpolation, samplers[name]?.address ?? usual.address)
  }
}

/// One setting of a channel in the directives of an editor extension: `#iChannel0::WrapMode "Clamp"`.
///
/// The extension names filters as WebGL does; the one for smaller pictures decides about mipmaps, and the one for larger pictures changes nothing here.
private struct EditorSampling {
  private(set) var isCube = false
  private(set) var interpolation: Sampler.Interpolation?
  private(set) var address: Sampler.AddressMode?
  private(set) var warnings: [Diagnostic] = []

  private static let addresses: [String: Sampler.AddressMode] = ["Clamp": .clamp, "Repeat": .repeat, "Mirror": .mirror]
  private static let magnified = ["Nearest", "Linear"]
  private static let minified = magnified + ["NearestMipMapNearest", "NearestMipMapLinear", "LinearMipMapNearest", "LinearMipMapLinear"]
  private static let words = [
    "MagFilter": magnified, "MinFilter": minified, "Type": ["CubeMap", "Texture2D"], "WrapMode": addresses.keys.sorted(),
  ]

  /// - Parameters:
  ///   - setting: `WrapMode`.
  ///   - value: the word in quotes.
  init(_ setting: Token, _ value: Token, of channel: String) {
    guard let known = Self.words[setting.text] else {
      warn(setting, "there is no setting '\(setting.text)' of a channel, so it changes nothing", Self.words.keys.sorted(), "settings")
      return
    }
    let text = value.text.filter { $0 != "\"" }
    guard let word = known.first(where: { $0.lowercased() == text.lowercased() }) else {
      warn(value, "'\(setting.text)' of '\(channel)' cannot be '\(text)', so it changes nothing", known, "choices", written: text)
      return
    }
    switch setting.text {
    case "WrapMode": address = Self.addresses[word]
    case "Type": isCube = word == "CubeMap"
    case "MinFilter": interpolation = word == "Nearest" ? .nearest : word == "Linear" ? .linear : .mipmap
    default: break
    }
  }

  private mutating func warn(_ token: Token, _ message: String, _ names: [String], _ title: String, written: String? = nil) {
    guard let place = token.origin else { return }
    let nearest = NearestName.find(written ?? token.text, in: names).map { ["did you mean '\($0)'?"] }
    warnings.append(
      Diagnostic(
        "shadertoy.channel-setting", message, severity: .warning, labels: [place.label("unknown")],
        help: nearest ?? [], notes: ["\(title): \(names.joined(separator: ", "))"]))
  }
}

/// Removes the directives of editor extensions that preview ShaderToy files, such as `#iChannel0 "file://photo.png"`.
struct EditorDirectives: Rewrite {
  let name = "editor directives"

  func apply(to tokens: inout [Token]) {
    tokens.eraseDirectives { directive, tokens in
      let second = directive.name.dropFirst().first
      return directive.name == "StrictCompatibility" || (directive.name.hasPrefix("i") && second?.isUppercase == true)
    }
  }

  private static let known = ShaderToyUniforms.channels + ["iKeyboard", "iUniform", "iVertex"]

  /// A warning about a directive that has the form of an extension's and is none.
  static func unknown(_ directive: Directive, _ tokens: [Token]) -> [Diagnostic] {
    let second = directive.name.dropFirst().first
    guard directive.name.hasPrefix("i"), second?.isUppercase == true, !known.contains(directive.name) else { return [] }
    let isChannel = directive.name.hasPrefix("iChannel")
    return [
      Diagnostic(
        "shadertoy.directive",
        isChannel ? "there is no channel '\(directive.name)'" : "there is no directive '#\(directive.name)', so it says nothing",
        severity: .warning, labels: tokens.labels(at: Array(directive.range.prefix(2)), isChannel ? "not read" : "unknown"),
        help: isChannel
          ? ["the channels are \(ShaderToyUniforms.channels.joined(separator: ", "))"]
          : NearestName.find(directive.name, in: known).map { ["did you mean '#\($0)'?"] } ?? [])
    ]
  }
}

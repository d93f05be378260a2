internal import EtalonDiagnostics
internal import EtalonTypes

/// The channels that a loose file connects itself, in the directives of an editor extension that previews ShaderToy files.
///
/// `#iChannel0 "file://horizon.jpg"`, `#iChannel0 "file://song.wav"`, `#iChannel0 "self"`, `#iChannel0 "file://buffer.glsl"`, `#iChannel0::MinFilter "Nearest"`,
/// `#iChannel0::WrapMode "Clamp"`. The extension's other sources are refused elsewhere; addresses on the web are warned about, because nothing is fetched.
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
  private var samplers: [String: FilterReader.SamplerChange] = [:]
  /// What the directives say that means nothing.
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
        set(EditorSampling(tokens[setting], tokens[last], of: directive.name), of: directive.name)
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
    let isPicture = [".png", ".jpg", ".jpeg"].contains { path.lowercased().hasSuffix($0) }
    return (isPicture || isSound(path)) && !path.contains("://") ? path : nil
  }

  private static func local(_ text: String) -> String { text.hasPrefix("file://") ? String(text.dropFirst(7)) : text }

  private static func isSound(_ path: String) -> Bool { path.lowercased().hasSuffix(".wav") }

  private mutating func set(_ sampling: EditorSampling, of channel: String) {
    warnings += sampling.warnings
    var sampler = samplers[channel] ?? FilterReader.SamplerChange()
    guard sampling.interpolation != nil || sampling.address != nil else { return }
    sampler.interpolation = sampling.interpolation ?? sampler.interpolation
    sampler.address = sampling.address ?? sampler.address
    samplers[channel] = sampler
  }

  /// Warns about a source that is neither a file nor refused elsewhere.
  private mutating func warnAbout(_ text: String, of channel: String, _ place: SourceRange) {
    guard files[channel] == nil, passes[channel] == nil, ShaderToyUnsupportedInputs.kind(ofInput: text) == nil else { return }
    let isAddress = text.contains("://")
    warnings.append(
      Diagnostic(
        "shadertoy.channel-source",
        isAddress
          ? "'\(channel)' reads an address on the web, and nothing is fetched"
          : "'\(channel)' reads '\(text)', which is neither a picture, nor a sound, nor a shader",
        severity: .warning, labels: [.init(place.source, place.range, isAddress ? "not fetched" : "not read")],
        help: [
          isAddress
            ? "save the picture beside the shader, and write '#\(channel) \"file://photo.jpg\"'"
            : "write '#\(channel) \"file://photo.jpg\"': PNG, JPEG, WAV, or a shader that is a pass",
          "or type '--input \(channel)=photo.jpg'",
        ]))
  }

  /// What a channel reads; nil when no directive says anything about it.
  func channel(_ name: String, _ options: ShaderToyOptions) -> ShaderToyRole.Channel? {
    guard files[name] != nil || samplers[name] != nil else { return nil }
    let isSound = files[name].map(Self.isSound) ?? false
    let usual = isSound ? Sampler(.linear, .clamp) : ShaderToyOptions.Channel().sampler
    let setting = options.channel(name, declared: .init(sampler: sampler(of: name, from: usual)))
    let origin = files[name].map { FilterInput.Origin.file(path: $0, place: paths[name]) } ?? .user
    return ShaderToyRole.Channel(
      input: FilterInput(
        name: name, origin: origin, sampler: setting.sampler, isFlipped: setting.isFlipped, sound: isSound ? .player : nil,
        place: paths[name]))
  }

  /// How a channel is read where that differs from what is usual.
  func sampler(of name: String, from usual: Sampler) -> Sampler {
    Sampler(samplers[name]?.interpolation ?? usual.interpolation, samplers[name]?.address ?? usual.address)
  }
}

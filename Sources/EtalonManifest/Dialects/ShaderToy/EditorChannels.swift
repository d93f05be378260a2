internal import EtalonDiagnostics
internal import EtalonTypes

/// The channels that a loose file connects itself, in the directives of an editor extension that previews ShaderToy files.
///
/// `#iChannel0 "file://horizon.jpg"`, `#iChannel0 "file://song.wav"`, `#iChannel0 "self"`, `#iChannel0 "file://buffer.glsl"`, `#iChannel0::MinFilter "Nearest"`,
/// `#iChannel0::WrapMode "Clamp"`. The extension's other sources are refused elsewhere; addresses on the web say nothing, because nothing is fetched.
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

  init(_ tokens: [Token]) {
    for directive in Directive.all(in: tokens) where ShaderToyUniforms.channels.contains(directive.name) {
      guard let last = directive.operands.last, tokens[last].kind == .string else { continue }
      let text = tokens[last].text.filter { $0 != "\"" }
      let words = directive.operands.dropLast().filter { tokens[$0].kind == .identifier }.map { tokens[$0].text }
      if let setting = words.first {
        set(setting, text, of: directive.name)
      } else if let place = tokens[last].origin {
        files[directive.name] = Self.path(text)
        passes[directive.name] = Self.pass(text)
        paths[directive.name] = place
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
    let path = text.hasPrefix("file://") ? String(text.dropFirst(7)) : text
    if path.lowercased() == "self" { return .own }
    let isShader = [".glsl", ".frag", ".fs"].contains { path.lowercased().hasSuffix($0) }
    return isShader && !path.contains("://") ? .file(path) : nil
  }

  /// The path of a picture or a sound beside the file; nil for anything else.
  private static func path(_ text: String) -> String? {
    let path = text.hasPrefix("file://") ? String(text.dropFirst(7)) : text
    let isPicture = [".png", ".jpg", ".jpeg"].contains { path.lowercased().hasSuffix($0) }
    return (isPicture || isSound(path)) && !path.contains("://") ? path : nil
  }

  private static func isSound(_ path: String) -> Bool { path.lowercased().hasSuffix(".wav") }

  /// The extension names filters as WebGL does; the one for smaller pictures decides about mipmaps.
  private mutating func set(_ setting: String, _ value: String, of channel: String) {
    var sampler = samplers[channel] ?? FilterReader.SamplerChange()
    switch (setting, value.lowercased()) {
    case ("WrapMode", "clamp"): sampler.address = .clamp
    case ("WrapMode", "repeat"): sampler.address = .repeat
    case ("WrapMode", "mirror"): sampler.address = .mirror
    case ("MinFilter", "nearest"): sampler.interpolation = .nearest
    case ("MinFilter", "linear"): sampler.interpolation = .linear
    case ("MinFilter", let filter) where filter.contains("mipmap"): sampler.interpolation = .mipmap
    default: return
    }
    samplers[channel] = sampler
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

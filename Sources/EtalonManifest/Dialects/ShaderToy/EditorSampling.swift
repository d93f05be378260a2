internal import EtalonDiagnostics
internal import EtalonTypes

/// One setting of a channel in the directives of an editor extension: `#iChannel0::WrapMode "Clamp"`.
///
/// The extension names filters as WebGL does; the one for smaller pictures decides about mipmaps, and the one for larger pictures changes nothing here.
struct EditorSampling {
  private(set) var interpolation: Sampler.Interpolation?
  private(set) var address: Sampler.AddressMode?
  private(set) var warnings: [Diagnostic] = []

  private static let addresses: [String: Sampler.AddressMode] = ["Clamp": .clamp, "Repeat": .repeat, "Mirror": .mirror]
  private static let magnified = ["Nearest", "Linear"]
  private static let minified = magnified + ["NearestMipMapNearest", "NearestMipMapLinear", "LinearMipMapNearest", "LinearMipMapLinear"]
  private static let words = ["MagFilter": magnified, "MinFilter": minified, "Type": ["CubeMap"], "WrapMode": addresses.keys.sorted()]

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
    case "MinFilter": interpolation = word == "Nearest" ? .nearest : word == "Linear" ? .linear : .mipmap
    default: break
    }
  }

  private mutating func warn(_ token: Token, _ message: String, _ names: [String], _ title: String, written: String? = nil) {
    guard let place = token.origin else { return }
    let nearest = NearestName.find(written ?? token.text, in: names).map { ["did you mean '\($0)'?"] }
    warnings.append(
      Diagnostic(
        "shadertoy.channel-setting", message, severity: .warning, labels: [.init(place.source, place.range, "unknown")],
        help: nearest ?? [], notes: ["\(title): \(names.joined(separator: ", "))"]))
  }
}

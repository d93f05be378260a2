internal import EtalonDiagnostics
internal import EtalonTypes

/// How an input of an export is read: words, those for truth values too.
struct ExportSampler {
  private(set) var diagnostics: [Diagnostic] = []
  private var interpolation: Sampler.Interpolation?
  private var address: Sampler.AddressMode?
  private var isUpright: Bool?

  /// - Parameter json: the sampler; nil for an input without one.
  init(_ json: LocatedJSON?, of owner: String) {
    guard let json, json.content != .null else { return }
    var members = JSONMembers(json, of: owner, ignoresNull: true)
    interpolation = Self.word("filter", ["nearest": .nearest, "linear": .linear, "mipmap": .mipmap], &members)
    address = Self.word("wrap", ["clamp": .clamp, "repeat": .repeat], &members)
    isUpright = Self.word("vflip", ["true": true, "false": false], &members)
    _ = Self.word("srgb", ["true": true, "false": false], &members)
    _ = members.value("internal")
    members.reportUnknownKeys(as: .warning)
    diagnostics = members.diagnostics
  }

  /// The sampler for what the input shows.
  func sampler(of source: ShaderToyProject.Source) -> Sampler {
    var sampler = source.standardSampler
    if source == .keyboard { return sampler }
    if case .sound = source { return Sampler(interpolation == .nearest ? .nearest : .linear, .clamp) }
    sampler.interpolation = interpolation ?? sampler.interpolation
    if !source.isCube { sampler.address = address ?? sampler.address }
    return sampler
  }

  /// The faces of a cube are stored with their top row first, so there the setting means the opposite.
  func isFlipped(_ source: ShaderToyProject.Source) -> Bool {
    guard case .asset(_, let shape) = source, let isUpright else { return false }
    return shape == .cube ? isUpright : !isUpright
  }

  /// What one key says; nil where it says nothing, or what no player knows, which is reported.
  private static func word<Meaning>(_ key: String, _ meanings: [String: Meaning], _ members: inout JSONMembers) -> Meaning? {
    guard let value = members.value(key) else { return nil }
    if let meaning = value.text.flatMap({ meanings[$0] }) { return meaning }
    let words = meanings.keys.sorted()
    let nearest = value.text.flatMap { NearestName.find($0, in: words) }
    members.report(
      "shadertoy.sampler-word", "'\(key)' cannot be \(value.text.map { "'\($0)'" } ?? value.kind)", at: value.place, "unknown",
      help: nearest.map { ["did you mean '\($0)'?"] } ?? [], notes: ["ShaderToy knows: \(words.joined(separator: ", "))"])
    return nil
  }
}

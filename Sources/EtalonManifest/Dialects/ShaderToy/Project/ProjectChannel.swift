internal import EtalonDiagnostics
internal import EtalonTypes

/// One channel in `project.json`: a word such as `"bufferA"`, or an object that also says how it is read.
///
/// Exactly one of `source` (a pass, `keyboard` or `input`), `asset` (the path or the title of a picture of the site) and `file` (a picture beside the
/// project); further `interpolation`, `address`, `flipped`, and `shape` (`flat`, `cube`) for pictures.
struct ProjectChannel {
  private(set) var channel: ShaderToyProject.Channel?
  private(set) var diagnostics: [Diagnostic] = []

  private static let sources: [String: ShaderToyProject.Source] = {
    var sources: [String: ShaderToyProject.Source] = ["keyboard": .keyboard, "input": .user]
    for name in ShaderToyProject.PassName.allCases where name.isTarget { sources[name.rawValue] = .target(name) }
    return sources
  }()

  init(_ json: LocatedJSON, index: Int, named owner: String) {
    if case .string(let word) = json.content {
      guard let source = source(Placed(word, at: json.place)) else { return }
      channel = ShaderToyProject.Channel(index: index, source: source, sampler: source.standardSampler, place: json.place)
      return
    }
    var members = JSONMembers(json, of: owner)
    let source = members.string("source")
    let asset = members.string("asset")
    let file = members.string("file")
    let shape = Self.choice("shape", ["flat": TextureShape.flat, "cube": .cube], &members)
    let interpolation = Self.choice(
      "interpolation", Dictionary(uniqueKeysWithValues: Sampler.Interpolation.allCases.map { ($0.rawValue, $0) }), &members)
    let address = Self.choice(
      "address", Dictionary(uniqueKeysWithValues: Sampler.AddressMode.allCases.map { ($0.rawValue, $0) }), &members)
    let isFlipped = members.bool("flipped")?.value ?? false
    members.reportUnknownKeys(as: .error)
    diagnostics += members.diagnostics
    guard json.members != nil, let (what, place) = what(source, asset, file, shape, json, owner) else { return }
    let standard = what.standardSampler
    channel = ShaderToyProject.Channel(
      index: index, source: what, sampler: Sampler(interpolation ?? standard.interpolation, address ?? standard.address),
      isFlipped: isFlipped, place: place)
  }

  private mutating func what(
    _ source: Placed<String>?, _ asset: Placed<String>?, _ file: Placed<String>?, _ shape: TextureShape?, _ json: LocatedJSON,
    _ owner: String
  ) -> (ShaderToyProject.Source, SourceRange)? {
    let given = [source, asset, file].compactMap(\.self)
    guard given.count == 1 else {
      let place = given.last?.place ?? SourceRange(json.place.source, json.place.range.prefix(1))
      report(
        "project.source", "\(owner) needs one of 'source', 'asset' and 'file', and has \(given.isEmpty ? "none" : "several")", place,
        given.isEmpty ? "in here" : "one too many", help: [#"write "source": "bufferA", or "asset": "London", or "file": "photo.jpg""#])
      return nil
    }
    if let source { return self.source(source).map { ($0, source.place) } }
    if let asset { return (.asset(Self.asset(asset.value), shape ?? Self.shape(ofAsset: asset.value)), asset.place) }
    return file.map { (.file($0.value, shape ?? .flat), $0.place) }
  }

  private mutating func source(_ word: Placed<String>) -> ShaderToyProject.Source? {
    if let source = Self.sources[word.value] { return source }
    if SoundInputs.kinds.contains(word.value) { return .sound(word.value) }
    if FilmInputs.kinds.contains(word.value) { return .user }
    if UnsupportedInputs.kinds.contains(word.value) { return .unsupported(word.value) }
    let nearest = NearestName.find(word.value, in: Self.sources.keys).map { ["did you mean '\($0)'?"] }
    let isFile = word.value.contains(".")
    report(
      "project.source", "there is no source '\(word.value)'", word.place, "unknown",
      help: nearest ?? (isFile ? [#"write {"file": "\#(word.value)"}"#] : []),
      notes: ["sources: " + Self.sources.keys.sorted().joined(separator: ", ")])
    return nil
  }

  private static func entry(_ text: String) -> ShaderToyAssets.Entry? {
    ShaderToyAssets.entry(title: text) ?? ShaderToyAssets.entry(path: text)
  }

  private static func asset(_ text: String) -> FilterInput.Asset {
    entry(text)?.asset ?? FilterInput.Asset(id: text, fileName: text.split(separator: "/").last.map(String.init) ?? text)
  }

  private static func shape(ofAsset text: String) -> TextureShape { entry(text)?.shape ?? .flat }

  private static func choice<Choice>(_ key: String, _ choices: [String: Choice], _ members: inout JSONMembers) -> Choice? {
    guard let word = members.string(key) else { return nil }
    if let choice = choices[word.value] { return choice }
    members.report(
      "project.choice", "'\(key)' cannot be '\(word.value)'", at: word.place, "unknown",
      help: NearestName.find(word.value, in: choices.keys).map { ["did you mean '\($0)'?"] } ?? [],
      notes: ["choices: " + choices.keys.sorted().joined(separator: ", ")])
    return nil
  }

  private mutating func report(
    _ id: String, _ message: String, _ place: SourceRange, _ label: String, help: [String] = [], notes: [String] = []
  ) {
    diagnostics.append(Diagnostic(id, message, labels: [.init(place.source, place.range, label)], help: help, notes: notes))
  }
}

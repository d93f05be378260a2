internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// What `project.json` says: which passes there are, in which order, and what their channels read.
///
/// Keys: `shadertoy` (1), `name`, `description`, `credit`, `license`, `categories`, `passes` (objects with `name` and `channels`) and `parameters` (objects
/// with `name`, `minimum`, `maximum`, `step`, `label`, `help`). Other keys are refused.
struct ProjectFile {
  struct Pass {
    let name: ShaderToyProject.PassName
    let channels: [ShaderToyProject.Channel]
    let place: SourceRange
  }

  private(set) var title: String?
  private(set) var about = FilterManifest.About()
  private(set) var passes: [Pass] = []
  /// The names of all passes that are listed, those with errors too.
  private(set) var names: Set<ShaderToyProject.PassName> = []
  private(set) var parameters: [ExposedConstant] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ source: SourceText) {
    let reading = JSONReader().read(source)
    diagnostics = reading.diagnostics
    guard let root = reading.value else { return }
    var members = JSONMembers(root, of: "the project")
    members.reportMissing("shadertoy", help: ["write \"shadertoy\": 1"])
    if let version = members.number("shadertoy"), version.value != 1 {
      members.report("project.version", "the project has another version than 1", at: version.place, "expected 1")
    }
    title = members.string("name")?.value
    about = .init(
      description: members.string("description")?.value, credit: members.string("credit")?.value, license: members.string("license")?.value,
      categories: members.strings("categories")?.map(\.value) ?? [])
    members.reportMissing("passes", help: [#"write "passes": [{"name": "image"}]"#])
    let list = members.array("passes")
    let constants = members.array("parameters")?.value ?? []
    members.reportUnknownKeys(as: .error)
    diagnostics += members.diagnostics
    for pass in list?.value ?? [] { add(pass) }
    for constant in constants { add(parameter: constant) }
    if let list, !names.contains(.image), diagnostics.isEmpty {
      diagnostics.report(
        "project.no-image", "the project has no pass 'image'", at: SourceRange(source, list.place.range.prefix(1)), "not in here",
        help: [#"add {"name": "image"}"#])
    }
  }

  // MARK: passes

  private mutating func add(_ json: LocatedJSON) {
    var members = JSONMembers(json, of: "the pass")
    members.reportMissing("name")
    let written = members.string("name")
    let channels = members.object("channels")
    members.reportUnknownKeys(as: .error)
    diagnostics += members.diagnostics
    guard let written, let name = name(written) else { return }
    if !names.insert(name).inserted {
      diagnostics.report(
        "project.pass-twice", "the pass '\(name.rawValue)' is listed twice", at: written.place, "again", help: ["remove one of them"])
    }
    var found: [ShaderToyProject.Channel] = []
    for member in channels?.members ?? [] {
      guard let index = ShaderToyUniforms.channels.firstIndex(of: member.key) else {
        diagnostics.report(
          "project.channel", "'\(name.rawValue)' has no channel '\(member.key)'", at: member.keyPlace, "unknown",
          help: ["channels are iChannel0, iChannel1, iChannel2 and iChannel3"])
        continue
      }
      let channel = ProjectChannel(member.value, index: index, named: "'\(member.key)' of '\(name.rawValue)'")
      diagnostics += channel.diagnostics
      if let channel = channel.channel { found.append(channel) }
    }
    passes.append(Pass(name: name, channels: found, place: written.place))
  }

  private mutating func name(_ written: Placed<String>) -> ShaderToyProject.PassName? {
    let offered = ShaderToyProject.PassName.allCases.filter { $0 != .common }
    if let name = offered.first(where: { $0.rawValue == written.value }) { return name }
    var help = NearestName.find(written.value, in: offered.map(\.rawValue)).map { ["did you mean '\($0)'?"] } ?? []
    if written.value == "common" { help = ["'common.glsl' is put in front of every pass when it is there; do not list it"] }
    diagnostics.report(
      "project.pass-name", "there is no pass '\(written.value)'", at: written.place, "unknown", help: help,
      notes: ["passes: " + offered.map(\.rawValue).joined(separator: ", ")])
    return nil
  }

  // MARK: parameters

  private mutating func add(parameter json: LocatedJSON) {
    var members = JSONMembers(json, of: "the parameter")
    members.reportMissing("name")
    let name = members.string("name")
    let minimum = bound("minimum", &members)
    let maximum = bound("maximum", &members)
    let step = members.number("step")
    if let step, step.value <= 0 { members.report("project.step", "a step is above 0", at: step.place, "too small") }
    checkRange(minimum, maximum, of: name, &members)
    let label = members.string("label")?.value
    let help = members.string("help")?.value
    members.reportUnknownKeys(as: .error)
    diagnostics += members.diagnostics
    guard let name else { return }
    if parameters.contains(where: { $0.name == name.value }) {
      diagnostics.report(
        "project.parameter-twice", "the parameter '\(name.value)' is declared twice", at: name.place, "again", help: ["remove one of them"])
    }
    parameters.append(
      ExposedConstant(
        name: name.value, minimum: minimum?.value, maximum: maximum?.value, step: step?.value, label: label, help: help, place: name.place))
  }

  /// A range has both ends, and values between them.
  private func checkRange(
    _ minimum: Placed<[Double]>?, _ maximum: Placed<[Double]>?, of name: Placed<String>?, _ members: inout JSONMembers
  ) {
    let owner = name.map { "the parameter '\($0.value)'" } ?? "the parameter"
    for (key, other) in [("minimum", "maximum"), ("maximum", "minimum")] where members.object[key] == nil {
      guard let place = members.object[other]?.place else { continue }
      members.report(
        "project.half-range", "\(owner) has '\(other)' but no '\(key)'", at: place, "half of a range", help: ["add '\(key)'"])
    }
    guard let minimum, let maximum else { return }
    let count = max(minimum.value.count, maximum.value.count)
    func spread(_ numbers: [Double]) -> [Double] { numbers.count == 1 ? Array(repeating: numbers[0], count: count) : numbers }
    if zip(spread(minimum.value), spread(maximum.value)).contains(where: { $0 > $1 }) {
      members.report(
        "project.empty-range", "no value of \(owner) is between 'minimum' and 'maximum'", at: maximum.place, "less than 'minimum'",
        help: ["swap 'minimum' and 'maximum'"])
    }
  }

  /// A number, or an array with one for each component.
  private func bound(_ key: String, _ members: inout JSONMembers) -> Placed<[Double]>? {
    if members.value(key)?.elements != nil { return members.numbers(key) }
    return members.number(key).map { Placed([$0.value], at: $0.place) }
  }
}

// MARK: - channels

/// One channel in `project.json`: a word such as `"bufferA"`, or an object that also says how it is read.
///
/// Exactly one of `source` (a pass, `keyboard` or `input`), `asset` (the path or the title of a picture of the site) and `file` (a picture beside the
/// project); further `interpolation`, `address`, `flipped`, and `shape` (`flat`, `cube`) for pictures.
private struct ProjectChannel {
  private(set) var channel: ShaderToyProject.Channel?
  private(set) var diagnostics: [Diagnostic] = []

  private static let sources: [String: ShaderToyProject.Source] = {
    var sources: [String: ShaderToyProject.Source] = ["keyboard": .keyboard, "input": .user()]
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
    let shape = Self.choice("shape", ["flat": TextureShape.flat, "cube": .cube, "volume": .volume], &members)
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
      diagnostics.report(
        "project.source", "\(owner) needs one of 'source', 'asset' and 'file', and has \(given.isEmpty ? "none" : "several")", at: place,
        given.isEmpty ? "in here" : "one too many", help: [#"write "source": "bufferA", or "asset": "London", or "file": "photo.jpg""#])
      return nil
    }
    if let source {
      guard var what = self.source(source) else { return nil }
      if let shape, shape != .flat {
        guard what == .user() else {
          diagnostics.report(
            "project.shape", "'\(source.value)' has a shape of its own", at: source.place, "not '\(shape.rawValue)'",
            help: ["leave 'shape' out: it belongs to 'input', 'asset' and 'file'"])
          return nil
        }
        what = .user(shape)
      }
      return (what, source.place)
    }
    if let asset, shape == nil, let media = ShaderToyProject.Source(mediaPath: asset.value) { return (media, asset.place) }
    if let asset { return (.asset(Self.asset(asset.value), shape ?? Self.shape(ofAsset: asset.value)), asset.place) }
    return file.map { (.file($0.value, shape ?? .flat), $0.place) }
  }

  private mutating func source(_ word: Placed<String>) -> ShaderToyProject.Source? {
    if let source = Self.sources[word.value] { return source }
    if let source = ShaderToyProject.Source(kind: word.value) { return source }
    let nearest = NearestName.find(word.value, in: Self.sources.keys).map { ["did you mean '\($0)'?"] }
    let isFile = word.value.contains(".")
    diagnostics.report(
      "project.source", "there is no source '\(word.value)'", at: word.place, "unknown",
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
}

// MARK: - writing

/// Writes `project.json` as `ProjectFile` reads it, stably and with one line for each thing a person may want to change.
package struct ProjectFileWriter {
  package init() {}

  /// The text of the file, ending in a newline.
  package func text(_ project: ShaderToyProject) -> String {
    var members = [#""shadertoy": 1"#]
    if let title = project.title { members.append(#""name": \#(title.quotedAsJSON)"#) }
    if let description = project.about.description { members.append(#""description": \#(description.quotedAsJSON)"#) }
    if let credit = project.about.credit { members.append(#""credit": \#(credit.quotedAsJSON)"#) }
    if let license = project.about.license { members.append(#""license": \#(license.quotedAsJSON)"#) }
    if !project.about.categories.isEmpty {
      members.append(#""categories": [\#(project.about.categories.map(\.quotedAsJSON).joined(separator: ", "))]"#)
    }
    let passes = project.passes.filter { $0.name != .common }
    members.append("\"passes\": \(list(passes.map(pass)))")
    if !project.parameters.isEmpty { members.append("\"parameters\": \(list(project.parameters.map(parameter)))") }
    return "{\n" + members.map { "  " + $0 }.joined(separator: ",\n") + "\n}\n"
  }

  private func list(_ elements: [String]) -> String { "[\n" + elements.map { "    " + $0 }.joined(separator: ",\n") + "\n  ]" }

  private func pass(_ pass: ShaderToyProject.Pass) -> String {
    guard !pass.channels.isEmpty else { return #"{ "name": "\#(pass.name.rawValue)" }"# }
    let channels = pass.channels.sorted { $0.index < $1.index }.map { "        \"\($0.name)\": \(channel($0))" }
    return """
      {
            "name": "\(pass.name.rawValue)",
            "channels": {
      \(channels.joined(separator: ",\n"))
            }
          }
      """
  }

  private func channel(_ channel: ShaderToyProject.Channel) -> String {
    var members = source(channel.source)
    if channel.source != .keyboard {
      members.append(#""interpolation": "\#(channel.sampler.interpolation.rawValue)""#)
      members.append(#""address": "\#(channel.sampler.address.rawValue)""#)
    }
    if channel.isFlipped { members.append(#""flipped": true"#) }
    return "{ " + members.joined(separator: ", ") + " }"
  }

  private func source(_ source: ShaderToyProject.Source) -> [String] {
    switch source {
    case .target(let name): return [#""source": "\#(name.rawValue)""#]
    case .keyboard: return [#""source": "keyboard""#]
    case .user(let shape): return [#""source": "input""#] + self.shape(shape, usual: .flat)
    case .video(let media), .sound(let media):
      let hasPath = ShaderToyProject.Source(mediaPath: media.path) != nil
      return [hasPath ? #""asset": \#(media.path.quotedAsJSON)"# : #""source": \#(media.kind.quotedAsJSON)"#]
    case .file(let path, let shape): return [#""file": \#(path.quotedAsJSON)"#] + self.shape(shape, usual: .flat)
    case .asset(let asset, let shape):
      let entry = ShaderToyAssets.entry(path: asset.id)
      return [#""asset": \#((entry?.title ?? asset.id).quotedAsJSON)"#] + self.shape(shape, usual: entry?.shape ?? .flat)
    }
  }

  private func shape(_ shape: TextureShape, usual: TextureShape) -> [String] {
    shape == usual ? [] : [#""shape": "\#(shape.rawValue)""#]
  }

  private func parameter(_ parameter: ExposedConstant) -> String {
    var members = [#""name": \#(parameter.name.quotedAsJSON)"#]
    if let minimum = parameter.minimum { members.append("\"minimum\": \(bound(minimum))") }
    if let maximum = parameter.maximum { members.append("\"maximum\": \(bound(maximum))") }
    if let step = parameter.step { members.append("\"step\": \(number(step))") }
    if let label = parameter.label { members.append(#""label": \#(label.quotedAsJSON)"#) }
    if let help = parameter.help { members.append(#""help": \#(help.quotedAsJSON)"#) }
    return "{ " + members.joined(separator: ", ") + " }"
  }

  private func bound(_ numbers: [Double]) -> String {
    numbers.count == 1 ? number(numbers[0]) : "[" + numbers.map(number).joined(separator: ", ") + "]"
  }

  private func number(_ number: Double) -> String { ValueConversion.plainText(Value(.float, [number])) }
}

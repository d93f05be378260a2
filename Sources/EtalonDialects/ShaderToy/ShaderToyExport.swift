package import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonTypes

/// Reads the JSON in which the site stores and exports shaders, in both of its forms.
///
/// The texts of passes get names of their own, `export.json#bufferA`, so that line numbers in messages are those of the site's editor.
package struct ShaderToyExport: Sendable {
  /// A project as far as its file can be understood, and everything that is wrong with the file.
  struct Draft {
    /// Nil when nothing in the file can be understood as a project.
    let project: ShaderToyProject?
    let diagnostics: [Diagnostic]

    /// The project, if nothing is wrong with it.
    func checked() throws(DiagnosticsError) -> Reading {
      guard let project, !diagnostics.contains(where: { $0.severity == .error }) else { throw DiagnosticsError(diagnostics) }
      return Reading(project: project, warnings: diagnostics)
    }
  }

  /// A project and what a user should know about its file.
  package struct Reading: Sendable {
    package let project: ShaderToyProject
    package let warnings: [Diagnostic]

    package init(project: ShaderToyProject, warnings: [Diagnostic]) {
      self.project = project
      self.warnings = warnings
    }
  }

  package init() {}

  /// Reads an export; everything that is wrong with it is reported together.
  package func read(_ source: SourceText) throws(DiagnosticsError) -> Reading { try draft(source).checked() }

  /// Reads as much of an export as can be understood.
  func draft(_ source: SourceText) -> Draft {
    let json = JSONReader(tolerating: Set(JSONSlip.allCases)).read(source)
    guard let root = json.value, !json.hasErrors else { return Draft(project: nil, diagnostics: json.diagnostics) }
    let envelope = ExportEnvelope(root)
    guard let shader = envelope.shader else {
      return Draft(project: nil, diagnostics: (json.diagnostics + envelope.diagnostics).inOrderOfPlaces)
    }
    let passes = ExportPasses(shader)
    let found = ShaderToyProject(title: Self.text("name", of: shader["info"]), about: Self.about(shader["info"]), passes: passes.passes)
    var samplers = SharedSamplers(found)
    let project = samplers.applied(to: found)
    let diagnostics = (json.diagnostics + envelope.diagnostics + passes.diagnostics + samplers.warnings).inOrderOfPlaces
    return Draft(project: project, diagnostics: diagnostics)
  }

  /// Whether a text looks like an export: it begins as JSON does.
  package static func recognizes(_ source: SourceText) -> Bool {
    let first = source.bytes.first { !($0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0)) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static func about(_ info: LocatedJSON?) -> FilterManifest.About {
    let tags = (info?["tags"]?.elements ?? []).compactMap(\.text).filter { !$0.isEmpty }
    return .init(description: text("description", of: info), credit: text("username", of: info), categories: tags)
  }

  private static func text(_ key: String, of object: LocatedJSON?) -> String? {
    guard case .string(let text)? = object?[key]?.content, !text.isEmpty else { return nil }
    return text
  }
}

/// What lies around the one shader of an export.
private struct ExportEnvelope {
  private(set) var shader: LocatedJSON?
  private(set) var diagnostics: [Diagnostic] = []

  init(_ root: LocatedJSON) {
    var root = root
    if let list = root["shaders"] ?? (root.elements == nil ? nil : root), let elements = list.elements {
      guard elements.count == 1 else {
        diagnostics.report(
          "shadertoy.several-shaders", "expected one shader, found \(elements.count)", at: list.place, "a list",
          help: [
            elements.isEmpty
              ? "the site answers with an empty list when it does not know the shader" : "put one of them into a file of its own"
          ])
        return
      }
      root = elements[0]
    }
    if case .string(let answer)? = root["Error"]?.content {
      let place = root["Error"]?.place ?? root.place
      diagnostics.report(
        "shadertoy.site-error", "the site answered with an error: \(answer)", at: place, "no shader",
        help: ["exports need a shader that its author published as 'public + api'"])
      return
    }
    let shader = root["Shader"] ?? root
    guard shader["renderpass"] != nil else {
      diagnostics.report(
        "shadertoy.no-passes", "the JSON is no ShaderToy export", at: SourceRange(shader.place.source, start(of: shader)),
        "no 'renderpass' in here",
        help: [
          root["nodes"] != nil || root["outputs"] != nil
            ? "begin a graph document with \"etalon\": 1" : "expected {\"Shader\": {\"renderpass\": […]}} or [{\"renderpass\": […]}]"
        ])
      return
    }
    self.shader = shader
    warnAboutVersion(shader)
  }

  private func start(of value: LocatedJSON) -> Range<Int> { value.place.range.lowerBound..<value.place.range.lowerBound + 1 }

  private mutating func warnAboutVersion(_ shader: LocatedJSON) {
    guard let version = shader["ver"] else { return }
    if case .string("0.1") = version.content { return }
    diagnostics.append(
      Diagnostic(
        "shadertoy.version", "the export has another version than '0.1', the only one there was", severity: .warning,
        labels: [version.place.label("unknown version")]))
  }
}

// MARK: - passes

/// The passes of an export.
///
/// A pass is known by its type and, for buffers, by the id of its output; files in the wild lack one or the other, so its name is used too.
private struct ExportPasses {
  private(set) var passes: [ShaderToyProject.Pass] = []
  private(set) var diagnostics: [Diagnostic] = []

  /// The passes of each name, by the ids of what they write.
  private var outputs: [String: ShaderToyProject.PassName] = [:]

  init(_ shader: LocatedJSON) {
    var members = JSONMembers(shader, of: "the shader")
    let list = members.array("renderpass")?.value ?? []
    diagnostics += members.diagnostics
    let drafts = list.compactMap { draft($0) }
    for (draft, name) in drafts { for id in ids(of: draft) where name.isTarget { outputs[id] = outputs[id] ?? name } }
    for (draft, name) in drafts { add(draft, name) }
    if diagnostics.isEmpty, !passes.contains(where: { $0.name == .image }) {
      let place = shader["renderpass"]?.place ?? shader.place
      diagnostics.report(
        "shadertoy.no-image", "the export has no image pass", at: SourceRange(place.source, place.range.prefix(1)), "passes")
    }
  }

  // MARK: which pass it is

  private mutating func draft(_ json: LocatedJSON) -> (json: LocatedJSON, name: ShaderToyProject.PassName)? {
    guard json.members != nil else {
      diagnostics.report("json.type", "a pass is \(json.kind), expected an object", at: json.place, json.kind)
      return nil
    }
    guard let name = name(of: json) else {
      let place = (json["type"] ?? json["name"])?.place ?? SourceRange(json.place.source, json.place.range.prefix(1))
      diagnostics.report(
        "shadertoy.unknown-pass", "cannot tell which pass this is", at: place, "unknown",
        help: ["write a 'type' of common, buffer, cubemap, image or sound, and for a buffer a 'name' such as 'Buffer A'"])
      return nil
    }
    return (json, name)
  }

  private func name(of pass: LocatedJSON) -> ShaderToyProject.PassName? {
    let name = (pass["name"]?.text ?? "").lowercased()
    let type = pass["type"].map { $0.text ?? "" }
    switch type ?? Self.type(byName: name) {
    case "image": return .image
    case "common": return .common
    case "sound": return .sound
    case "cubemap": return .cubemapA
    case "buffer": return ids(of: pass).compactMap { Self.targets[$0] }.first ?? Self.buffer(byName: name)
    default: return nil
    }
  }

  private static func type(byName name: String) -> String {
    if name.hasPrefix("buf") { return "buffer" }
    return name.hasPrefix("cube") ? "cubemap" : name
  }

  /// `Buffer A`, `Buf B`, `bufferC`.
  private static func buffer(byName name: String) -> ShaderToyProject.PassName? {
    name.last.flatMap { ["a": .bufferA, "b": .bufferB, "c": .bufferC, "d": .bufferD][$0] }
  }

  private func ids(of pass: LocatedJSON) -> [String] { pass["outputs"]?.elements?.compactMap { $0["id"]?.text } ?? [] }

  /// The ids under which the site's player knows what passes write, the older numbers too.
  static let targets: [String: ShaderToyProject.PassName] = [
    "4dXGR8": .bufferA, "XsXGR8": .bufferB, "4sXGR8": .bufferC, "XdfGR8": .bufferD, "4dX3Rr": .cubemapA, "257": .bufferA,
    "258": .bufferB, "259": .bufferC, "260": .bufferD, "41": .cubemapA,
  ]

  // MARK: what it holds

  private mutating func add(_ json: LocatedJSON, _ name: ShaderToyProject.PassName) {
    var members = JSONMembers(json, of: "the pass '\(name.rawValue)'")
    members.reportMissing("code")
    let code = members.string("code")
    let inputs = members.array("inputs")?.value ?? []
    diagnostics += members.diagnostics
    let place = (json["name"] ?? json["type"])?.place
    if name != .common, passes.contains(where: { $0.name == name }) {
      diagnostics.report("shadertoy.pass-twice", "the export has two passes '\(name.rawValue)'", at: place ?? json.place, "the second one")
    }
    let channels = ExportChannels(inputs, of: name, outputs: outputs)
    diagnostics += channels.diagnostics
    guard let code else { return }
    let text = SourceText(path: "\(json.place.source.path)#\(name.rawValue)", text: code.value)
    passes.append(ShaderToyProject.Pass(name: name, text: text, channels: channels.channels, place: place))
  }
}

extension LocatedJSON {
  /// The text of a string or of a number, which exports use alike; nil for anything else.
  var text: String? {
    switch content {
    case .string(let text), .number(let text): text
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .object, .array, .null: nil
    }
  }
}

// MARK: - channels

/// The inputs of one pass of an export, which stand in any order.
private struct ExportChannels {
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
      diagnostics.report("shadertoy.input-type", "an input of '\(pass.rawValue)' has no 'ctype'", at: start(of: input), "in here")
      return
    }
    guard let index = input["channel"]?.text.flatMap(Int.init), (0...3).contains(index) else {
      let place = input["channel"]?.place ?? start(of: input)
      diagnostics.report(
        "shadertoy.channel-number", "an input of '\(pass.rawValue)' has no channel from 0 to 3", at: place, "expected 0 to 3")
      return
    }
    let words = ExportSampler(input["sampler"], of: "the sampler of 'iChannel\(index)' of '\(pass.rawValue)'")
    diagnostics += words.diagnostics
    guard let source = source(kind, input, type.place) else { return }
    if let earlier = channels.firstIndex(where: { $0.index == index }) {
      diagnostics.report(
        "shadertoy.channel-twice", "'iChannel\(index)' of '\(pass.rawValue)' is connected twice", severity: .warning, at: type.place,
        "this one counts")
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
    case "volume": return asset(path, .volume, input, place)
    case "cubemap": return target(input, path).map { .target($0) } ?? asset(path, .cube, input, place)
    case "keyboard": return .keyboard
    case "buffer":
      if let target = target(input, path) { return .target(target) }
      diagnostics.report(
        "shadertoy.unknown-buffer", "'\(pass.rawValue)' reads a buffer that nothing identifies", at: input["id"]?.place ?? place,
        "which one?",
        help: ["write the 'id' that the buffer's pass has among its 'outputs'"])
      return nil
    default:
      if let source = ShaderToyProject.Source(kind: kind, path: path) { return source }
      diagnostics.report(
        "shadertoy.input-type", "'\(pass.rawValue)' reads '\(kind)', which ShaderToy does not have", at: place, "unknown",
        help: NearestName.find(
          kind,
          in: SoundInputs.kinds.union(VideoInputs.kinds).union(["texture", "cubemap", "volume", "keyboard", "buffer"])
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
      diagnostics.report("shadertoy.no-picture", "'\(pass.rawValue)' reads a picture without a path", at: place, "no 'src'")
      return nil
    }
    return .asset(FilterInput.Asset(id: path, fileName: fileName), shape)
  }

  private func start(of value: LocatedJSON) -> SourceRange { SourceRange(value.place.source, value.place.range.prefix(1)) }
}

extension ShaderToyProject.Source {
  var isCube: Bool {
    switch self {
    case .target(let name): name == .cubemapA
    case .asset(_, let shape), .file(_, let shape), .user(let shape): shape == .cube
    case .keyboard, .video, .sound: false
    }
  }

  /// How a player reads it unless something else is said.
  var standardSampler: Sampler {
    switch self {
    case .target(.cubemapA): Sampler(.linear, .clamp)
    case .target, .keyboard: Sampler(.nearest, .clamp)
    case .sound: Sampler(.linear, .clamp)
    case .file(let path, .flat) where EditorChannels.isSound(path): Sampler(.linear, .clamp)
    case .asset(_, .cube), .file(_, .cube), .user(.cube): Sampler(.mipmap, .clamp)
    case .asset, .file, .user, .video: Sampler(.mipmap, .repeat)
    }
  }
}

/// How an input of an export is read: words, those for truth values too.
private struct ExportSampler {
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

  /// The faces of a cube are stored with their top row first, so for cubes the setting has the opposite meaning; for volumes it has none.
  func isFlipped(_ source: ShaderToyProject.Source) -> Bool {
    guard case .asset(_, let shape) = source, let isUpright else { return false }
    switch shape {
    case .flat: return !isUpright
    case .cube: return isUpright
    case .volume: return false
    }
  }

  /// The meaning of one key; nil when the key is missing, or when its word is unknown, which is reported.
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

internal import EtalonDiagnostics

/// The passes of an export.
///
/// A pass is known by its type and, for buffers, by the id of its output; files in the wild lack one or the other, so its name helps.
struct ExportPasses {
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
      report("shadertoy.no-image", "the export has no image pass", SourceRange(place.source, place.range.prefix(1)), "passes")
    }
  }

  // MARK: which pass it is

  private mutating func draft(_ json: LocatedJSON) -> (json: LocatedJSON, name: ShaderToyProject.PassName)? {
    guard json.members != nil else {
      report("json.type", "a pass is \(json.kind), expected an object", json.place, json.kind)
      return nil
    }
    guard let name = name(of: json) else {
      let place = (json["type"] ?? json["name"])?.place ?? SourceRange(json.place.source, json.place.range.prefix(1))
      report(
        "shadertoy.unknown-pass", "cannot tell which pass this is", place, "unknown",
        help: ["write a 'type' of common, buffer, cubemap, image or sound, and for a buffer a 'name' such as 'Buffer A'"])
      return nil
    }
    return (json, name)
  }

  private func name(of pass: LocatedJSON) -> ShaderToyProject.PassName? {
    let name = (pass["name"]?.text ?? "").lowercased()
    switch pass["type"]?.text ?? Self.type(byName: name) {
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
      report("shadertoy.pass-twice", "the export has two passes '\(name.rawValue)'", place ?? json.place, "the second one")
    }
    let channels = ExportChannels(inputs, of: name, outputs: outputs)
    diagnostics += channels.diagnostics
    guard let code else { return }
    let text = SourceText(path: "\(json.place.source.path)#\(name.rawValue)", text: code.value)
    passes.append(ShaderToyProject.Pass(name: name, text: text, channels: channels.channels, place: place))
  }

  private mutating func report(_ id: String, _ message: String, _ place: SourceRange, _ label: String, help: [String] = []) {
    diagnostics.append(Diagnostic(id, message, labels: [.init(place.source, place.range, label)], help: help))
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

internal import EtalonDiagnostics
internal import EtalonDialects
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes
internal import EtalonVideo
internal import Foundation

/// A request as a graph document, so that its values are kept: rendering the document gives the same pictures.
///
/// Paths are those from the folder of the document, as far as files lie in it or beside it.
package struct PresetDocument: Sendable {
  /// The document.
  package let text: String

  /// Writes down a request; one that a program made of images is refused.
  ///
  /// - Parameter folder: where the document is going to lie.
  package init(_ request: RenderRequest, in folder: String) throws {
    var lines = ["etalon: 1"]
    let paths = RelativePaths(from: folder)
    switch request.subject {
    case .filter(.standardInput), .images:
      throw DiagnosticsError(Diagnostic("preset.subject", "what is shown has no file that a document could name"))
    case .filter(.file(let path)):
      lines += Self.clock(of: request)
      lines += ["nodes:", "  main: \(try Self.node(request, path, paths))", "outputs: main"]
    case .graph(let graph, let library):
      lines += try Self.lines(of: graph.setting(inPlace: request.settings), request, library, paths)
    }
    text = lines.map { $0 + "\n" }.joined()
  }

  // MARK: one filter

  private static func clock(of request: RenderRequest) -> [String] {
    var lines: [String] = []
    if let size = request.size { lines.append("size: \(size.width)x\(size.height)") }
    if request.clock.rate != .sixty { lines.append("rate: \(request.clock.rate)") }
    if request.clock.first != 0 { lines.append("first: \(request.clock.first)") }
    if request.clock.start != .zero { lines.append("start: \(request.clock.start)") }
    if let shot = request.shot { lines.append("duration: \(shot.count)f") }
    return lines
  }

  private static func node(_ request: RenderRequest, _ path: String, _ paths: RelativePaths) throws -> String {
    let described = try RequestDescription(request)
    var next = described.unnamedInputs[...]
    let inputs = request.inputs.compactMap { picture -> (String, String)? in
      (picture.input ?? next.popFirst()).map { ($0, origin(picture.path, "", fields: [], paths)) }
    }
    var members = [("filter", JSONWord.text(paths.path(to: path, in: "")))]
    if !inputs.isEmpty { members.append(("inputs", JSONWord.mapping(inputs))) }
    if !request.settings.isEmpty {
      let values = request.settings.map { setting in
        let moved = described.file(of: setting).map { $0.text(naming: paths.path(to: $0.path, in: "")) }
        return (setting.name, JSONWord.text(moved ?? setting.value))
      }
      members.append(("values", JSONWord.mapping(values)))
    }
    return JSONWord.mapping(members)
  }

  // MARK: graphs

  private static func lines(
    of graph: GraphText, _ request: RenderRequest, _ library: FilterLibrary, _ paths: RelativePaths
  ) throws -> [String] {
    let loaded = try GraphAssembler(graph, library: library, request: request, kernels: nil, checksDefaults: false).interface().loaded
    var lines = graph.clock.sorted { $0.key < $1.key }.map { "\($0.key): \(JSONWord.text($0.value.text))" }
    let given = clock(of: request).filter { line in !graph.clock.keys.contains { line.hasPrefix("\($0):") } }
    lines += given.filter { !($0.hasPrefix("duration") && graph.clock["frames"] != nil) }
    if let description = graph.about.description { lines.append("description: \(JSONWord.text(description))") }
    let inputs =
      graph.openInputs.map { name in
        let picture = request.inputs.first { $0.input == name.text || graph.openInputs.count == 1 && $0.input == nil }
        return (name.text, picture.map { origin($0.path, "", fields: [], paths) } ?? JSONWord.text("image"))
      } + graph.inputs.sorted { $0.key < $1.key }.map { ($0.key, origin($0.value, graph.folder, paths)) }
    if !inputs.isEmpty { lines += ["inputs:"] + inputs.map { "  \(JSONWord.text($0.0)): \($0.1)" } }
    lines.append("nodes:")
    for node in graph.nodes {
      let manifest = loaded.first { $0.node.name.text == node.name.text }?.manifest
      lines.append("  \(JSONWord.text(node.name.text)): \(text(of: node, manifest, graph.folder, paths))")
    }
    lines.append("outputs:")
    lines += graph.outputs.map { output in
      let members = [("node", origin(output.origin, graph.folder, paths))]
      return "  \(JSONWord.text(output.name.text)): \(JSONWord.mapping(members))"
    }
    if !graph.parameters.isEmpty { lines += ["parameters:"] + graph.parameters.map { "  \(JSONWord.text($0.name.text)): \(text(of: $0))" } }
    return lines
  }

  private static func text(of node: GraphText.Node, _ manifest: FilterManifest?, _ folder: String, _ paths: RelativePaths) -> String {
    let filter = node.filter.text
    let isFile = filter.contains("/") || filter.contains(".")
    var members = [("filter", JSONWord.text(isFile ? paths.path(to: filter, in: folder) : filter))]
    // A picture that is connected only because it stands before the node is dropped where the node reads none.
    let read = manifest?.inputs.filter { $0.isRead }.map(\.name) ?? []
    let named = node.inputs.compactMap { $0.name?.text }
    var free = read.filter { !named.contains($0) }[...]
    var inputs: [(String, String)] = []
    for input in node.inputs {
      guard let name = input.name?.text ?? free.popFirst() else { continue }
      inputs.append((name, origin(input.origin, folder, paths)))
    }
    if !inputs.isEmpty { members.append(("inputs", JSONWord.mapping(inputs))) }
    if !node.settings.isEmpty {
      let values = node.settings.map { setting in
        let name = setting.name.text
        let isText = manifest?.parameters.contains { $0.name == name && $0.kind == .text } ?? false
        if isText { return (name, JSONWord.text(of: setting.value)) }
        let isFile = manifest?.channelNames.contains(name) ?? false
        return (
          name,
          JSONWord.text(of: setting.value, isFile: isFile) { path in paths.path(to: setting.path(path, in: folder), in: "") }
        )
      }
      members.append(("values", JSONWord.mapping(values)))
    }
    return JSONWord.mapping(members)
  }

  private static func text(of parameter: GraphText.Parameter) -> String {
    var members = [("sets", "[\(parameter.targets.map { JSONWord.text($0.text) }.joined(separator: ", "))]")]
    if let label = parameter.label { members.append(("label", JSONWord.text(label.text))) }
    if let minimum = parameter.minimum { members.append(("min", JSONWord.text(minimum.text))) }
    if let maximum = parameter.maximum { members.append(("max", JSONWord.text(maximum.text))) }
    if let initial = parameter.initial { members.append(("default", JSONWord.text(of: initial))) }
    return JSONWord.mapping(members)
  }

  private static func origin(_ origin: GraphText.Origin, _ folder: String, _ paths: RelativePaths) -> String {
    switch origin {
    case .node(let word): JSONWord.text(word.text)
    case .before(let word): JSONWord.mapping([("previous", JSONWord.text(word.text))])
    case .file(let word, let fields): self.origin(word.text, folder, fields: fields, paths)
    }
  }

  private static func origin(_ path: String, _ folder: String, fields: [LocatedNode.Member], _ paths: RelativePaths) -> String {
    let text = JSONWord.text(paths.path(to: path, in: folder))
    let isSequence = (try? FramePattern(path))?.hasNumber ?? false
    guard !fields.isEmpty || isSequence else { return text }
    let kind = isSequence ? "sequence" : VideoFile.isVideo(folder + path) ? "video" : "file"
    return JSONWord.mapping([(kind, text)] + fields.map { ($0.key, JSONWord.text(of: $0.value)) })
  }
}

extension GraphText {
  /// The same with other values where they are written, so that names of parameters stay.
  fileprivate func setting(inPlace settings: [RenderRequest.Setting]) -> GraphText {
    var changed = self
    for setting in settings {
      let value = LocatedNode(.scalar(setting.value), at: SettingText.places(name: setting.name, value: setting.value).value)
      if let index = changed.parameters.firstIndex(where: { $0.name.text == setting.name }) {
        changed.parameters[index].initial = value
        continue
      }
      for (index, node) in changed.nodes.enumerated() where setting.name.hasPrefix(node.name.text + ".") {
        let name = Word(String(setting.name.dropFirst(node.name.text.count + 1)), at: value.place)
        changed.nodes[index].settings.removeAll { $0.name.text == name.text }
        changed.nodes[index].settings.append(Setting(name: name, value: value, base: ""))
      }
    }
    return changed
  }
}

/// Paths as a document in some folder writes them.
private struct RelativePaths {
  private let folder: [String]

  init(from folder: String) { self.folder = Self.parts(folder) }

  private static func parts(_ path: String) -> [String] {
    URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path.split(separator: "/").map(String.init)
  }

  /// The path of a file that something in another folder names, as the document names it: with at most two steps up, else as a whole.
  ///
  /// Addresses of streams stay as they are.
  func path(to path: String, in other: String) -> String {
    guard StreamAddress(path) == nil else { return path }
    let file = Self.parts(path.hasPrefix("/") ? path : other + path)
    let shared = zip(folder, file).prefix { $0 == $1 }.count
    let up = folder.count - shared
    guard up <= 2 else { return "/" + file.joined(separator: "/") }
    let parts = Array(repeating: "..", count: up) + file[shared...]
    return parts.count == 1 ? "./\(parts[0])" : parts.joined(separator: "/")
  }
}

/// Values in braces and quotes, which mean the same in YAML and in JSON.
private enum JSONWord {
  static func text(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    guard let data = try? encoder.encode(text) else { preconditionFailure("texts always encode") }
    return String(decoding: data, as: UTF8.self)
  }

  static func mapping(_ members: [(String, String)]) -> String {
    "{ \(members.map { "\(text($0.0)): \($0.1)" }.joined(separator: ", ")) }"
  }

  /// A value with another path, where it names a file.
  static func text(of node: LocatedNode, isFile: Bool, _ path: (String) -> String) -> String {
    switch node.content {
    case .scalar(let scalar):
      let file = ValueFile(scalar, isFile: isFile)
      return text(file.map { $0.text(naming: path($0.path)) } ?? scalar)
    case .mapping(let members) where members.contains { $0.key == "track" }:
      return mapping(members.map { ($0.key, $0.key == "track" ? text(path($0.value.scalar ?? "")) : text(of: $0.value)) })
    default: return text(of: node)
    }
  }

  static func text(of node: LocatedNode) -> String {
    switch node.content {
    case .scalar(let scalar): text(scalar)
    case .sequence(let elements): "[\(elements.map { text(of: $0) }.joined(separator: ", "))]"
    case .mapping(let members): mapping(members.map { ($0.key, text(of: $0.value)) })
    }
  }
}

package import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonTypes

/// One document of a graph, as it stands in its file.
struct GraphDocumentPart {
  typealias Word = GraphText.Word

  private(set) var clock: [String: Word] = [:]
  private(set) var about = FilterManifest.About()
  private(set) var inputs: [(Word, GraphText.Origin)] = []
  private(set) var openInputs: [Word] = []
  private(set) var nodes: [GraphText.Node] = []
  private(set) var chains: [GraphText.Chain] = []
  private(set) var outputs: [GraphText.Output] = []
  private(set) var parameters: [GraphText.Parameter] = []
  private(set) var includes: [Word] = []
  private(set) var diagnostics: [Diagnostic] = []

  private let isMain: Bool
  /// From the folder of the main document to that of this one, with a slash at its end.
  private let folder: String
  /// The folder of this document.
  private let base: String
  private var document: DocumentMembers

  init(_ tree: LocatedNode, isMain: Bool, folder: String, base: String) {
    (self.isMain, self.folder, self.base) = (isMain, folder, base)
    document = DocumentMembers(tree, of: "the document", example: "etalon: 1")
  }

  mutating func read() {
    readVersion()
    includes = document.words("include")
    if isMain {
      readAbout()
      readClock()
    }
    for member in document.mapping("inputs", example: "photo: photo.png") { readInput(member) }
    for member in document.mapping("nodes", example: "soft: { filter: gaussian-blur }") { readNode(member) }
    if isMain { readOutputs() }
    for member in document.mapping("parameters", example: "blockSize: { sets: blocks.scale }") { readParameter(member) }
    if isMain { document.refuseOthers() } else { refuseKeysOfMain() }
    diagnostics += document.diagnostics
  }

  private mutating func readVersion() {
    document.require("etalon", help: "begin with 'etalon: \(GraphDocumentReader.version)'")
    guard let version = document.word("etalon"), version.text != GraphDocumentReader.version else { return }
    document.report(
      "graph.version", "this is a document of version '\(version.text)', which is not known", at: version.place, "unknown version",
      help: ["write 'etalon: \(GraphDocumentReader.version)'"])
  }

  private mutating func readAbout() {
    about.description = document.word("description")?.text
    about.credit = document.word("credit")?.text
    about.license = document.word("license")?.text
    about.categories = document.words("categories").map(\.text)
  }

  private mutating func refuseKeysOfMain() {
    let keys = GraphDocumentReader.clockKeys + GraphDocumentReader.aboutKeys + ["outputs"]
    for member in document.members where keys.contains(member.key) {
      document.report(
        "graph.include-key", "an included document has no '\(member.key)'", at: member.keyPlace, "not in an included document",
        help: ["move it into the document that includes this one"])
      _ = document.value(member.key)
    }
    document.refuseOthers()
  }

  // MARK: time and size

  private mutating func readClock() {
    for key in ["size", "rate", "first", "start", "frames", "duration"] { clock[key] = document.word(key) }
    clock["format"] = document.choice("format", of: PixelFormat.allCases.map(\.rawValue))
    clock["workingSpace"] = document.choice("workingSpace", of: ["encoded", "linear"])
    if let rate = clock["rate"], FrameRate(rate.text) == nil {
      refuse(rate, "graph.rate", "frames a second above 0 and up to 1000", "not a rate", "rate: 24000/1001")
    }
    if let first = clock["first"], Int(first.text) == nil {
      refuse(first, "graph.first", "the number of a frame", "not a number", "first: 1001")
    }
    if let size = clock["size"], !Self.isSize(size.text) {
      refuse(size, "graph.size", "a width and a height", "not a size", "size: 1920x1080")
    }
    if let duration = clock["duration"], let frames = clock["frames"] {
      document.report(
        "graph.frames", "'frames' and 'duration' say the same thing", at: duration.place, "and a duration",
        help: ["keep 'frames: \(frames.text)' or 'duration: \(duration.text)'"])
    }
  }

  private static func isSize(_ text: String) -> Bool {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    return sides.count == 2 && sides.allSatisfy { $0.map { (1...32768).contains($0) } ?? false } && !text.contains("+")
  }

  private mutating func refuse(_ word: Word, _ id: String, _ expected: String, _ label: String, _ example: String) {
    document.report(id, "expected \(expected), found '\(word.text)'", at: word.place, label, help: ["write '\(example)'"])
  }

  // MARK: the graph

  /// The word `image` leaves the picture open: it is given where the graph is applied.
  private mutating func readInput(_ member: LocatedNode.Member) {
    if member.value.scalar == GraphDocumentReader.openInput { return openInputs.append(Word(member)) }
    var reader = GraphOriginReader(folder: folder)
    if let origin = reader.file(member.value, for: "the input '\(member.key)'") { inputs.append((Word(member), origin)) }
    diagnostics += reader.diagnostics
  }

  private mutating func readNode(_ member: LocatedNode.Member) {
    var reader = GraphNodeReader(Word(member), folder: folder, base: base)
    switch reader.read(member.value) {
    case .node(let node): nodes.append(node)
    case .chain(let chain): chains.append(chain)
    }
    diagnostics += reader.diagnostics
  }

  private mutating func readOutputs() {
    guard let value = document.value("outputs") else {
      return document.require("outputs", help: "write 'outputs: name' with the name of a node")
    }
    if let name = document.outputName(value) {
      outputs = [GraphText.Output(name: Word("main", at: name.place), origin: .node(name))]
      return
    }
    let members = document.mapping("outputs", example: "outputs: { main: name }")
    for member in members { readOutput(member) }
    guard members.isEmpty, value.members != nil else { return }
    document.report("graph.outputs", "the document has no output", at: value.place, "empty", help: ["write 'outputs: name'"])
  }

  private mutating func readOutput(_ member: LocatedNode.Member) {
    let name = Word(member)
    if !GraphText.isOutputName(name.text) {
      document.report(
        "graph.output-name", "an output cannot be called '\(name.text)'", at: name.place, "not a name",
        help: ["use letters, digits, '-' and '_'"])
    }
    if let node = document.outputName(member.value) { return outputs.append(.init(name: name, origin: .node(node))) }
    var output = DocumentMembers(member.value, of: "the output '\(name.text)'", example: "\(name.text): { node: name }")
    output.require("node", help: "write 'node: name'")
    let node = output.word("node")
    let file = output.word("file")
    let alpha = output.choice("alpha", of: ["opaque", "straight", "premultiplied"])
    let bits = output.choice("bits", of: ["8", "16"])
    output.refuseOthers()
    diagnostics += output.diagnostics
    // The name is kept although it has no node, so that references to it are not reported as well.
    if let node { outputs.append(.init(name: name, origin: .node(node), file: file, alpha: alpha, bits: bits)) }
  }

  private mutating func readParameter(_ member: LocatedNode.Member) {
    let name = Word(member)
    if let target = member.value.scalar, !target.isEmpty {
      return parameters.append(.init(name: name, targets: [Word(target, at: member.value.place)]))
    }
    var reader = DocumentMembers(
      member.value, of: "the parameter '\(name.text)'", example: "\(name.text): { sets: node.parameter }")
    reader.require("sets", help: "write 'sets: node.parameter'")
    let targets = reader.words("sets")
    let label = reader.word("label")
    let initial = reader.value("default")
    if let initial, initial.scalar == "" { reader.report(DocumentMembers.empty("default", of: "the parameter '\(name.text)'", initial)) }
    let (minimum, maximum) = (reader.word("min"), reader.word("max"))
    reader.refuseOthers()
    diagnostics += reader.diagnostics
    guard !targets.isEmpty else { return }
    var parameter = GraphText.Parameter(name: name, targets: targets, label: label)
    (parameter.initial, parameter.base, parameter.minimum, parameter.maximum) = (initial, base, minimum, maximum)
    parameters.append(parameter)
  }
}

extension DocumentMembers {
  /// A plain name in the place of `{ node: name }`.
  fileprivate func outputName(_ value: LocatedNode) -> Word? {
    guard let text = value.scalar, !text.isEmpty else { return nil }
    return Word(text, at: value.place)
  }
}

extension GraphText.Word {
  /// The key of a member.
  package init(_ member: LocatedNode.Member) { self.init(member.key, at: member.keyPlace) }
}

// MARK: nodes

/// Reads one entry of `nodes`: a filter with its inputs and values, or a chain of stages.
package struct GraphNodeReader {
  package typealias Word = GraphText.Word

  package enum Result {
    case node(GraphText.Node)
    case chain(GraphText.Chain)
  }

  private let name: Word
  private let base: String
  private var origins: GraphOriginReader
  package private(set) var diagnostics: [Diagnostic] = []

  /// - Parameters:
  ///   - folder: what is put before the paths of inputs and filters.
  ///   - base: where paths in values start.
  package init(_ name: Word, folder: String, base: String) {
    (self.name, self.base) = (name, base)
    origins = GraphOriginReader(folder: folder)
  }

  private var owner: String { "the node '\(name.text)'" }

  /// The name of a node with errors is kept, so that references to it are not reported as well.
  package mutating func read(_ value: LocatedNode) -> Result {
    var members = DocumentMembers(
      value, of: owner, example: "\(name.text): { filter: \(value.scalar.flatMap { $0.isEmpty ? nil : $0 } ?? "name") }")
    defer { diagnostics += members.diagnostics + origins.diagnostics }
    checkName()
    guard let value = value.members else { return .chain(.init(name: name, stages: [])) }
    if value.contains(where: { $0.key == "chain" }), !value.contains(where: { $0.key == "filter" }) {
      let stages = members.words("chain")
      members.refuseOthers()
      return .chain(.init(name: name, stages: stages))
    }
    members.require("filter", help: "write 'filter: name', or 'chain: [stage, stage]'")
    let filter = members.word("filter").map { GraphOriginReader.isPath($0.text) ? Word(origins.path($0.text), at: $0.place) : $0 }
    let inputs = readInputs(&members)
    let settings = readSettings(&members)
    members.refuseOthers()
    return .node(.init(name: name, filter: filter ?? Word("", at: name.place), inputs: inputs, settings: settings))
  }

  /// A dot stands between a node and its parameter, and `@` before a name where names and files mix.
  private mutating func checkName() {
    guard name.text.isEmpty || name.text.contains(where: { "./@|=, ".contains($0) }) else { return }
    diagnostics.append(
      Diagnostic(
        "graph.node-name", "a node cannot be called '\(name.text)'", labels: [name.place.label("not a name")],
        help: ["use letters, digits, '-' and '_'"]))
  }

  /// `photo` alone means the first input that the filter reads.
  private mutating func readInputs(_ members: inout DocumentMembers) -> [GraphText.Input] {
    guard let value = members.value("inputs") else { return [] }
    if value.scalar.map({ !$0.isEmpty }) ?? false {
      return origins.picture(value, for: "the input of \(owner)").map { [.init(name: nil, origin: $0)] } ?? []
    }
    return members.mapping("inputs", example: "inputs: { inputImage: photo }").compactMap { member in
      origins.picture(member.value, for: "'\(member.key)' of \(owner)").map { .init(name: Word(member), origin: $0) }
    }
  }

  private mutating func readSettings(_ members: inout DocumentMembers) -> [GraphText.Setting] {
    members.mapping("values", example: "values: { sigma: 6 }").compactMap { member in
      guard member.value.scalar != "" || !member.value.place.range.isEmpty && !isComment(member.value) else {
        diagnostics.append(DocumentMembers.empty(member.key, of: owner, member.value))
        return nil
      }
      return .init(name: Word(member), value: member.value, base: base)
    }
  }

  /// Whether YAML read an empty value as a comment; a written `""` is an empty text.
  private func isComment(_ value: LocatedNode) -> Bool {
    value.place.source.bytes[value.place.range].first == UInt8(ascii: "#")
  }
}

// MARK: inputs

/// Reads where a picture comes from: a file, a sequence with its timing, another node, or what a node showed a frame ago.
private struct GraphOriginReader {
  typealias Word = GraphText.Word

  /// What stands before relative paths.
  let folder: String
  private(set) var diagnostics: [Diagnostic] = []

  init(folder: String) {
    self.folder = folder
  }

  /// A path, `{ sequence: plate.####.png, rate: 24 }` or `{ video: clip.mp4, from: 10s }`.
  mutating func file(_ value: LocatedNode, for owner: String) -> GraphText.Origin? {
    if let text = value.scalar, !text.isEmpty { return .file(Word(path(text), at: value.place), fields: []) }
    var members = DocumentMembers(value, of: owner, expected: "a path", example: "photo.png")
    defer { diagnostics += members.diagnostics }
    guard value.members != nil else { return nil }
    let kinds = ["video", "sequence", "file"].compactMap { kind in members.word(kind).map { (kind: kind, word: $0) } }
    guard let (kind, path) = kinds.first else {
      guard members.diagnostics.isEmpty else { return nil }
      if let key = ["before", "node"].first(where: { members.value($0) != nil }), let name = value.members?.first(where: { $0.key == key })
      {
        members.report(
          "graph.origin", "\(owner) has no '\(key)'", at: SourceRange(name.keyPlace.source, name.keyPlace.range), "unknown",
          help: [
            key == "node"
              ? "write the name alone: '\(name.value.scalar ?? "node")'"
              : "write '{ previous: \(name.value.scalar ?? "node") }' for what a node showed a frame ago"
          ])
        return nil
      }
      members.require("file", help: "write 'file: photo.png', 'sequence: plate.####.png' or 'video: clip.mp4'")
      return nil
    }
    if kinds.count > 1 {
      members.report(
        "graph.origin", "\(owner) is a \(kinds[1].kind) or a \(kind)", at: kinds[1].word.place, "and a \(kinds[1].kind)",
        help: ["keep '\(kinds[1].kind): \(kinds[1].word.text)' or '\(kind): \(path.text)'"])
    }
    let fields = members.members.filter { !["file", "sequence", "video"].contains($0.key) }
    checkTiming(fields, of: owner, isVideo: kind == "video")
    return .file(Word(self.path(path.text), at: path.place), fields: fields)
  }

  private mutating func checkTiming(_ fields: [LocatedNode.Member], of owner: String, isVideo: Bool) {
    var timing: [SequenceField] = []
    for field in fields {
      guard let text = field.value.scalar, !text.isEmpty else {
        diagnostics.append(
          field.value.scalar == nil
            ? DocumentMembers.wrongForm(field.value, named: "'\(field.key)' of \(owner)", expected: "one value")
            : DocumentMembers.empty(field.key, of: owner, field.value))
        continue
      }
      let place = field.keyPlace
      timing.append(
        SequenceField(key: field.key, value: text, source: place.source, keyRange: place.range, valueRange: field.value.place.range))
    }
    diagnostics += isVideo ? [] : timing.compactMap(\.refusedSpace)
    do throws(DiagnosticsError) {
      if isVideo { _ = try VideoTiming(timing) } else { _ = try SequenceTiming(timing.filter { !$0.choosesPicture }) }
    } catch {
      diagnostics += error.diagnostics
    }
  }

  /// For an image input of a node: a name, a path, a file with its timing, or `{ previous: node }`.
  mutating func picture(_ value: LocatedNode, for owner: String) -> GraphText.Origin? {
    if let text = value.scalar, !text.isEmpty {
      let word = Word(text, at: value.place)
      return Self.isPath(text) ? .file(Word(path(text), at: value.place), fields: []) : .node(word)
    }
    guard value.members?.contains(where: { $0.key == "previous" }) == true else { return file(value, for: owner) }
    var members = DocumentMembers(value, of: owner, example: "{ previous: node }")
    let word = members.word("previous")
    members.refuseOthers()
    diagnostics += members.diagnostics
    return word.map { .before($0) }
  }

  fileprivate static func isPath(_ text: String) -> Bool { text.contains("/") || text.contains(".") }

  func path(_ text: String) -> String { text.hasPrefix("/") ? text : folder + text }
}

internal import EtalonDiagnostics
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
  private var document: DocumentMembers

  init(_ tree: LocatedNode, isMain: Bool, folder: String) {
    self.isMain = isMain
    self.folder = folder
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

  /// The word `image` leaves the picture to whoever applies the graph.
  private mutating func readInput(_ member: LocatedNode.Member) {
    if member.value.scalar == GraphDocumentReader.openInput { return openInputs.append(Word(member)) }
    var reader = GraphOriginReader(folder: folder)
    if let origin = reader.file(member.value, for: "the input '\(member.key)'") { inputs.append((Word(member), origin)) }
    diagnostics += reader.diagnostics
  }

  private mutating func readNode(_ member: LocatedNode.Member) {
    var reader = GraphNodeReader(Word(member), folder: folder)
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
    // Without a node the name stays, so that nothing else is wrong because of it.
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
    (parameter.initial, parameter.minimum, parameter.maximum) = (initial, minimum, maximum)
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

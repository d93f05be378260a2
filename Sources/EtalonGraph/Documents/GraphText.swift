package import EtalonDiagnostics
package import EtalonManifest

/// A graph as it is written, in a document or as stages of a command line, before any file is opened: all texts with their places.
///
/// **Concurrency**: an immutable value.
package struct GraphText: Sendable, Hashable {
  /// A word with its place.
  package struct Word: Sendable, Hashable {
    package let text: String
    package let place: SourceRange

    package init(_ text: String, at place: SourceRange) {
      self.text = text
      self.place = place
    }
  }

  /// Where the picture of an input comes from.
  package enum Origin: Sendable, Hashable {
    /// Another node or an input of the graph, by its name.
    case node(Word)
    /// What a node showed a frame ago, by its name.
    case before(Word)
    /// A picture, a numbered sequence or a sound, by its path, with what is said about it (`rate`, `missing`, …).
    case file(Word, fields: [LocatedNode.Member])
  }

  /// A picture for an image input of a node.
  package struct Input: Sendable, Hashable {
    /// Nil means the first that the filter reads.
    package let name: Word?
    package let origin: Origin
    /// Whether the picture was connected only because its node stands before this one.
    ///
    /// It is dropped where this node reads no picture, or has another one for the input.
    package let isImplied: Bool

    package init(name: Word?, origin: Origin, isImplied: Bool = false) {
      self.name = name
      self.origin = origin
      self.isImplied = isImplied
    }
  }

  /// A value for a parameter of a node.
  package struct Setting: Sendable, Hashable {
    package let name: Word
    package let value: LocatedNode
    /// Where relative paths in the value start: the folder of the file in which it is written, with a slash at its end; nil for that of the graph.
    package let base: String?

    package init(name: Word, value: LocatedNode, base: String? = nil) {
      (self.name, self.value, self.base) = (name, value, base)
    }

    /// A path in the value, from the working folder.
    ///
    /// - Parameter folder: that of the graph, with a slash at its end.
    package func path(_ text: String, in folder: String) -> String { text.hasPrefix("/") ? text : (base ?? folder) + text }

    /// The node that `@name` is for an image input.
    package var node: Word? {
      value.scalar.flatMap { $0.hasPrefix("@") ? Word(String($0.dropFirst()), at: value.place) : nil }
    }

    /// The node that `before(name)` is for an image input.
    package var nodeBefore: Word? {
      guard let text = value.scalar, text.hasPrefix("before("), text.hasSuffix(")") else { return nil }
      return Word(String(text.dropFirst(7).dropLast()), at: value.place)
    }
  }

  /// One application of a filter or of an image operation.
  package struct Node: Sendable, Hashable {
    /// Unique in the graph; made up for a stage that has none.
    package let name: Word
    /// The name of a filter, the path of a filter file or of a graph, or an image operation.
    package let filter: Word
    package var inputs: [Input]
    package var settings: [Setting]
    /// Whether it was written as a stage, on the command line or in a chain of a document.
    package let isStage: Bool

    package init(name: Word, filter: Word, inputs: [Input] = [], settings: [Setting] = [], isStage: Bool = false) {
      self.name = name
      self.filter = filter
      self.inputs = inputs
      self.settings = settings
      self.isStage = isStage
    }
  }

  /// A picture that leaves the graph.
  package struct Output: Sendable, Hashable {
    /// `main` where there is only one.
    package let name: Word
    package let origin: Origin
    /// Where its frames go; nil where the command line says it.
    package var file: Word?
    package var alpha: Word?
    package var bits: Word?

    package init(name: Word, origin: Origin, file: Word? = nil, alpha: Word? = nil, bits: Word? = nil) {
      self.name = name
      self.origin = origin
      self.file = file
      self.alpha = alpha
      self.bits = bits
    }
  }

  /// A value of a node that can be set from outside under another name.
  package struct Parameter: Sendable, Hashable {
    package let name: Word
    /// `node.parameter`, one or several that have the same value.
    package let targets: [Word]
    package var label: Word?
    /// Takes the place of the value that the node has in the document.
    package var initial: LocatedNode?
    /// Where paths in this value start, as those of a setting do.
    package var base: String?
    /// Narrow the range that the filter declares.
    package var minimum: Word?
    package var maximum: Word?

    package init(name: Word, targets: [Word], label: Word? = nil) {
      self.name = name
      self.targets = targets
      self.label = label
    }
  }

  /// A node that was written as stages.
  package struct Chain: Sendable, Hashable {
    /// The name of what the last stage gives.
    package let name: Word
    /// Each may hold several stages, with ` | ` between them.
    package let stages: [Word]

    package init(name: Word, stages: [Word]) {
      self.name = name
      self.stages = stages
    }
  }

  /// `size`, `rate`, `first`, `start`, `frames`, `duration`, `format`, `workingSpace`: as written.
  package var clock: [String: Word] = [:]
  /// The description of the graph for its users.
  package var about = FilterManifest.About()
  package var inputs: [String: Origin] = [:]
  /// The inputs whose pictures are given where the graph is applied, in the order of the text.
  package var openInputs: [Word] = []
  package var nodes: [Node] = []
  /// Nodes written as stages; they are replaced by single nodes once the filters are loaded.
  package var chains: [Chain] = []
  package var outputs: [Output] = []
  package var parameters: [Parameter] = []
  /// What relative paths start from, with a slash at its end; empty is the working folder.
  package var folder = ""
  /// The documents that it was read from, as paths that can be watched.
  package var documents: [String] = []
  /// What is wrong with the documents.
  ///
  /// A graph with errors lacks parts; it is only used to find further errors.
  package var diagnostics: [Diagnostic] = []

  package init() {}

  /// Whether an output can have a name, so that `-o name=file.png` can be typed for it.
  package static func isOutputName(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, first != UInt8(ascii: "-"), !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }
}

extension GraphText.Word {
  /// Points at the word in a diagnostic.
  package func label(_ message: String) -> Diagnostic.Label { place.label(message) }

  /// Whether it stands on the command line and not in a document.
  package var isTyped: Bool { place.source.path == "stages" || place.source.path.hasPrefix("stage ") }

  /// Points at a part of the word, given in bytes of its text; at all of it where quotes or escapes are between.
  package func label(_ message: String, at part: Range<Int>) -> Diagnostic.Label {
    guard place.range.count == text.utf8.count else { return place.label(message) }
    let start = place.range.lowerBound
    return Diagnostic.Label(place.source, start + part.lowerBound..<start + part.upperBound, message)
  }
}

// MARK: names

/// Finds references in a graph to names that the graph does not declare.
struct GraphReferenceCheck {
  typealias Word = GraphText.Word

  private let names: [String: Word]
  private let nodes: [String]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ graph: GraphText, _ names: [String: Word]) {
    self.names = names
    nodes = graph.nodes.map(\.name.text) + graph.chains.map(\.name.text)
    for node in graph.nodes { for input in node.inputs { check(input.origin) } }
    for output in graph.outputs { check(output.origin) }
    for parameter in graph.parameters { check(parameter) }
    checkTargets(of: graph.parameters)
    for output in graph.outputs where output.file != nil { checkFile(output, graph.outputs) }
  }

  private mutating func check(_ origin: GraphText.Origin) {
    switch origin {
    case .node(let word): if names[word.text] == nil { reportUnknown(word, among: names.keys.sorted()) }
    case .before(let word): if !nodes.contains(word.text) { reportUnknown(word, among: nodes) }
    case .file: break
    }
  }

  private mutating func check(_ parameter: GraphText.Parameter) { for target in parameter.targets { check(target: target) } }

  /// Two parameters that set one value would contradict each other.
  private mutating func checkTargets(of parameters: [GraphText.Parameter]) {
    var known: [String: GraphText.Parameter] = [:]
    for parameter in parameters {
      for target in parameter.targets {
        guard let first = known.updateValue(parameter, forKey: target.text) else { continue }
        let who = first.name == parameter.name ? "twice" : "'\(first.name.text)' does too"
        report("graph.set-twice", "'\(parameter.name.text)' sets '\(target.text)'", target, who, help: "let one parameter set it, once")
      }
    }
  }

  private mutating func check(target: Word) {
    let parts = target.text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      return report(
        "graph.target", "'\(target.text)' is no parameter of a node", target, "expected 'node.parameter'",
        help: "write 'sets: \(nodes.first ?? "node").parameter'")
    }
    guard !nodes.contains(parts[0]) else { return }
    let place = target.place
    let word = place.verbatim(target.text).map { written in
      SourceRange(written.source, written.range.lowerBound..<written.range.lowerBound + parts[0].utf8.count)
    }
    reportUnknown(Word(parts[0], at: word ?? place), among: nodes)
  }

  private mutating func checkFile(_ output: GraphText.Output, _ all: [GraphText.Output]) {
    guard let file = output.file, let other = all.first(where: { $0.file?.text == file.text }), other != output else { return }
    // They become its layers.
    guard !file.text.lowercased().hasSuffix(".exr") else { return }
    report(
      "graph.output-file", "two outputs write '\(file.text)'", file, "'\(other.name.text)' does too",
      help: "give each output files of its own")
  }

  private mutating func reportUnknown(_ word: Word, among known: [String]) {
    let nearest = NearestName.find(word.text, in: known).map { "did you mean '\($0)'?" }
    report(
      "graph.unknown-name", "nothing in the graph is called '\(word.text)'", word, "unknown",
      help: previous(word.text) ?? nearest
        ?? (known.isEmpty ? "the graph has no nodes" : "there is \(known.prefix(12).map { "'\($0)'" }.joined(separator: ", "))")
    )
  }

  /// How a document writes what stages write as `before(name)`.
  private func previous(_ text: String) -> String? {
    guard text.hasPrefix("before("), text.hasSuffix(")") else { return nil }
    return "write '{ previous: \(text.dropFirst(7).dropLast()) }' for what a node showed a frame ago"
  }

  private mutating func report(_ id: String, _ message: String, _ word: Word, _ label: String, help: String) {
    diagnostics.append(Diagnostic(id, message, labels: [word.place.label(label)], help: [help]))
  }
}

internal import EtalonDiagnostics
internal import EtalonManifest

/// Finds the names in a graph that nothing in it has.
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
    diagnostics.append(Diagnostic(id, message, labels: [.init(word.place.source, word.place.range, label)], help: [help]))
  }
}

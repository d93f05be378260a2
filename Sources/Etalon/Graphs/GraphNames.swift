internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest

/// The names of a graph: which node or input somebody means.
struct GraphNames {
  private let text: GraphText
  private let nodes: [String: Int]

  /// Refuses a name that two nodes have, or a node and an input.
  init(_ text: GraphText) throws(DiagnosticsError) {
    self.text = text
    var nodes: [String: Int] = [:]
    var mistakes: [Diagnostic] = []
    for (index, node) in text.nodes.enumerated() {
      if let first = nodes[node.name.text] {
        mistakes.append(Self.twice(node.name, text.nodes[first].name.place))
      } else if text.inputs[node.name.text] != nil || text.openInputs.contains(where: { $0.text == node.name.text }) {
        mistakes.append(Self.twice(node.name, nil))
      } else {
        nodes[node.name.text] = index
      }
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
    self.nodes = nodes
  }

  private static func twice(_ name: GraphText.Word, _ first: SourceRange?) -> Diagnostic {
    Diagnostic(
      "graph.name", "two things are called '\(name.text)'",
      labels: [.init(name.place.source, name.place.range, "again")] + (first.map { [.init($0.source, $0.range, "first")] } ?? []),
      help: ["give one of them another name"])
  }

  /// What a name stands for.
  enum Meaning {
    case node(Int)
    case file(GraphText.Word, fields: [LocatedNode.Member])
    /// What a node showed a frame ago.
    case before(Int)
    /// What whoever applies the graph gives for an input.
    case open(String)
  }

  /// Follows the names of inputs to their files.
  func meaning(of origin: GraphText.Origin) throws(DiagnosticsError) -> Meaning {
    switch origin {
    case .file(let word, let fields): return .file(word, fields: fields)
    case .before(let word): return .before(try node(word))
    case .node(let word):
      if text.openInputs.contains(where: { $0.text == word.text }) { return .open(word.text) }
      guard case .file(let file, let fields)? = text.inputs[word.text] else { return .node(try node(word)) }
      return .file(file, fields: fields)
    }
  }

  /// Those of nodes and inputs.
  var all: [String] { text.nodes.map(\.name.text) + text.inputs.keys.sorted() + text.openInputs.map(\.text) }

  private func node(_ word: GraphText.Word) throws(DiagnosticsError) -> Int {
    if let node = nodes[word.text] { return node }
    let known = all
    let nearest = NearestName.find(word.text, in: known).map { "did you mean '\($0)'?" }
    throw DiagnosticsError(
      Diagnostic(
        "graph.unknown-name", "nothing in the graph is called '\(word.text)'",
        labels: [.init(word.place.source, word.place.range, "not found")], help: nearest.map { [$0] } ?? [],
        notes: ["names: \(known.joined(separator: ", "))"]))
  }

  /// The node that `node.parameter` is about; nil when the name has no such form.
  func node(ofTarget name: String) -> (index: Int, parameter: String)? {
    guard let dot = name.firstIndex(of: "."), let index = nodes[String(name[..<dot])] else { return nil }
    return (index, String(name[name.index(after: dot)...]))
  }
}

internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest

/// The nodes of a graph so that each comes after those that it reads.
struct GraphOrder {
  private let text: GraphText
  private let reads: [[Int]]
  private var isDone: [Bool]
  private var path: [Int] = []
  private(set) var nodes: [Int] = []

  /// Refuses nodes that read themselves, with the whole cycle.
  ///
  /// - Parameter reads: the nodes that each reads in the same frame.
  init(_ text: GraphText, reads: [[Int]]) throws(DiagnosticsError) {
    self.text = text
    self.reads = reads
    isDone = Array(repeating: false, count: reads.count)
    for node in reads.indices { try visit(node) }
  }

  private mutating func visit(_ node: Int) throws(DiagnosticsError) {
    guard !isDone[node] else { return }
    if let start = path.firstIndex(of: node) { throw cycle(Array(path[start...])) }
    path.append(node)
    for other in reads[node] { try visit(other) }
    path.removeLast()
    isDone[node] = true
    nodes.append(node)
  }

  private func cycle(_ nodes: [Int]) -> DiagnosticsError {
    // In the direction in which the picture goes.
    let names = (nodes + [nodes[0]]).reversed().map { text.nodes[$0].name.text }
    let place = text.nodes[nodes[0]].name.place
    return DiagnosticsError(
      Diagnostic(
        "graph.cycle", "a picture depends on itself: \(names.joined(separator: " -> "))",
        labels: [.init(place.source, place.range, "reads its own result")],
        help: ["read what '\(text.nodes[nodes[0]].name.text)' showed a frame ago, with 'before', or read another picture"]))
  }
}

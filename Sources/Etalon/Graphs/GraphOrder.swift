internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest

/// The nodes of a graph so that each comes after those that it reads.
struct GraphOrder {
  private let text: GraphText
  private let reads: [[Int]]
  private var isBegun: [Bool]
  private var isDone: [Bool]
  private(set) var nodes: [Int] = []

  /// Refuses nodes that read themselves, with the whole cycle.
  ///
  /// - Parameter reads: the nodes that each reads in the same frame.
  init(_ text: GraphText, reads: [[Int]]) throws(DiagnosticsError) {
    self.text = text
    self.reads = reads
    isBegun = Array(repeating: false, count: reads.count)
    isDone = isBegun
    for node in reads.indices { try visit(node) }
  }

  private mutating func visit(_ node: Int) throws(DiagnosticsError) {
    guard !isBegun[node] else { return }
    isBegun[node] = true
    // Nodes each of which is read by the one before it, with what they read; a list, because strangers decide how many those are.
    var path = [node]
    var open = [reads[node][...]]
    while let node = path.last {
      if let other = open[path.count - 1].popFirst() {
        guard !isDone[other] else { continue }
        guard !isBegun[other] else { throw cycle(Array(path.drop { $0 != other })) }
        isBegun[other] = true
        path.append(other)
        open.append(reads[other][...])
      } else {
        path.removeLast()
        open.removeLast()
        isDone[node] = true
        nodes.append(node)
      }
    }
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

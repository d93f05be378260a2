internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest

/// The pictures that leave a graph: those that it says, and the results of nodes that somebody asked for.
struct GraphOutputs {
  /// The result first.
  let origins: [(name: String, origin: GraphText.Origin)]
  /// Those that are there and that nobody needs now.
  let unneeded: [GraphText.Origin]

  init(_ text: GraphText, names: GraphNames, request: RenderRequest) throws(DiagnosticsError) {
    var origins = text.outputs.map { (name: $0.name.text, origin: $0.origin) }
    if origins.isEmpty {
      guard let last = text.nodes.last else {
        throw DiagnosticsError(Diagnostic("graph.empty", "the graph has no node", help: ["give it a filter to render"]))
      }
      origins = [("main", .node(last.name))]
    }
    var mistakes: [Diagnostic] = []
    for name in request.outputs where !origins.contains(where: { $0.name == name }) {
      if let node = text.nodes.first(where: { $0.name.text == name }) {
        origins.append((name, .node(node.name)))
      } else {
        mistakes.append(Self.unknown(name, text.outputs.map(\.name.text), text.nodes.map(\.name.text)))
      }
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
    let isNeeded = origins.enumerated().map { request.needs($0.element.name, isResult: $0.offset == 0) }
    let needsNone = !isNeeded.contains(true)
    self.origins = zip(origins, isNeeded).filter { $0.1 || needsNone }.map(\.0)
    unneeded = zip(origins, isNeeded).filter { !$0.1 }.map(\.0.origin)
  }

  private static func unknown(_ name: String, _ outputs: [String], _ nodes: [String]) -> Diagnostic {
    let list =
      (outputs.isEmpty ? "" : "its outputs are \(outputs.joined(separator: ", ")), ") + "its nodes \(nodes.joined(separator: ", "))"
    // Whoever writes 'my-mask' or 'mask2' may mean 'mask'.
    let parts = (outputs + nodes).filter { $0.count > 2 && name.lowercased().contains($0.lowercased()) }
    let nearest = NearestName.find(name, in: outputs + nodes) ?? parts.first
    return Diagnostic(
      "output.unknown", "the graph has no output or node '\(name)'",
      help: [nearest.map { "did you mean '\($0)'?" }, list].compactMap(\.self))
  }
}

extension RenderRequest {
  fileprivate func needs(_ output: String, isResult: Bool) -> Bool {
    guard let needed = neededOutputs else { return true }
    return needed.contains(output) || isResult && needed.contains(nil)
  }
}

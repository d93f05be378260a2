internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// Everything that can be set from outside in a graph document, and what leaves it, as data for text and JSON.
///
/// As JSON it has these keys, and absent ones are not in the document: `{"version": 1, "kind": "graph", "path", "name", "filterKind", "description",
/// "credit", "license", "categories": [], "clock": {"size", "rate", …}, "inputs": [], "nodes": [], "parameters": [], "outputs": []}`. An input
/// without a `file` is open. A parameter has the keys of a filter's parameter, and `written` and `sets`.
package struct GraphDescription: Sendable, Encodable {
  package let version = 1
  package let kind = "graph"
  package let path: String
  /// What it is called as a filter.
  package let name: String
  /// What it is used for as a filter: generator, filter, composite or transition.
  package let filterKind: String
  package let description: String?
  package let credit: String?
  package let license: String?
  package let categories: [String]
  /// `size`, `rate`, `first`, `start`, `frames`, `duration`, `format`, `workingSpace`: as written.
  package let clock: [String: String]
  /// Those that the document leaves open first, in its order.
  package let inputs: [Input]
  package let nodes: [Node]
  /// Those that the document names, then `node.parameter` of all nodes.
  package let parameters: [Parameter]
  /// The result first.
  package let outputs: [Output]

  /// A picture, a sequence or a sound that the document names.
  package struct Input: Sendable, Encodable {
    package let name: String
    /// Nil for an input whose picture is given where the graph is applied.
    package let file: String?
  }

  /// One application of a filter.
  package struct Node: Sendable, Encodable {
    package let name: String
    package let filter: String
  }

  /// A picture that leaves the graph.
  package struct Output: Sendable, Encodable {
    package let name: String
    package let node: String
    /// Where its frames go; nil where the command line says it.
    package let file: String?
  }

  /// A value that `--set` can change.
  package struct Parameter: Sendable, Encodable {
    /// What its filter declares, under the name that it has outside.
    package let declaration: FilterDescription.Parameter
    /// The value in the document, as written; nil is the default of the filter.
    package let written: String?
    /// Every `node.parameter` that a name of the document stands for; empty for a parameter of a node itself.
    package let sets: [String]

    private enum Key: String, CodingKey { case written, sets }

    package func encode(to encoder: any Encoder) throws {
      try declaration.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encodeIfPresent(written, forKey: .written)
      try sets.isEmpty ? () : container.encode(sets, forKey: .sets)
    }
  }
}

// MARK: from documents

extension GraphDescription {
  /// Describes a document with the filters that it applies; nothing is compiled.
  package init(_ path: String, library: FilterLibrary) throws {
    let text = try GraphDocument.read(path, library: library).setting([])
    let request = RenderRequest(graph: text, library: library)
    let (interface, loaded) = try GraphAssembler(text, library: library, request: request, kernels: nil).interface()
    let values = text.values
    self.init(
      path: path, name: interface.manifest.name, filterKind: interface.manifest.kind.rawValue, description: text.about.description,
      credit: text.about.credit, license: text.about.license, categories: text.about.categories, clock: text.clock.mapValues(\.text),
      inputs: text.openInputs.map { Input(name: $0.text, file: nil) }
        + text.inputs.map { Input(name: $0, file: $1.name) }.sorted { $0.name < $1.name },
      nodes: text.nodes.map { Node(name: $0.name.text, filter: $0.filter.text) },
      parameters: zip(text.parameters, interface.manifest.parameters).map { entry, parameter in
        Parameter(declaration: .init(parameter), written: values[entry.targets[0].text], sets: entry.targets.map(\.text))
      } + loaded.flatMap { $0.parameters(values) },
      outputs: text.outputs.map { Output(name: $0.name.text, node: $0.origin.name, file: $0.file?.text) })
  }
}

extension LoadedNode {
  /// What can be set as `node.parameter`.
  fileprivate func parameters(_ values: [String: String]) -> [GraphDescription.Parameter] {
    manifest.parameters.map { parameter in
      let name = "\(node.name.text).\(parameter.name)"
      return GraphDescription.Parameter(declaration: .init(parameter, named: name), written: values[name], sets: [])
    }
  }
}

extension GraphText.Origin {
  /// The node or the file, as written.
  fileprivate var name: String {
    switch self {
    case .node(let word), .before(let word), .file(let word, _): word.text
    }
  }
}

internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

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

internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

extension GraphDescription {
  /// Describes a document with the filters that it applies; nothing is compiled.
  package init(_ path: String, library: FilterLibrary) throws {
    let text = try GraphDocument.read(path)
    let kernels = KernelStore(compiler: ShaderCompiler(cache: nil), deadline: nil)
    let loader = NodeLoader(request: RenderRequest(graph: text, library: library), library: library, kernels: kernels, folder: text.folder)
    let manifests = try text.nodes.map { try loader.manifest(of: $0) }
    let declared = try GraphParameters(text, manifests)
    self.init(
      path: path, clock: text.clock.mapValues(\.text),
      inputs: text.inputs.map { Input(name: $0, file: $1.name) }.sorted { $0.name < $1.name },
      nodes: text.nodes.map { Node(name: $0.name.text, filter: $0.filter.text) },
      parameters: try declared.named() + declared.all,
      outputs: text.outputs.map { Output(name: $0.name.text, node: $0.origin.name, file: $0.file?.text) })
  }
}

/// The parameters of the nodes of a graph.
private struct GraphParameters {
  let all: [GraphDescription.Parameter]
  private let text: GraphText

  init(_ text: GraphText, _ manifests: [FilterManifest]) throws(DiagnosticsError) {
    self.text = text
    let values = try text.setting([]).values
    all = zip(text.nodes, manifests).flatMap { node, manifest in
      manifest.parameters.map { parameter in
        let name = "\(node.name.text).\(parameter.name)"
        return GraphDescription.Parameter(declaration: .init(parameter, named: name), written: values[name], sets: nil)
      }
    }
  }

  /// Those to which the document gives a name; mistakes in them are thrown together.
  func named() throws(DiagnosticsError) -> [GraphDescription.Parameter] {
    var mistakes: [Diagnostic] = []
    let found: [GraphDescription.Parameter] = text.parameters.compactMap { entry in
      guard let target = all.first(where: { $0.declaration.name == entry.target.text }) else {
        mistakes.append(unknown(entry.target))
        return nil
      }
      return GraphDescription.Parameter(
        declaration: target.declaration.narrowed(by: entry), written: target.written, sets: entry.target.text)
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
    return found
  }

  private func unknown(_ target: GraphText.Word) -> Diagnostic {
    let nearest = NearestName.find(target.text, in: all.map(\.declaration.name)).map { "did you mean '\($0)'?" }
    return Diagnostic(
      "graph.unknown-target", "no node has a parameter '\(target.text)'", labels: [target.label("not found")],
      help: [nearest ?? "write 'node.parameter'"])
  }
}

extension FilterDescription.Parameter {
  /// The same parameter in the words of a document.
  fileprivate func narrowed(by entry: GraphText.Parameter) -> Self {
    Self(
      name: entry.name.text, label: entry.label?.text ?? label, help: help, group: group, kind: kind, type: type, default: self.default,
      followsClock: followsClock, minimum: entry.minimum.flatMap(Self.bound) ?? minimum,
      maximum: entry.maximum.flatMap(Self.bound) ?? maximum,
      identity: identity, step: step, unit: unit, choices: choices)
  }

  private static func bound(_ word: GraphText.Word) -> DescribedValue? { Double(word.text).map { DescribedValue(Value(.float, [$0])) } }
}

extension GraphText.Origin {
  /// The node or the file, as written.
  fileprivate var name: String {
    switch self {
    case .node(let word), .before(let word), .file(let word, _): word.text
    }
  }
}

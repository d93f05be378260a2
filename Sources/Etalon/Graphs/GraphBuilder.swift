internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// Makes recipes of a graph that somebody wrote: loads the filters, opens the pictures, wires the nodes.
struct GraphBuilder {
  private let text: GraphText
  private let request: RenderRequest
  private let names: GraphNames
  private let loader: NodeLoader
  private let reader = PictureFolder()

  private var loaded: [LoadedNode] = []
  private var wirings: [NodeWiring] = []
  /// What each node shows, once it is known.
  private var results: [Int: FilterUse.Input] = [:]
  private var sources: [String: any PictureSource] = [:]
  private var warnings: [Diagnostic] = []

  init(_ text: GraphText, library: FilterLibrary, request: RenderRequest, kernels: KernelStore) throws(DiagnosticsError) {
    self.text = try text.setting(request.settings)
    self.request = request
    names = try GraphNames(text)
    loader = NodeLoader(request: request, library: library, kernels: kernels, folder: text.folder)
  }

  /// Builds the graph; what is wrong with any node is reported together, as far as one mistake does not hide others.
  func build() throws -> BuiltGraph {
    var builder = self
    try builder.load()
    try builder.wire()
    let order = try GraphOrder(text, reads: builder.wirings.map { $0.feeds.values.filter { !$0.isBefore }.map(\.node).sorted() }).nodes
    try builder.collect(order) { builder, node in try builder.makeRecipe(of: node) }
    return try builder.graph(order)
  }

  /// Does something for several nodes and throws all mistakes in them together; failures of the world are thrown at once.
  private mutating func collect(_ nodes: some Sequence<Int>, _ work: (inout GraphBuilder, Int) throws -> Void) throws {
    var mistakes: [Diagnostic] = []
    for node in nodes {
      do { try work(&self, node) } catch let error as DiagnosticsError { mistakes += error.diagnostics.filter { !mistakes.contains($0) } }
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
  }

  private mutating func load() throws {
    try collect(text.nodes.indices) { builder, node in
      let loaded = try builder.loader.load(builder.text.nodes[node])
      builder.loaded.append(loaded)
      builder.warnings += loaded.filter.warnings
    }
  }

  private mutating func wire() throws {
    try collect(text.nodes.indices) { builder, node in
      let wiring = try NodeWiring(builder.loaded[node], names: builder.names, folder: builder.text.folder)
      builder.wirings.append(wiring)
      builder.warnings += wiring.warnings
    }
  }

  // MARK: recipes

  private mutating func makeRecipe(of node: Int) throws {
    let (loaded, wiring) = (loaded[node], wirings[node])
    let pictures = try self.pictures(loaded, wiring)
    if let mistake = wiring.missing(besides: Set(pictures.keys)) { throw DiagnosticsError(mistake) }
    var inputs = pictures
    for (input, feed) in wiring.feeds where loaded.manifest.inputs.contains(where: { $0.name == input }) {
      let name = text.nodes[feed.node].name.text
      inputs[input] = feed.isBefore ? FilterUse.Input(ImageRecipe(.before(name), label: "\(name) before")) : results[feed.node]
    }
    if loaded.operation == .clamp, let input = inputs["inputImage"] {
      results[node] = FilterUse.Input(input.image, address: .clamp)
      return
    }
    let use = FilterUse(loaded.graphFilter, inputs: inputs, values: loaded.filter.values, animated: loaded.filter.animated)
    results[node] = FilterUse.Input(ImageRecipe(.filter(use), label: loaded.node.name.text))
  }

  /// The inputs of a node that show files, or what its filter brings along.
  private mutating func pictures(_ loaded: LoadedNode, _ wiring: NodeWiring) throws -> [String: FilterUse.Input] {
    var own = request
    own.inputs = wiring.files
    own.samplers = []
    let found = try InputResolver(request: own, filter: loaded.filter, fed: Set(wiring.feeds.keys), mayMiss: true, reader: reader).resolve()
    warnings += found.warnings
    var inputs: [String: FilterUse.Input] = [:]
    for (name, picture) in found.pictures {
      let file = wiring.files.first { $0.input == name }
      let recipe: ImageRecipe
      if let source = found.sources[name] {
        let stream = freeName(for: source is SoundSource ? name : file.map(\.streamName) ?? name, source)
        sources[stream] = sources[stream] ?? source
        recipe = ImageRecipe(.stream(ImageStream(name: stream, model: picture)), label: file?.label ?? name)
      } else {
        recipe = ImageRecipe(.picture(picture), label: file?.label ?? name)
      }
      let sampler = found.samplers[name]
      inputs[name] = FilterUse.Input(recipe, address: sampler?.address, interpolation: sampler?.interpolation)
    }
    return inputs
  }

  /// Sequences that say the same are one stream; sounds are known by their inputs.
  private func freeName(for name: String, _ source: any PictureSource) -> String {
    guard source is SoundSource, sources[name] != nil else { return name }
    return (2...).lazy.map { "\(name) \($0)" }.first { sources[$0] == nil } ?? name
  }

  // MARK: the whole

  private func graph(_ order: [Int]) throws -> BuiltGraph {
    var reached: Set<Int> = []
    let outputs = try GraphOutputs(text, names: names, request: request).origins.map { name, origin in
      let image = try self.image(of: origin, &reached)
      let manifest = image.manifest
      return ImageGraph.Output(
        name: name, image: image, format: request.fileFormat, alpha: request.alpha ?? manifest?.usualAlpha ?? .straight)
    }
    var feedback: [String: ImageRecipe] = [:]
    for feed in wirings.flatMap(\.feeds.values) where feed.isBefore {
      feedback[text.nodes[feed.node].name.text] = results[feed.node]?.image
    }
    let image = ImageGraph(
      outputs: outputs, feedback: feedback, size: request.size, format: request.format ?? (request.bits == 16 ? .rgba32f : .rgba16f))
    let used = reaching(reached)
    let unused = text.nodes.indices.filter { !used.contains($0) }.map { text.nodes[$0].unused }
    return BuiltGraph(
      image: image, sources: sources,
      subject: ShotSubject(
        name: order.filter { used.contains($0) }.map { text.nodes[$0].filter.text }.joined(separator: " | "), values: text.values,
        warnings: warnings + unused, files: loaded.flatMap(\.filter.files) + reader.files))
  }

  private func image(of origin: GraphText.Origin, _ reached: inout Set<Int>) throws -> ImageRecipe {
    switch try names.meaning(of: origin) {
    case .node(let node), .before(let node):
      reached.insert(node)
      guard let image = results[node]?.image else { preconditionFailure("a node without a recipe") }
      return image
    case .file(let word, let fields):
      let file = try GraphPicture(word, fields, folder: text.folder).picture(for: "inputImage")
      guard file.sequence == nil else {
        throw DiagnosticsError(
          Diagnostic(
            "graph.only-sequence", "the result is the sequence '\(word.text)' itself",
            labels: [.init(word.place.source, word.place.range, "nothing changes it")], help: ["put a filter behind it"]))
      }
      return ImageRecipe(.picture(try reader.picture(file.path)), label: file.label)
    }
  }

  /// The nodes that some others depend on, and these.
  private func reaching(_ nodes: Set<Int>) -> Set<Int> {
    var open = Array(nodes)
    var reached: Set<Int> = []
    while let node = open.popLast() {
      if reached.insert(node).inserted { open += wirings[node].feeds.values.map(\.node) }
    }
    return reached
  }
}

extension ImageRecipe {
  /// What the filter says that it is the result of; nil for a picture.
  fileprivate var manifest: FilterManifest? { if case .filter(let use) = operation { use.filter.manifest } else { nil } }
}

extension RenderRequest.InputPicture {
  fileprivate var label: String { path.split(separator: "/").last.map(String.init) ?? path }
  /// The same for sequences that show the same.
  fileprivate var streamName: String { "\(path) \(sequence.map { "\($0)" } ?? "")" }
}

extension GraphText.Node {
  fileprivate var unused: Diagnostic {
    Diagnostic(
      "graph.unused", "nothing reads '\(name.text)'", severity: .warning, labels: [.init(name.place.source, name.place.range, "not used")],
      help: ["read it with '@\(name.text)', or leave it out"])
  }
}

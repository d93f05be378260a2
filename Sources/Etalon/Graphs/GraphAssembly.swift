internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes

/// A graph with its filters loaded and its own pictures opened: with pictures for its open inputs it becomes recipes.
///
/// A document that is applied as a filter is one of these; its recipes become part of those of the graph that applies it, so that nothing in a plan
/// tells where a document ends.
struct GraphAssembly: Sendable {
  struct Node: Sendable {
    let loaded: LoadedNode
    let wiring: NodeWiring
    /// The inputs that show files.
    let pictures: [String: FilterUse.Input]

    fileprivate func add(to hasher: inout ContentHasher) {
      let filter =
        switch loaded.application {
        case .filter(let filter), .operation(_, let filter): filter.digest
        case .graph(let assembly): assembly.digest
        }
      hasher.add("node", "\(loaded.node.name.text) \(filter)")
      for (name, value) in loaded.written.sorted(by: { $0.key < $1.key }) { hasher.add(name, value.recipeText) }
      for (name, feed) in wiring.feeds.sorted(by: { $0.key < $1.key }) { hasher.add(name, "\(feed.node) \(feed.isBefore)") }
      for (name, open) in wiring.opens.sorted(by: { $0.key < $1.key }) { hasher.add(name, open) }
      for (name, input) in pictures.sorted(by: { $0.key < $1.key }) { hasher.add(name, input.image.digest.description) }
    }
  }

  let text: GraphText
  let names: GraphNames
  let nodes: [Node]
  /// The nodes so that each comes after those that it reads.
  let order: [Int]
  let interface: GraphInterface
  /// What the streams of the graph show, and those of the documents that it applies.
  let sources: [String: any PictureSource]
  let warnings: [Diagnostic]
  /// The document, its filters and its tracks.
  let files: [String]
  /// What stands in for pictures and sounds that are missing, by `node.input`.
  let standIns: [String: String]
  let reader: PictureCache
  /// Covers everything that its pictures depend on.
  let digest: ContentHash

  init(
    text: GraphText, names: GraphNames, nodes: [Node], order: [Int], interface: GraphInterface, sources: [String: any PictureSource],
    warnings: [Diagnostic], files: [String], standIns: [String: String], reader: PictureCache
  ) {
    (self.text, self.names, self.nodes, self.order, self.interface) = (text, names, nodes, order, interface)
    (self.sources, self.warnings, self.files, self.standIns, self.reader) = (sources, warnings, files, standIns, reader)
    var hasher = ContentHasher()
    hasher.add("manifest", ManifestPrinter().text(interface.manifest))
    hasher.add("outputs", text.outputs.map { "\($0.name.text) \($0.origin)" }.joined(separator: " "))
    for node in nodes { node.add(to: &hasher) }
    digest = hasher.finish()
  }

  /// The output that it shows as a filter; nil is the first.
  private(set) var shown: String?

  var manifest: FilterManifest { interface.manifest }

  /// The names of the outputs, the result first.
  var outputs: [String] { text.outputs.isEmpty ? [manifest.mainOutput] : text.outputs.map(\.name.text) }

  /// The same graph with another of its outputs as the result.
  func showing(_ output: String) -> GraphAssembly {
    var assembly = self
    assembly.shown = output
    return assembly
  }

  /// What the nodes of a graph show.
  struct Pictures {
    fileprivate(set) var nodes: [Int: FilterUse.Input] = [:]
    /// What the nodes show that others read a frame later, also those of documents that the graph applies.
    fileprivate(set) var feedback: [String: ImageRecipe] = [:]
  }

  /// The recipes of all nodes.
  ///
  /// - Parameter inputs: what the open inputs show.
  /// - Parameter values: those of parameters of the graph that are set.
  /// - Parameter prefix: stands before the names of feedback, which are the graph's own.
  func pictures(inputs: [String: FilterUse.Input] = [:], values: [String: GivenValue] = [:], prefix: String = "") throws -> Pictures {
    let changes = try interface.changes(values)
    var pictures = Pictures()
    for node in order { try add(node, inputs, changes[node] ?? [:], prefix, to: &pictures) }
    for feed in nodes.flatMap(\.wiring.feeds.values) where feed.isBefore {
      pictures.feedback[prefix + name(feed.node)] = pictures.nodes[feed.node]?.image
    }
    return pictures
  }

  /// What an output or an input shows.
  func picture(of origin: GraphText.Origin, in pictures: Pictures, inputs: [String: FilterUse.Input]) throws -> FilterUse.Input {
    switch try names.meaning(of: origin) {
    case .node(let node), .before(let node):
      guard let picture = pictures.nodes[node] else { preconditionFailure("a node without a recipe") }
      return picture
    case .open(let name):
      guard let picture = inputs[name] else { preconditionFailure("an open input without a picture") }
      return picture
    case .file(let word, let fields): return FilterUse.Input(try picture(word, fields))
    }
  }

  /// The picture that a document makes as a filter, and its feedback.
  func result(inputs: [String: FilterUse.Input], values: [String: GivenValue]) throws -> (FilterUse.Input, feedback: [String: ImageRecipe])
  {
    var pictures = try self.pictures(inputs: inputs, values: values)
    if !pictures.feedback.isEmpty {
      // Feedback is named by what it is: equal uses share it, and others do not meet.
      var hasher = ContentHasher()
      hasher.add("document", manifest.name)
      for (name, image) in pictures.feedback.sorted(by: { $0.key < $1.key }) { hasher.add(name, image.digest.description) }
      let prefix = "\(manifest.name)-\(hasher.finish().description.prefix(16))/"
      pictures = try self.pictures(inputs: inputs, values: values, prefix: prefix)
    }
    return (try picture(of: output, in: pictures, inputs: inputs), pictures.feedback)
  }

  /// What the graph shows as a filter: the first of its outputs, else its last node.
  private var output: GraphText.Origin {
    if let output = text.outputs.first(where: { shown == nil || $0.name.text == shown }) { return output.origin }
    guard let last = text.nodes.last else { preconditionFailure("a document without nodes and outputs") }
    return .node(last.name)
  }

  private func name(_ node: Int) -> String { text.nodes[node].name.text }

  // MARK: nodes

  private func add(
    _ index: Int, _ given: [String: FilterUse.Input], _ values: [String: GivenValue], _ prefix: String, to pictures: inout Pictures
  ) throws {
    let node = nodes[index]
    var inputs = node.pictures
    for (input, feed) in node.wiring.feeds where node.loaded.manifest.inputs.contains(where: { $0.name == input }) {
      let name = name(feed.node)
      inputs[input] =
        feed.isBefore ? FilterUse.Input(ImageRecipe(.before(prefix + name), label: "\(name) before")) : pictures.nodes[feed.node]
    }
    for (input, name) in node.wiring.opens {
      guard let shown = given[name] else { continue }
      let declared = node.loaded.manifest.inputs.first { $0.name == input }
      inputs[input] =
        switch declared {
        case let data? where data.data != nil: FilterUse.Input(try data.reading(shown.image, named: name))
        case let solid? where solid.shape != .flat:
          FilterUse.Input(try SolidPicture(solid, reader: reader).reading(shown.image, named: name))
        default: shown
        }
    }
    let filter = node.loaded.filter
    switch node.loaded.application {
    case .operation(.clamp, _):
      guard let input = inputs["inputImage"] else { preconditionFailure("clamp without a picture") }
      pictures.nodes[index] = FilterUse.Input(input.image, address: .clamp)
    case .operation(_, let graphFilter), .filter(let graphFilter):
      let use = FilterUse(
        graphFilter, inputs: inputs, values: filter.values, animated: filter.animated.merging(values.mapValues(\.value)) { $1 },
        declarations: values.compactMapValues(\.declaration), origin: UseOrigin(node.loaded.node))
      pictures.nodes[index] = FilterUse.Input(try ImageRecipe.result(of: use, label: node.loaded.node.name.text))
    case .graph(let assembly):
      let written = node.loaded.written.mapValues { GivenValue($0) }
      let (picture, feedback) = try assembly.result(inputs: inputs, values: written.merging(values) { $1 })
      pictures.nodes[index] = picture
      pictures.feedback.merge(feedback) { first, _ in first }
    }
  }

  private func picture(_ word: GraphText.Word, _ fields: [LocatedNode.Member]) throws -> ImageRecipe {
    let file = try GraphPicture(word, fields, folder: text.folder).picture(for: "inputImage")
    guard file.sequence == nil, file.video == nil else {
      throw DiagnosticsError(
        Diagnostic(
          "graph.only-sequence", "the result is the \(file.video == nil ? "sequence" : "video") '\(word.text)' itself",
          labels: [word.place.label("nothing changes it")], help: ["put a filter behind it"]))
    }
    do throws(RenderError) {
      return ImageRecipe(.picture(try reader.picture(file.path, file.choice)), label: file.label)
    } catch {
      throw error.asked(at: word.label("asked for here"))
    }
  }
}

extension GraphAssembly: Hashable {
  /// Whether both show the same when they are given the same.
  static func == (one: GraphAssembly, other: GraphAssembly) -> Bool { one.digest == other.digest && one.shown == other.shown }

  func hash(into hasher: inout Hasher) {
    hasher.combine(digest)
    hasher.combine(shown)
  }
}

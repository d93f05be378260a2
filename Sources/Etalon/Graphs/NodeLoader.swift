internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonDialects
internal import EtalonGraph
internal import EtalonManifest

/// A node of a graph with its filter.
struct LoadedNode: Sendable {
  /// What makes the picture of a node.
  enum Application: Sendable {
    case filter(GraphFilter)
    /// An operation on pictures, by a filter of its own.
    case operation(ImageOperation, GraphFilter)
    /// The nodes of another document.
    case graph(GraphAssembly)
  }

  let node: GraphText.Node
  /// Of an operation that of its own filter, of a document what it says about itself.
  let filter: LoadedFilter
  let application: Application
  /// The settings that are pictures for image inputs.
  let pictures: [GraphText.Setting]

  var manifest: FilterManifest { filter.manifest }

  /// The inputs that show an open input of the graph, by a name of their own.
  func inputs(showing openInput: String) -> [FilterInput] {
    let wired = node.inputs.compactMap { input -> String? in
      guard case .node(let word) = input.origin, word.text == openInput else { return nil }
      return input.name?.text
    }
    let names = wired + pictures.filter { $0.value.scalar == "@" + openInput }.map(\.name.text)
    return manifest.inputs.filter { names.contains($0.name) }
  }

  /// The values that were written for the node, by parameter.
  var written: [String: AnimatedValue] {
    let names = node.settings.map(\.name.text)
    let plain = names.compactMap { name in filter.values[name].map { (name, AnimatedValue.literal($0)) } }
    return Dictionary(plain) { first, _ in first }.merging(filter.animated) { _, animated in animated }
  }
}

/// Loads the filters of nodes.
struct NodeLoader {
  /// How many documents are open at most, one inside the other: each needs stack.
  private static let mostDocuments = 8

  let request: RenderRequest
  let library: FilterLibrary
  /// Nil compiles nothing.
  let kernels: KernelStore?
  /// Those of the graph.
  let names: GraphNames
  /// What relative paths start from, with a slash at its end.
  let folder: String
  /// The documents whose nodes are being loaded, from the outermost on.
  let documents: [String]
  let reader: PictureCache
  let memory: FilterMemory

  /// The filter of a node with its values; files that cannot be read are told where the node names its filter.
  func load(_ node: GraphText.Node) throws -> LoadedNode {
    do { return try opened(node) } catch let error as RenderError {
      throw error.asked(at: node.filter.label("asked for here"))
    }
  }

  /// The filter of a node whose values are wrong, with its own.
  func loadWithoutValues(_ node: GraphText.Node) throws -> LoadedNode {
    var plain = node
    plain.settings = []
    let loaded = try opened(plain)
    return LoadedNode(node: node, filter: loaded.filter, application: loaded.application, pictures: node.pictures(for: loaded.manifest))
  }

  private func opened(_ node: GraphText.Node) throws -> LoadedNode {
    if let operation = ImageOperation(rawValue: node.filter.text), operation.isMeant(settings: node.settings.map(\.name.text)) {
      return try load(operation, node)
    }
    let location = try location(of: node)
    if case .file(let path) = location, GraphDocument.isGraph(path) { return try load(document: path, node) }
    return try load(file: location, node)
  }

  /// Where the file of a filter is.
  private func location(of node: GraphText.Node) throws -> RenderRequest.FilterLocation {
    let word = node.filter
    if word.text == "-" { return .standardInput }
    let isRelative = word.text.contains("/") || word.text.contains(".")
    do throws(DiagnosticsError) {
      return .file(try library.path(of: isRelative && !word.text.hasPrefix("/") ? folder + word.text : word.text))
    } catch {
      let operations = ImageOperation.allCases.map(\.rawValue)
      let nearest =
        names.all.contains(word.text) && word.text != node.name.text
        ? "'\(word.text)' is a result, not a filter: begin with the next stage and give it 'inputImage=@\(word.text)'"
        : NearestName.find(word.text, in: operations).map { "did you mean '\($0)'?" }
      throw DiagnosticsError(
        error.diagnostics.map { found in
          let isNear = found.help.contains { $0.hasPrefix("did you mean") }
          return Diagnostic(
            found.id, found.message, labels: [word.place.label("not found")],
            help: isNear ? found.help : nearest.map { [$0] } ?? found.help, notes: found.notes)
        })
    }
  }

  private func load(file location: RenderRequest.FilterLocation, _ node: GraphText.Node) throws -> LoadedNode {
    var wish = FilterLoader.Wish(location: location, settings: node.settings.map(RenderRequest.Setting.init))
    wish.drawsKeys = request.eventsFile != nil
    wish.namesPictures = true
    wish.folder = folder
    let (filter, applied) = try FilterLoader(wish, kernels: kernels, memory: memory).load()
    return LoadedNode(node: node, filter: filter, application: .filter(applied), pictures: node.pictures(for: filter.manifest))
  }

  private func load(_ operation: ImageOperation, _ node: GraphText.Node) throws -> LoadedNode {
    let filter = operation.filter
    let pictures = node.pictures(for: filter.manifest)
    let loaded: LoadedFilter
    do throws(CompileError) { loaded = try self.filter(filter.manifest, settings: node.settings.filter { !pictures.contains($0) }) } catch {
      throw (error.cause as? DiagnosticsError).map { $0.withoutLabels(in: filter.manifest.name) } ?? error.cause
    }
    if operation == .resize, let size = node.settings.first(where: { $0.name.text == "size" }), loaded.animated["size"] == nil,
      loaded.values["size"]?.components == [0, 0]
    {
      throw DiagnosticsError(
        Diagnostic(
          "size.zero", "a picture of 0x0 has no pixels",
          labels: [size.value.place.label("nothing is left")],
          help: ["of a side that is 0 the other one decides: \(node.isStage ? "'resize 320x0'" : "'size: [320, 0]'")"]))
    }
    return LoadedNode(node: node, filter: loaded, application: .operation(operation, filter), pictures: pictures)
  }

  /// A document as the filter of a node; one that applies itself is refused.
  private func load(document path: String, _ node: GraphText.Node) throws -> LoadedNode {
    if let cycle = GraphCycle.documents(documents, applying: path, at: node.filter) { throw DiagnosticsError(cycle) }
    guard documents.count < Self.mostDocuments else {
      throw DiagnosticsError(
        Diagnostic(
          "limit.documents", "documents apply each other, at most \(Self.mostDocuments) of them one inside the other",
          labels: [node.filter.label("one too many")], help: ["write the nodes of '\(node.filter.text)' here, and leave that document out"])
      )
    }
    let assembler = try GraphAssembler(
      try GraphDocument.read(path, library: library, within: documents).setting([]), library: library, request: request, kernels: kernels,
      within: documents, reader: reader, memory: memory)
    let assembly = try assembler.assembly()
    let pictures = node.pictures(for: assembly.manifest)
    let loaded: LoadedFilter
    do throws(CompileError) {
      loaded = try filter(
        assembly.manifest, settings: node.settings, except: pictures, warnings: assembly.warnings, files: assembly.files)
    } catch {
      throw error.cause
    }
    return LoadedNode(node: node, filter: loaded, application: .graph(assembly), pictures: pictures)
  }

  /// What has no text that could be compiled, with its values.
  private func filter(
    _ manifest: FilterManifest, settings: [GraphText.Setting], except pictures: [GraphText.Setting] = [], warnings: [Diagnostic] = [],
    files: [String] = []
  ) throws(CompileError) -> LoadedFilter {
    let tracks = TrackFolder(folder)
    let typed = TypedSettings(settings.map(RenderRequest.Setting.init))
    let (values, animated) = try typed.values(for: manifest, tracks: tracks, except: pictures.map(\.name.text))
    return LoadedFilter(
      manifest: manifest, values: values, animated: animated, warnings: warnings, files: tracks.files + files, folder: FolderFiles(""))
  }
}

extension GraphText.Node {
  /// The settings whose name is that of an image input.
  fileprivate func pictures(for manifest: FilterManifest) -> [GraphText.Setting] {
    let channels = manifest.channelNames
    return settings.filter { channels.contains($0.name.text) }
  }
}

extension DiagnosticsError {
  /// The same without places in a text that Etalon itself wrote.
  fileprivate func withoutLabels(in path: String) -> DiagnosticsError {
    DiagnosticsError(
      diagnostics.map { found in
        let labels = found.labels.filter { $0.source.path != path }
        return Diagnostic(found.id, found.message, severity: found.severity, labels: labels, help: found.help, notes: found.notes)
      })
  }
}

// MARK: documents that apply each other

/// Finds documents that apply each other, which can give no picture.
private enum GraphCycle {
  /// What is wrong when a node of the last of some documents applies a document; nil when nothing is.
  static func documents(_ documents: [String], applying path: String, at word: GraphText.Word) -> Diagnostic? {
    let wanted = place(path)
    guard let start = documents.firstIndex(where: { place($0) == wanted }) else { return nil }
    let names = (documents[start...] + [path]).map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return Diagnostic(
      "graph.document-cycle",
      names.count == 2 ? "'\(names[0])' applies itself" : "documents apply each other: \(names.joined(separator: " -> "))",
      labels: [word.label("applied again")], help: ["apply another filter here, or read what a node showed a frame ago with 'previous'"])
  }

  private static func place(_ path: String) -> String { LibraryScan.realPath(path) ?? path }
}

internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest

/// A node of a graph with its filter.
struct LoadedNode {
  let node: GraphText.Node
  /// Of an operation on pictures that of its own filter.
  let filter: LoadedFilter
  /// As recipes apply it.
  let graphFilter: GraphFilter
  /// The settings that are pictures for image inputs.
  let pictures: [GraphText.Setting]
  /// What it does, where that is no filter of a library.
  var operation: ImageOperation?

  var manifest: FilterManifest { filter.manifest }
}

/// Loads the filters of nodes.
struct NodeLoader {
  let request: RenderRequest
  let library: FilterLibrary
  let kernels: KernelStore
  /// What relative paths start from, with a slash at its end.
  let folder: String

  /// The filter of a node with its values.
  func load(_ node: GraphText.Node) throws -> LoadedNode {
    if let operation = ImageOperation(rawValue: node.filter.text), operation.isMeant(settings: node.settings.map(\.name.text)) {
      return try load(operation, node)
    }
    return try load(file: location(of: node.filter), node)
  }

  /// What the filter of a node declares, without compiling it.
  func manifest(of node: GraphText.Node) throws -> FilterManifest {
    if let operation = ImageOperation(rawValue: node.filter.text), operation.isMeant(settings: node.settings.map(\.name.text)) {
      return operation.filter.manifest
    }
    let text = try FilterText(location(of: node.filter))
    return try FilterReader(files: text.files).read(text.source, options: FilterReader.Options()).manifest
  }

  /// Where the file of a filter is.
  private func location(of word: GraphText.Word) throws -> RenderRequest.FilterLocation {
    if word.text == "-" { return .standardInput }
    let isRelative = word.text.contains("/") || word.text.contains(".")
    do throws(DiagnosticsError) {
      return .file(try library.path(of: isRelative && !word.text.hasPrefix("/") ? folder + word.text : word.text))
    } catch {
      let operations = ImageOperation.allCases.map(\.rawValue)
      let nearest = NearestName.find(word.text, in: operations).map { "did you mean '\($0)'?" }
      throw DiagnosticsError(
        error.diagnostics.map { found in
          let isNear = found.help.contains { $0.hasPrefix("did you mean") }
          return Diagnostic(
            found.id, found.message, labels: [.init(word.place.source, word.place.range, "not found")],
            help: isNear ? found.help : nearest.map { [$0] } ?? found.help, notes: found.notes)
        })
    }
  }

  private func load(file location: RenderRequest.FilterLocation, _ node: GraphText.Node) throws -> LoadedNode {
    var wish = FilterLoader.Wish(location: location, settings: node.settings.map(RenderRequest.Setting.init))
    wish.drawsKeys = request.eventsFile != nil
    wish.namesPictures = true
    wish.folder = folder
    let filter = try FilterLoader(wish, kernels: kernels).load()
    return LoadedNode(node: node, filter: filter, graphFilter: GraphFilter(filter.manifest), pictures: node.pictures(for: filter.manifest))
  }

  private func load(_ operation: ImageOperation, _ node: GraphText.Node) throws -> LoadedNode {
    let filter = operation.filter
    let pictures = node.pictures(for: filter.manifest)
    let tracks = TrackFolder(folder)
    let typed = TypedSettings(node.settings.filter { !pictures.contains($0) }.map(RenderRequest.Setting.init))
    let values: ParameterValues
    let animated: [String: AnimatedValue]
    do throws(CompileError) { (values, animated) = try typed.values(for: filter.manifest, tracks: tracks) } catch {
      throw (error.cause as? DiagnosticsError).map { $0.withoutLabels(in: filter.manifest.name) } ?? error.cause
    }
    let loaded = LoadedFilter(
      manifest: filter.manifest, values: values, animated: animated, warnings: [], files: tracks.files, folder: FolderFiles(""))
    return LoadedNode(node: node, filter: loaded, graphFilter: filter, pictures: pictures, operation: operation)
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
  /// The same without places in a text that nobody but Etalon wrote.
  fileprivate func withoutLabels(in path: String) -> DiagnosticsError {
    DiagnosticsError(
      diagnostics.map { found in
        let labels = found.labels.filter { $0.source.path != path }
        return Diagnostic(found.id, found.message, severity: found.severity, labels: labels, help: found.help, notes: found.notes)
      })
  }
}

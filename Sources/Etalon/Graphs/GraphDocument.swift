internal import EtalonDiagnostics
package import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonSystem
internal import Foundation

/// A graph document in the file system: recognized, read, and with its chains put in place.
package enum GraphDocument {
  private static let mostBytes = 1 << 21

  /// Whether a file is a graph document, by its content.
  package static func isGraph(_ path: String) -> Bool {
    guard let source = regularFile(path) else { return false }
    return GraphDocumentReader.recognizes(source)
  }

  /// Whether a file is a graph document that libraries offer as a filter, by its content.
  static func isFilter(_ path: String) -> Bool {
    guard let source = regularFile(path) else { return false }
    return GraphDocumentReader.recognizesFilter(source)
  }

  /// The graph documents in a folder and the folders in it, filters or not, without those that others include.
  static func documents(inFolder folder: String) -> [String] {
    let names = FolderTree(folder) { !FilterFileType.ignoredFolders.contains($0) }.files.filter(FilterFileType.isDecidedByContent)
    let documents = names.map { "\(folder)/\($0)" }.filter(isGraph)
    let included = documents.flatMap { path in ((try? read(path))?.documents ?? []).filter { $0 != path } }
    let parts = Set(included.map { URL(filePath: $0).standardized.path })
    return documents.filter { !parts.contains(URL(filePath: $0).standardized.path) }
  }

  /// What a document says about itself as a filter.
  static func reading(_ path: String, library: FilterLibrary) throws -> FilterFile.Reading {
    let text = try read(path, library: library).setting([])
    let request = RenderRequest(graph: text, library: library)
    let (interface, loaded) = try GraphAssembler(text, library: library, request: request, kernels: nil).interface()
    return FilterFile.Reading(
      path: path, manifest: interface.manifest, warnings: loaded.flatMap(\.filter.warnings), text: try source(path),
      files: text.documents + loaded.flatMap(\.filter.files))
  }

  /// Reads a document with all that it includes.
  ///
  /// - Parameter library: where its nodes find their filters, so that what is wrong with those is told together with everything else.
  /// - Parameter documents: those whose nodes are being loaded, because one applies the other.
  package static func read(_ path: String, library: FilterLibrary? = nil, within documents: [String] = []) throws -> GraphText {
    let draft = try draft(path)
    guard draft.mistakes.isEmpty else { throw DiagnosticsError(library.map { draft.allMistakes($0, within: documents) } ?? draft.mistakes) }
    return draft
  }

  /// Reads a document as far as that goes; its mistakes are in the result.
  package static func draft(_ path: String) throws -> GraphText {
    let source = try source(path)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return GraphDocumentReader(files: FolderFiles(folder)).draft(source).withChains()
  }

  /// The text of a regular file: what comes out of a pipe is gone when it has been looked at.
  private static func regularFile(_ path: String) -> SourceText? { FolderEntry(path) == .file ? try? source(path) : nil }

  private static func source(_ path: String) throws -> SourceText {
    SourceText(path: path, bytes: try FileReader.bytes(of: path, limit: mostBytes))
  }
}

extension GraphText {
  /// Puts nodes in the place of stages; mistakes in them are added to the others, and what has them keeps its name.
  fileprivate func withChains() -> GraphText {
    var result = self
    result.chains = []
    for chain in chains {
      // Of a chain that could not be read only the name is there.
      let isRead = mistakes.isEmpty || !chain.stages.isEmpty
      do throws(DiagnosticsError) {
        if isRead { result.append(try StageParser(folder: folder).graph(chain.stages), as: chain) }
      } catch {
        result.mistakes += error.diagnostics
      }
      if !result.nodes.contains(where: { $0.name == chain.name }) {
        result.nodes.append(Node(name: chain.name, filter: Word("", at: chain.name.place)))
      }
    }
    return result
  }

  /// The last stage takes the name of the chain, the others get names behind it: `soft-1`.
  private mutating func append(_ stages: GraphText, as chain: Chain) {
    guard let last = stages.nodes.last else { return }
    var names: [String: Word] = [last.name.text: chain.name]
    for (index, node) in stages.nodes.dropLast().enumerated() {
      names[node.name.text] = Word("\(chain.name.text)-\(index + 1)", at: chain.name.place)
    }
    for (name, origin) in stages.inputs { inputs[name] = inputs[name] ?? origin }
    nodes += stages.nodes.map { node in
      let inputs = node.inputs.map { Input(name: $0.name, origin: $0.origin.renamed(names), isImplied: $0.isImplied) }
      return Node(name: names[node.name.text] ?? node.name, filter: node.filter, inputs: inputs, settings: node.settings, isStage: true)
    }
  }
}

extension GraphText.Origin {
  fileprivate func renamed(_ names: [String: GraphText.Word]) -> Self {
    switch self {
    case .node(let word): .node(names[word.text] ?? word)
    case .before(let word): .before(names[word.text] ?? word)
    case .file: self
    }
  }
}

internal import EtalonDiagnostics
package import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonSystem
package import EtalonTypes
internal import EtalonVideo
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
    guard draft.diagnostics.isEmpty else {
      throw DiagnosticsError(library.map { draft.allDiagnostics($0, within: documents) } ?? draft.diagnostics)
    }
    return draft
  }

  /// Reads a document as far as that goes; its errors are in the result.
  package static func draft(_ path: String) throws -> GraphText {
    let source = try source(path)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return GraphDocumentReader(files: FolderFiles(folder)).draft(source).withChains()
  }

  /// The text of a regular file: a pipe can be read only once, so it is not looked at.
  private static func regularFile(_ path: String) -> SourceText? { FolderEntry(path) == .file ? try? source(path) : nil }

  private static func source(_ path: String) throws -> SourceText {
    SourceText(path: path, bytes: try FileReader.bytes(of: path, limit: mostBytes))
  }
}

extension GraphText {
  /// Puts nodes in the place of stages; errors in them are added to the others, and what has them keeps its name.
  fileprivate func withChains() -> GraphText {
    var result = self
    result.chains = []
    for chain in chains {
      // Of a chain that could not be read only the name is there.
      let isRead = diagnostics.isEmpty || !chain.stages.isEmpty
      do throws(DiagnosticsError) {
        if isRead { result.append(try StageParser(folder: folder).graph(chain.stages), as: chain) }
      } catch {
        result.diagnostics += error.diagnostics
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

// MARK: values from outside

extension GraphText {
  /// The same graph with the defaults of its parameters, and values from outside for `node.parameter`.
  func setting(_ settings: [RenderRequest.Setting]) throws(DiagnosticsError) -> GraphText {
    var changed = self
    var diagnostics: [Diagnostic] = []
    for parameter in parameters { changed.take(parameter) }
    for setting in settings {
      let places = SettingText.places(name: setting.name, value: setting.value)
      let target = setting.name
      guard let dot = target.firstIndex(of: "."), let node = nodes.firstIndex(where: { $0.name.text == target[..<dot] }) else {
        diagnostics.append(unknown(setting.name, places.name))
        continue
      }
      let name = Word(String(target[target.index(after: dot)...]), at: places.name)
      changed.nodes[node].settings.removeAll { $0.name.text == name.text }
      changed.nodes[node].settings.append(
        Setting(
          name: name, value: setting.written?.value ?? LocatedNode(.scalar(setting.value), at: places.value),
          base: setting.written.map(\.base) ?? ""))
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    return changed
  }

  /// What a parameter has before it is set.
  private mutating func take(_ parameter: Parameter) {
    guard let initial = parameter.initial else { return }
    for target in parameter.targets {
      guard let dot = target.text.firstIndex(of: "."), let node = nodes.firstIndex(where: { $0.name.text == target.text[..<dot] }) else {
        continue
      }
      let name = Word(String(target.text[target.text.index(after: dot)...]), at: target.place)
      nodes[node].settings.removeAll { $0.name.text == name.text }
      nodes[node].settings.append(Setting(name: name, value: initial, base: parameter.base))
    }
  }

  private func unknown(_ name: String, _ place: SourceRange) -> Diagnostic {
    let nodes = self.nodes.map(\.name.text)
    let stem = name.firstIndex(of: ".").map { String(name[..<$0]) }
    let nearest = NearestName.find(stem ?? name, in: nodes + (stem == nil ? parameters.map(\.name.text) : []))
    let help =
      stem == nil ? "type 'node.parameter', such as '\(nodes.first ?? "blur").\(name)'" : "the nodes are \(nodes.joined(separator: ", "))"
    return Diagnostic(
      "graph.unknown-target", stem.map { "the graph has no node '\($0)'" } ?? "'\(name)' does not say which node it is about",
      labels: [place.label("not found")], help: [nearest.map { "did you mean '\($0)'?" } ?? help])
  }

  /// What was written for parameters, by `node.parameter`.
  var values: [String: String] {
    let all = nodes.flatMap { node in
      node.settings.map {
        ("\(node.name.text).\($0.name.text)", String(decoding: $0.value.place.source.bytes[$0.value.place.range], as: UTF8.self))
      }
    }
    return Dictionary(all) { _, last in last }
  }
}

// MARK: files

extension StageParser {
  /// Reads stages whose files lie in the file system: the content of a file says what it is.
  ///
  /// - Parameter folder: what relative paths start from, with a slash at its end; empty is the working folder.
  package init(folder: String = "") {
    let located = { @Sendable (path: String) in path.hasPrefix("/") ? path : folder + path }
    self.init { text in
      let path = InputText.path(text, exists: { FileManager.default.fileExists(atPath: located($0)) })
      // What standard input holds is a filter where it is a stage of its own.
      if path != "-", VideoFile.isStream(path) || StreamAddress.diagnostic(path, option: path) != nil { return true }
      if let pattern = try? FramePattern(path), pattern.hasNumber { return true }
      let start = FileReader.start(of: located(path), count: 64)
      let kind = URL(filePath: path).pathExtension.lowercased()
      if start.isEmpty { return ["png", "jpg", "jpeg", "exr", "wav"].contains(kind) || VideoContainer.endings.contains(kind) }
      return PictureReader.kind(of: start) != nil || SoundFile.isSound(located(path)) || VideoFile.isVideo(located(path))
    } isFile: {
      FileManager.default.fileExists(atPath: located($0))
    }
  }

  /// Whether a word names a picture, a sequence or a video that is there, perhaps with what is said of it behind commas; without a filter it is shown as
  /// it is.
  package static func isMovingOrStill(_ word: String) -> Bool {
    let name = InputText.path(word, exists: FileManager.default.fileExists(atPath:))
    if name != "-", VideoFile.isStream(name) || StreamAddress.diagnostic(name, option: name) != nil { return true }
    guard word.contains("."), !word.contains(" ") || FileManager.default.fileExists(atPath: word) else { return false }
    let path = InputText.path(word, exists: FileManager.default.fileExists(atPath:))
    if let pattern = try? FramePattern(path), pattern.hasNumber {
      return PictureReader.endings.contains { path.lowercased().hasSuffix($0) }
    }
    guard !SoundFile.isSound(path) else { return false }
    return VideoFile.isVideo(path) || PictureReader.reads(FileReader.start(of: path, count: 64))
  }

  /// Whether arguments are more than one word for a filter: several stages, or a stage with settings.
  package static func isNeeded(for arguments: [String]) -> Bool {
    guard let argument = arguments.first, arguments.count == 1 else { return true }
    return argument.contains(" ") && !FileManager.default.fileExists(atPath: argument)
  }
}

extension RenderRequest {
  /// The pictures and sequences that are read, as far as they are known before anything is loaded.
  package var namedPictures: [InputPicture] {
    guard case .graph(let text, _) = subject else { return inputs }
    return text.files.compactMap { try? InputText.picture($0.path, for: nil, option: $0.name) }
  }

  /// The rate of the first video among the files that are known before anything is loaded.
  ///
  /// What is wrong with it is told where it is opened for its frames.
  package var rateOfFirstVideo: FrameRate? {
    guard let video = namedPictures.first(where: { $0.video != nil }) else { return nil }
    if VideoFile.isStream(video.path) { return try? streams.video(video.path, video.video ?? VideoTiming(), for: self).rate }
    let reader = try? VideoReader(video.path, stream: video.video?.stream)
    return reader?.description.averageRate.flatMap { FrameRate($0) }
  }

  /// The files that are known before anything is loaded, as paths that can be watched; nil where standard input is among them.
  package var namedFiles: [String]? {
    let pictures = namedPictures.filter { $0.sequence == nil }.map(\.path)
    switch subject {
    case .filter(.standardInput): return nil
    case .filter(.file(let path)): return [path] + pictures
    case .images: return pictures
    case .graph(let text, _):
      if text.nodes.contains(where: { $0.filter.text == "-" }) { return nil }
      let filters = text.nodes.map(\.filter.text).filter { $0.contains("/") || $0.contains(".") }
      return text.documents + filters.map { $0.hasPrefix("/") ? $0 : text.folder + $0 } + pictures
    }
  }
}

extension GraphText {
  /// What it names as pictures, and the values that could be some, with paths from the working folder.
  fileprivate var files: [(name: String, path: String)] {
    let origins = Array(inputs.values) + nodes.flatMap { $0.inputs.map(\.origin) } + outputs.map(\.origin)
    let names = origins.compactMap { if case .file(let word, _) = $0 { word.text } else { nil } }
    let values = nodes.flatMap(\.settings).compactMap { setting in
      setting.value.scalar.flatMap { Self.mayBeFile($0) ? ($0, setting.path($0, in: folder)) : nil }
    }
    return names.map { ($0, $0.hasPrefix("/") ? $0 : folder + $0) } + values
  }

  /// Numbers and expressions have dots, too.
  private static func mayBeFile(_ value: String) -> Bool {
    value.contains(".") && !value.hasPrefix("(") && !value.split(separator: ",").allSatisfy { Double($0) != nil }
  }
}

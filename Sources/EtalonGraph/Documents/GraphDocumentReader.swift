package import EtalonDiagnostics
package import EtalonManifest
internal import EtalonTypes

/// Reads a graph document, YAML or JSON, with all documents that it includes; every error in them is told, each at its place.
///
/// ```swift
/// let graph = try GraphDocumentReader(files: FolderFiles("shots/12")).read(source)
/// ```
package struct GraphDocumentReader {
  package static let version = "1"
  private static let extensions = ["yaml", "yml", "json"]
  static let aboutKeys = ["description", "credit", "license", "categories"]
  /// The word that stands in the place of a file where the picture is given by the user of the graph.
  static let openInput = "image"
  static let clockKeys = ["size", "rate", "first", "start", "frames", "duration", "format", "workingSpace"]

  private let files: any FileProvider

  /// - Parameter files: the folder of the document, which includes must not leave.
  package init(files: any FileProvider) {
    self.files = files
  }

  /// Reads a document; the paths in its result start at its folder, which the result names.
  package func read(_ source: SourceText) throws(DiagnosticsError) -> GraphText {
    let graph = draft(source)
    guard graph.diagnostics.isEmpty else { throw DiagnosticsError(graph.diagnostics) }
    return graph
  }

  /// Reads a document as far as that goes; its errors are in the result.
  package func draft(_ source: SourceText) -> GraphText {
    var collection = GraphDocumentCollection(files: files)
    collection.add(source)
    var graph = collection.graph
    graph.diagnostics = (collection.diagnostics + GraphReferenceCheck(graph, collection.names).diagnostics).sortedByPlace
    return graph
  }

  /// The value of a text: JSON where its name says so, else YAML, of which JSON is a part.
  package static func tree(of source: SourceText) throws(DiagnosticsError) -> LocatedNode {
    guard source.path.hasSuffix(".json") else { return try YAMLReader.read(source) }
    let reading = JSONReader().read(source)
    guard let value = reading.value, !reading.hasErrors else { throw DiagnosticsError(reading.diagnostics) }
    return LocatedNode(value)
  }
}

extension [Diagnostic] {
  /// In the order in which their places stand in each text, the texts in the order of their first errors.
  package var sortedByPlace: [Diagnostic] {
    var paths: [String] = []
    for case let path? in map(\.labels.first?.source.path) where !paths.contains(path) { paths.append(path) }
    let keys = enumerated().map { index, found in
      let label = found.labels.first
      return (label.flatMap { paths.firstIndex(of: $0.source.path) } ?? 0, label?.range.lowerBound ?? 0, index)
    }
    return keys.sorted { $0 < $1 }.map { self[$0.2] }
  }
}

extension GraphDocumentReader {
  /// Whether a text is a graph document: its name says YAML or JSON, and it has the key `etalon` beside nodes or outputs.
  ///
  /// A text with errors is still a graph, so that its errors are told as those of a graph.
  package static func recognizes(_ source: SourceText) -> Bool {
    guard extensions.contains(where: { source.path.lowercased().hasSuffix("." + $0) }), source.bytes.count <= YAMLReader.mostBytes else {
      return false
    }
    let keys: Set<String>
    do throws(DiagnosticsError) { keys = Set(try tree(of: source).members?.map(\.key) ?? []) } catch {
      keys = wordsBeforeColons(of: source)
    }
    return keys.contains("etalon") && !keys.isDisjoint(with: ["nodes", "outputs", "inputs", "parameters", "include"])
  }

  /// Whether a text is a graph document that libraries offer as a filter: one with parameters, or with inputs that it leaves open.
  package static func recognizesFilter(_ source: SourceText) -> Bool {
    guard recognizes(source) else { return false }
    let members: [LocatedNode.Member]
    do throws(DiagnosticsError) { members = try tree(of: source).members ?? [] } catch {
      return wordsBeforeColons(of: source).contains("parameters")
    }
    let inputs = members.first { $0.key == "inputs" }?.value.members ?? []
    return members.contains { $0.key == "parameters" } || inputs.contains { $0.value.scalar == openInput }
  }

  /// What looks like keys in a text that cannot be read.
  private static func wordsBeforeColons(of source: SourceText) -> Set<String> {
    Set(
      (1...source.lineCount).flatMap { number in
        source.line(number).split(separator: ",").compactMap { part in
          part.firstIndex(of: ":").map { String(part[..<$0].filter { !" \t{}\"'".contains($0) }) }
        }
      })
  }
}

// MARK: included documents

/// A document, and then those that it includes, put together to one graph.
private struct GraphDocumentCollection {
  typealias Word = GraphText.Word

  private static let mostIncludes = 64
  private static let deepestInclude = 8

  private(set) var graph = GraphText()
  /// The nodes and the inputs, which share one set of names.
  private(set) var names: [String: Word] = [:]
  private(set) var diagnostics: [Diagnostic] = []
  private let files: any FileProvider
  /// The documents that are being read, as paths from the folder of the first.
  private var stack: [String] = []
  private var included: Set<String> = []
  private var bytesLeft = 4 * YAMLReader.mostBytes

  init(files: any FileProvider) {
    self.files = files
  }

  /// Adds the document that was named on the command line.
  mutating func add(_ source: SourceText) {
    let parts = source.path.split(separator: "/", omittingEmptySubsequences: false)
    graph.folder = parts.dropLast().map { $0 + "/" }.joined()
    stack = [parts.last.map(String.init) ?? source.path]
    read(source, isMain: true)
  }

  private mutating func read(_ source: SourceText, isMain: Bool) {
    graph.documents.append(source.path)
    do throws(DiagnosticsError) {
      let folder = folderOfCurrent
      var part = GraphDocumentPart(
        try GraphDocumentReader.tree(of: source), isMain: isMain, folder: folder, base: graph.folder + folder)
      part.read()
      diagnostics += part.diagnostics
      merge(part)
      for word in part.includes { include(word) }
    } catch {
      diagnostics += error.diagnostics
    }
  }

  /// Takes over what a document has; only the first says when and how large.
  private mutating func merge(_ part: GraphDocumentPart) {
    if stack.count == 1 {
      graph.clock = part.clock
      graph.about = part.about
      graph.outputs = part.outputs
    }
    for (name, origin) in part.inputs where declare(name) { graph.inputs[name.text] = origin }
    graph.openInputs += part.openInputs.filter { declare($0) }
    graph.nodes += part.nodes.filter { declare($0.name) }
    graph.chains += part.chains.filter { declare($0.name) }
    for parameter in part.parameters {
      if let first = graph.parameters.first(where: { $0.name.text == parameter.name.text }) {
        diagnostics.append(Self.twice(parameter.name, first.name))
      } else {
        graph.parameters.append(parameter)
      }
    }
  }

  private mutating func declare(_ name: Word) -> Bool {
    if let first = names[name.text] {
      diagnostics.append(Self.twice(name, first))
      return false
    }
    names[name.text] = name
    return true
  }

  private static func twice(_ name: Word, _ first: Word) -> Diagnostic {
    Diagnostic(
      "graph.name", "two things are called '\(name.text)'",
      labels: [name.place.label("again"), first.place.label("first")],
      help: ["give one of them another name"])
  }

  // MARK: including

  private var folderOfCurrent: String { stack[stack.count - 1].split(separator: "/").dropLast().map { $0 + "/" }.joined() }

  private mutating func include(_ word: Word) {
    guard let path = path(of: word) else { return }
    guard !stack.contains(path) else {
      let chain = (stack.drop { $0 != path } + [path]).joined(separator: " -> ")
      return report(
        "graph.include-cycle", "documents include each other: \(chain)", word, "included again", help: "remove one of the includes")
    }
    guard included.insert(path).inserted else { return }
    guard stack.count <= Self.deepestInclude, included.count <= Self.mostIncludes else {
      return report(
        "limit.includes", "at most \(Self.mostIncludes) documents are included, \(Self.deepestInclude) inside each other", word,
        "one too many",
        help: "put some of them into one document")
    }
    guard let source = load(path, word) else { return }
    stack.append(path)
    read(source, isMain: false)
    stack.removeLast()
  }

  private mutating func path(of word: Word) -> String? {
    let parts = word.text.split(separator: "/", omittingEmptySubsequences: false).filter { $0 != "." }
    guard !word.text.hasPrefix("/"), !parts.contains(".."), !parts.contains(""), !word.text.contains("\\"), !word.text.contains("\0") else {
      report(
        "graph.include-outside", "cannot include '\(word.text)'", word, "leads out of the folder",
        help: "put the file beside the document and include it by its name")
      return nil
    }
    return folderOfCurrent + parts.joined(separator: "/")
  }

  private mutating func load(_ path: String, _ word: Word) -> SourceText? {
    do throws(FileError) {
      let bytes = try files.bytes(at: path, atMost: bytesLeft)
      bytesLeft -= bytes.count
      return SourceText(path: graph.folder + path, bytes: bytes)
    } catch {
      switch error {
      case .missing:
        report("graph.include-missing", "cannot find '\(word.text)'", word, "no such file", help: "paths start at the document's folder")
      case .outside:
        report(
          "graph.include-outside", "cannot include '\(word.text)'", word, "a link that leads out of the folder", help: "copy the file there"
        )
      case .tooLarge: report("limit.bytes", "the included documents are too large", word, "too large", help: "split the graph")
      case .unreadable(let why):
        report("graph.include-unreadable", "cannot read '\(word.text)': \(why)", word, "not readable", help: "check its permissions")
      }
      return nil
    }
  }

  private mutating func report(_ id: String, _ message: String, _ word: Word, _ label: String, help: String) {
    diagnostics.append(Diagnostic(id, message, labels: [word.place.label(label)], help: [help]))
  }
}

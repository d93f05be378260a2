package import EtalonDiagnostics
package import EtalonManifest
internal import EtalonTypes

/// Reads a graph document, YAML or JSON, with all documents that it includes; every mistake in them is told, each at its place.
///
/// ```swift
/// let graph = try GraphDocumentReader(files: FolderFiles("shots/12")).read(source)
/// ```
package struct GraphDocumentReader {
  package static let version = "1"
  static let extensions = ["yaml", "yml", "json"]
  static let aboutKeys = ["description", "credit", "license", "categories"]
  /// What stands in the place of a file where whoever applies the graph gives the picture.
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
    guard graph.mistakes.isEmpty else { throw DiagnosticsError(graph.mistakes) }
    return graph
  }

  /// Reads a document as far as that goes; its mistakes are in the result.
  package func draft(_ source: SourceText) -> GraphText {
    var collection = GraphDocumentCollection(files: files)
    collection.add(source)
    var graph = collection.graph
    graph.mistakes = (collection.diagnostics + GraphReferenceCheck(graph, collection.names).diagnostics).sortedByPlace
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
  /// In the order in which their places stand in each text, the texts in the order of their first mistakes.
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

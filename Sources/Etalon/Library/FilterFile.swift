package import EtalonDiagnostics
package import EtalonManifest
internal import EtalonMedia

/// A filter file of any dialect, or the folder of a project, read but not compiled.
package enum FilterFile {
  /// What a file says about its filter.
  package struct Reading: Sendable {
    package let path: String
    package let manifest: FilterManifest
    package let warnings: [Diagnostic]
    /// The text of the file itself; nil for a folder.
    package let text: SourceText?
    /// The file and the texts that passes contain.
    package let files: [String]

    /// What the filter says about itself.
    package var description: FilterDescription { FilterDescription(manifest, path: path) }
  }

  /// Reads a file; throws `DiagnosticsError` for what its author wrote and `RenderError` for what the world did.
  ///
  /// - Parameter dialect: the name of a dialect, for a file whose content does not tell it.
  /// - Parameter library: where the nodes of a graph document find their filters; nil for the usual folders.
  package static func read(
    _ path: String, dialect: String? = nil, dropsFileScopeConst: Bool = false, library: FilterLibrary? = nil
  ) throws -> Reading {
    if dialect == nil, GraphDocument.isGraph(path) {
      return try GraphDocument.reading(path, library: library ?? FilterLibrary(try LibrarySearch(named: [])))
    }
    let text = try FilterText(.file(path))
    var options = FilterReader.Options()
    options.dialect = dialect.flatMap(FilterManifest.Dialect.init)
    options.dropsFileScopeConst = dropsFileScopeConst
    let reading = try text.reading(options)
    var source: SourceText?
    if case .text(let text, _) = text.source { source = text }
    return Reading(
      path: path, manifest: reading.manifest, warnings: reading.warnings, text: source, files: text.paths(of: reading.manifest))
  }

  /// Whether a file is a filter or a graph: by its name, and by its content where the name leaves it open.
  package static func mayBeFilter(_ path: String) -> Bool {
    guard let name = path.split(separator: "/").last.map(String.init), FilterFileType.stem(of: name) != nil else { return false }
    return !FilterFileType.isDecidedByContent(name) || FilterFileType.isFilter(path) || GraphDocument.isGraph(path)
  }

  /// The bytes of a file; nil when it cannot be read.
  static func bytes(of path: String) -> [UInt8]? { try? FileReader.bytes(of: path, limit: FilterText.largestFile) }
}

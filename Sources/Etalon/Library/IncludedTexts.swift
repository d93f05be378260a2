internal import EtalonDiagnostics
internal import EtalonManifest
internal import Foundation

/// Tells which files of a library are only parts of others: texts that these include, and in which no filter starts.
enum IncludedTexts {
  /// The files among some that are no filters.
  static func helpers(among paths: [String]) -> Set<String> {
    let texts = paths.filter { !FilterFileType.isDecidedByContent($0) }
    let included = texts.reduce(into: Set<String>()) { $0.formUnion(files(includedBy: $1)) }
    return Set(texts.filter { included.contains(standard($0)) && !isFilter($0) })
  }

  /// The files that a text names in its `#include`s.
  private static func files(includedBy path: String) -> [String] {
    guard let bytes = FilterFile.bytes(of: path), bytes.firstRange(of: Array("#include".utf8)) != nil else { return [] }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return IncludeExpander.names(in: SourceText(path: path, bytes: bytes)).map { standard(folder + $0) }
  }

  private static func isFilter(_ path: String) -> Bool {
    guard let bytes = FilterFile.bytes(of: path) else { return true }
    do throws(DiagnosticsError) { _ = try DialectRecognition().form(of: SourceText(path: path, bytes: bytes)) } catch {
      return !error.diagnostics.contains { $0.id == "dialect.unknown" }
    }
    return true
  }

  private static func standard(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }
}

package import EtalonDiagnostics
package import EtalonManifest
internal import EtalonMedia
internal import Foundation

/// A filter file of any dialect, read but not compiled.
package enum FilterFile {
  /// What a file says about its filter.
  package struct Reading: Sendable {
    package let manifest: FilterManifest
    package let warnings: [Diagnostic]
    /// The text of the file itself.
    package let source: SourceText

    /// What the filter says about itself.
    package var description: FilterDescription { FilterDescription(manifest, path: source.path) }

    /// The paths of the texts that passes contain beside the file itself.
    var includedFiles: [String] {
      let origins = manifest.passes.flatMap { $0.source.pieces.compactMap { $0.origin?.source.path } }
      return Set(origins).subtracting([source.path]).sorted()
    }
  }

  /// The largest filter file, in bytes; the manifest has finer limits.
  private static let largestFile = 1 << 22

  /// Reads a file; throws `DiagnosticsError` for what its author wrote and `RenderError` for what the world did.
  package static func read(_ path: String, dropsFileScopeConst: Bool = false) throws -> Reading {
    let source = try TextCheck.text(path, FileReader.bytes(of: path, limit: largestFile))
    let fileName = path.split(separator: "/").last.map(String.init) ?? path
    let stem = FilterFileType.stem(of: fileName) ?? fileName
    var options = FilterReader.Options()
    options.dropsFileScopeConst = dropsFileScopeConst
    let files = FolderFiles(String(path.dropLast(fileName.count)))
    let reading = try FilterReader(files: files).read(.text(source, named: stem), options: options)
    return Reading(manifest: reading.manifest, warnings: reading.warnings, source: source)
  }

  /// The bytes of a file; nil when it cannot be read.
  static func bytes(of path: String) -> [UInt8]? { try? FileReader.bytes(of: path, limit: largestFile) }
}

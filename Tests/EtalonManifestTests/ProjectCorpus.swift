import EtalonDiagnostics
import EtalonTestSupport
import Foundation

@testable import EtalonDialects
@testable import EtalonManifest

/// The projects under `Tests/Corpus`: exports, which are files, and folders.
enum ProjectCorpus {
  /// `cube.json`, `feedback`.
  static func names(in subfolder: String) -> [String] {
    CaseFolder.corpus.names(in: subfolder) { !$0.hasSuffix(".txt") }
  }

  /// The name without the extension of an export.
  static func stem(_ name: String) -> String { name.hasSuffix(".json") ? String(name.dropLast(5)) : name }

  static func project(_ subfolder: String, _ name: String) throws -> ShaderToyExport.Reading {
    if name.hasSuffix(".json") { return try ShaderToyExport().read(try Corpus.source("\(subfolder)/\(name)")) }
    let folder = Corpus.folder.appendingPathComponent("\(subfolder)/\(name)")
    return try ShaderToyFolder(path: name, files: FolderFiles(folder.path)).read()
  }

  /// The manifest with all warnings.
  static func read(_ subfolder: String, _ name: String) throws -> FilterReading {
    let reading = try project(subfolder, name)
    let files = FolderFiles(Corpus.folder.appendingPathComponent("\(subfolder)/\(stem(name))").path)
    let manifest = try ShaderToyProjectReader(files: files).read(reading.project, named: stem(name), options: FilterReader.Options())
    return FilterReading(manifest: manifest.manifest, warnings: reading.warnings + manifest.warnings)
  }
}

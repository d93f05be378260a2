import EtalonDiagnostics
import EtalonTestSupport
import Foundation
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

/// Damaged exports and project files are read or refused, never worse.
@Suite struct ProjectMutationTests {
  private static let damage = Damage(
    scraps: [
      "{", "}", "[", "]", "\"", ",", ":", "null", "-1", "1e999", "true", "\\", "\\u0000", "\n", "\u{0}", "\"id\": 257", "\"channel\": 9",
      "\"code\": 7",
      "\"type\": \"buffer\"", "\"outputs\": {}", "\"inputs\": [[]]", "\"src\": \"/\"", "\"name\": \"\"",
    ], mostChanges: 5, longestPart: 20)

  private struct OneFile: FileProvider {
    let files: [String: [UInt8]]

    func bytes(at path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
      guard let bytes = files[path] else { throw .missing }
      return bytes
    }
  }

  @Test(arguments: ProjectCorpus.names(in: "projects").filter { $0.hasSuffix(".json") })
  func exportsSurviveDamage(_ name: String) throws {
    let bytes = try Corpus.source("projects/\(name)").bytes
    var numbers = SeededNumbers(seed: UInt64(bytes.count))
    for _ in 0..<80 {
      expectReadOrRefused { () throws(DiagnosticsError) in
        try ShaderToyExport().read(SourceText(path: "damaged.json", bytes: Self.damage.applied(to: bytes, &numbers)))
      }
    }
  }

  @Test(arguments: ProjectCorpus.names(in: "projects").filter { !$0.hasSuffix(".json") })
  func foldersSurviveDamage(_ name: String) throws {
    let folder = Corpus.folder.appendingPathComponent("projects/\(name)")
    var files: [String: [UInt8]] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[file] = [UInt8](try Data(contentsOf: folder.appendingPathComponent(file)))
    }
    var numbers = SeededNumbers(seed: UInt64(files.count))
    for _ in 0..<80 {
      var damagedFiles = files
      for (file, bytes) in files.sorted(by: { $0.key < $1.key }) where file.hasSuffix(".json") || Bool.random(using: &numbers) {
        damagedFiles[file] = Self.damage.applied(to: bytes, &numbers)
      }
      expectReadOrRefused { () throws(DiagnosticsError) in
        try ShaderToyFolder(path: "damaged", files: OneFile(files: damagedFiles)).read()
      }
    }
  }

  private func expectReadOrRefused(_ read: () throws(DiagnosticsError) -> ShaderToyExport.Reading) {
    do throws(DiagnosticsError) {
      let project = try read().project
      let reading = try ShaderToyProjectReader(files: NoFiles()).read(project, named: "damaged", options: FilterReader.Options())
      #expect(!reading.manifest.passes.isEmpty)
      #expect(!ManifestPrinter().text(reading.manifest).isEmpty)
    } catch {
      #expect(!DiagnosticPrinter().text(error.diagnostics).isEmpty)
    }
  }
}

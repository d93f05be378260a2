import EtalonDiagnostics
import Foundation
import Testing

@testable import EtalonManifest

/// Damaged exports and project files are read or refused, never worse.
@Suite struct ProjectMutationTests {
  /// A small generator of numbers that is the same everywhere.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private static let scraps = [
    "{", "}", "[", "]", "\"", ",", ":", "null", "-1", "1e999", "true", "\\", "\\u0000", "\n", "\u{0}", "\"id\": 257", "\"channel\": 9",
    "\"code\": 7",
    "\"type\": \"buffer\"", "\"outputs\": {}", "\"inputs\": [[]]", "\"src\": \"/\"", "\"name\": \"\"",
  ]

  private struct OneFile: FileProvider {
    let files: [String: [UInt8]]

    func bytes(at path: String, atMost limit: Int) throws(FileProblem) -> [UInt8] {
      guard let bytes = files[path] else { throw .missing }
      return bytes
    }
  }

  @Test(arguments: ProjectCorpus.names(in: "projects").filter { $0.hasSuffix(".json") })
  func exportsSurviveDamage(_ name: String) throws {
    let bytes = try Corpus.source("projects/\(name)").bytes
    var numbers = Numbers(state: UInt64(bytes.count))
    for _ in 0..<80 {
      expectReadOrRefused { () throws(DiagnosticsError) in
        try ShaderToyExport().read(SourceText(path: "damaged.json", bytes: damaged(bytes, &numbers)))
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
    var numbers = Numbers(state: UInt64(files.count))
    for _ in 0..<80 {
      var damagedFiles = files
      for (file, bytes) in files.sorted(by: { $0.key < $1.key }) where file.hasSuffix(".json") || Bool.random(using: &numbers) {
        damagedFiles[file] = damaged(bytes, &numbers)
      }
      expectReadOrRefused { () throws(DiagnosticsError) in
        try ShaderToyFolder(path: "damaged", files: OneFile(files: damagedFiles)).read()
      }
    }
  }

  private func expectReadOrRefused(_ read: () throws(DiagnosticsError) -> ShaderToyExport.Reading) {
    do throws(DiagnosticsError) {
      let project = try read().project
      let reading = try ShaderToyProjectReader(files: NoFiles()).read(project, named: "damaged", options: ShaderToyOptions())
      #expect(!reading.manifest.passes.isEmpty)
      #expect(!ManifestPrinter().text(reading.manifest).isEmpty)
    } catch {
      #expect(!DiagnosticPrinter().text(error.diagnostics).isEmpty)
    }
  }

  private func damaged(_ bytes: [UInt8], _ numbers: inout Numbers) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...5, using: &numbers) {
      let place = Int.random(in: 0...bytes.count, using: &numbers)
      let end = min(bytes.count, place + Int.random(in: 0...20, using: &numbers))
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: Self.scraps[Int.random(in: 0..<Self.scraps.count, using: &numbers)].utf8, at: place)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      default: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &numbers) }
      }
    }
    return bytes
  }
}

import EtalonDiagnostics
import EtalonGLSL
import EtalonTestSupport
import Foundation
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

/// Damaged texts are read or refused, never worse.
@Suite struct MutationTests {
  private static let damage = Damage(
    scraps: [
      "(", ")", "{", "}", "[", "]", "#", "#define X", "#if", "#endif", "/*", "*/", "//", "\\\n", "\"", "\r", "\0", "é", ";", ",", "##",
      "const ", "uniform float ", "void mainImage(", "texture(", "discard;", "#include \"", "iCh0.", "distance(", "=", "--set", "@", "1e",
      "0x", "\": ", "'", "\\u12", ",]",
      "PASSINDEX == 1", "if (", "else ", "\"MIN\": 1e300,", "$",
    ])

  @Test(arguments: Corpus.names(in: "filters"))
  func survivesDamage(_ name: String) throws {
    let bytes = try Corpus.source("filters/\(name).glsl").bytes
    var numbers = SeededNumbers(seed: UInt64(bytes.count))
    for _ in 0..<60 {
      let text = Self.damage.applied(to: bytes, &numbers)
      do throws(DiagnosticsError) {
        let source = SourceText(path: "damaged.glsl", bytes: text)
        let pass = try ShaderToyReader(files: NoFiles()).read(source, named: name, options: FilterReader.Options()).manifest.passes[0]
        #expect(pass.source.text.utf8.allSatisfy { $0 < 0x80 && $0 != 0 })
      } catch {
        #expect(!DiagnosticPrinter().text(error.diagnostics).isEmpty)
      }
    }
  }

  @Test(arguments: Corpus.names(in: "isf", "fs"))
  func survivesDamageOfISF(_ name: String) throws {
    let bytes = try Corpus.source("isf/\(name).fs").bytes
    let files = FolderFiles(Corpus.folder.appendingPathComponent("isf").path)
    var numbers = SeededNumbers(seed: UInt64(bytes.count))
    for _ in 0..<60 {
      let source = SourceText(path: "\(name).fs", bytes: Self.damage.applied(to: bytes, &numbers))
      do throws(DiagnosticsError) {
        let manifest = try ISFReader(files: files).read(source, named: name, options: FilterReader.Options()).manifest
        #expect(!manifest.passes.isEmpty && !ManifestPrinter().text(manifest).isEmpty)
        #expect(manifest.passes.allSatisfy { $0.source.text.utf8.allSatisfy { $0 < 0x80 && $0 != 0 } })
      } catch {
        #expect(!DiagnosticPrinter().text(error.diagnostics).isEmpty)
      }
    }
  }

  @Test(arguments: Corpus.names(in: "json", "json"))
  func readsDamagedJSON(_ name: String) throws {
    let bytes = try Corpus.source("json/\(name).json").bytes
    var numbers = SeededNumbers(seed: UInt64(bytes.count))
    for round in 0..<300 {
      let source = SourceText(path: "damaged.json", bytes: Self.damage.applied(to: bytes, &numbers))
      let reading = JSONReader(tolerating: round.isMultiple(of: 2) ? Set(JSONSlip.allCases) : []).read(source)
      #expect(reading.value != nil || reading.hasErrors)
      let places = reading.diagnostics.flatMap(\.labels).map(\.range) + (reading.value.map { [$0.place.range] } ?? [])
      #expect(places.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= source.bytes.count })
      _ = DiagnosticPrinter().text(reading.diagnostics)
    }
  }
}

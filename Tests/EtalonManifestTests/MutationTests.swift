import EtalonDiagnostics
import Foundation
import Testing

@testable import EtalonManifest

/// Damaged texts are read or refused, never worse.
@Suite struct MutationTests {
  /// A small generator of numbers that is the same everywhere.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private static let scraps = [
    "(", ")", "{", "}", "[", "]", "#", "#define X", "#if", "#endif", "/*", "*/", "//", "\\\n", "\"", "\r", "\0", "é", ";", ",", "##",
    "const ", "uniform float ", "void mainImage(", "texture(", "discard;", "#include \"", "iCh0.", "distance(", "=", "--set", "@", "1e",
    "0x", "\": ", "'", "\\u12", ",]",
    "PASSINDEX == 1", "if (", "else ", "\"MIN\": 1e300,", "$",
  ]

  @Test(arguments: Corpus.names(in: "filters"))
  func survivesDamage(_ name: String) throws {
    let bytes = try Corpus.source("filters/\(name).glsl").bytes
    var numbers = Numbers(state: UInt64(bytes.count))
    for _ in 0..<60 {
      let text = damaged(bytes, &numbers)
      do throws(DiagnosticsError) {
        let source = SourceText(path: "damaged.glsl", bytes: text)
        let pass = try ShaderToyReader(files: NoFiles()).read(source, named: name, options: ShaderToyOptions()).manifest.passes[0]
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
    var numbers = Numbers(state: UInt64(bytes.count))
    for _ in 0..<60 {
      let source = SourceText(path: "\(name).fs", bytes: damaged(bytes, &numbers))
      do throws(DiagnosticsError) {
        let manifest = try ISFReader(files: files).read(source, named: name, options: ReadingOptions()).manifest
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
    var numbers = Numbers(state: UInt64(bytes.count))
    for round in 0..<300 {
      let source = SourceText(path: "damaged.json", bytes: damaged(bytes, &numbers))
      let reading = JSONReader(tolerating: round.isMultiple(of: 2) ? Set(JSONSlip.allCases) : []).read(source)
      #expect(reading.value != nil || reading.hasErrors)
      let places = reading.diagnostics.flatMap(\.labels).map(\.range) + (reading.value.map { [$0.place.range] } ?? [])
      #expect(places.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= source.bytes.count })
      _ = DiagnosticPrinter().text(reading.diagnostics)
    }
  }

  private func damaged(_ bytes: [UInt8], _ numbers: inout Numbers) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &numbers) {
      let place = Int.random(in: 0...bytes.count, using: &numbers)
      let end = min(bytes.count, place + Int.random(in: 0...12, using: &numbers))
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

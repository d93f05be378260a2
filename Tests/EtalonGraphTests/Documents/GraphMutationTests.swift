import EtalonDiagnostics
import EtalonManifest
import Testing

@testable import EtalonGraph

/// Damaged documents are read or refused, never worse.
@Suite struct GraphMutationTests {
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private static let scraps = [
    "{", "}", "[", "]", ": ", "- ", "? ", "\"", "'", "#", "&a ", "*a", "!!str ", "|\n", ">-\n", "\n", "\t", "---\n", "...\n", "%YAML 1.1\n",
    "\r", "\0", "é", "\u{2028}", "\u{85}", "\u{FEFF}", "etalon: 1\n", "nodes:\n", "  a: { filter: ", "previous: ", ",", "null", "~", "<<: ",
    "\\u12", "include: everything.yaml\n", "[[[[[[[[", "- - - - - - - -",
  ]

  @Test(arguments: GraphCorpus.names(in: "graphs")) func survivesDamage(_ name: String) throws {
    let bytes = try GraphCorpus.source("graphs", name).bytes
    var numbers = Numbers(state: UInt64(bytes.count))
    for _ in 0..<100 {
      let source = SourceText(path: name, bytes: damaged(bytes, &numbers))
      _ = GraphDocumentReader.recognizes(source)
      do throws(DiagnosticsError) {
        let graph = try GraphDocumentReader(files: FolderFiles(GraphCorpus.path("graphs"))).read(source)
        #expect(!GraphPrinter.text(graph).isEmpty && !graph.outputs.isEmpty)
      } catch {
        #expect(!DiagnosticPrinter().text(error.diagnostics).isEmpty)
        #expect(error.diagnostics.allSatisfy { !$0.labels.isEmpty })
      }
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

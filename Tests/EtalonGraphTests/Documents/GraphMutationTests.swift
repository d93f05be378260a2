import EtalonDiagnostics
import EtalonManifest
import EtalonTestSupport
import Testing

@testable import EtalonGraph

/// Damaged documents are read or refused, never worse.
@Suite struct GraphMutationTests {
  private static let damage = Damage(
    scraps: [
      "{", "}", "[", "]", ": ", "- ", "? ", "\"", "'", "#", "&a ", "*a", "!!str ", "|\n", ">-\n", "\n", "\t", "---\n", "...\n",
      "%YAML 1.1\n",
      "\r", "\0", "é", "\u{2028}", "\u{85}", "\u{FEFF}", "etalon: 1\n", "nodes:\n", "  a: { filter: ", "previous: ", ",", "null", "~",
      "<<: ",
      "\\u12", "include: everything.yaml\n", "[[[[[[[[", "- - - - - - - -",
    ])

  @Test(arguments: GraphCorpus.names(in: "graphs")) func survivesDamage(_ name: String) throws {
    let bytes = try GraphCorpus.source("graphs", name).bytes
    var numbers = SeededNumbers(seed: UInt64(bytes.count))
    for _ in 0..<100 {
      let source = SourceText(path: name, bytes: Self.damage.applied(to: bytes, &numbers))
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
}

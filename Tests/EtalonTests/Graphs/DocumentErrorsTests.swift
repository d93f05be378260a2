import EtalonDiagnostics
import EtalonGraph
import EtalonTestSupport
import Foundation
import Testing

@testable import Etalon

/// Documents with errors are looked through to their end.
@Suite struct DocumentErrorsTests {
  private static let document = """
    etalon: 1
    size: 64x64
    inputs: { photo: photo.png, plate: { sequence: plate.####.png, rate: 24 } }
    nodes:
      soft: { filter: gaussian-blur, inputs: photo, values: { sigma: (2 + sin(time)) } }
      tint: { chain: "hue-rotate angle=30 inputImage=@soft | vignette" }
      trail: { filter: source-over, inputs: { inputImage: tint, backgroundImage: { previous: trail } } }
    outputs: { main: { node: trail, file: out.####.png }, side: soft }
    parameters: { width: { sets: soft.sigma, min: 1, max: 9 } }
    """
  private static let damage = Damage(
    scraps: [
      "{", "}", "[", "]", ": ", ", ", "\"", "\n", "soft", "@", "filter: ", "chain: ", "previous: ", "-1", "(", "sets: ", ".", "|",
      "inputs: ",
    ])
  private let library = FilterLibrary(LibrarySearch(folders: [LibraryFolder(path: TestScene.plugins, origin: .builtIn)]))

  /// What is wrong with a text, in one line each.
  private func diagnostics(_ bytes: [UInt8]) throws -> [Diagnostic] {
    let folder = try TemporaryFolder()
    let path = folder.file("graph.yaml")
    try Data(bytes).write(to: URL(filePath: path))
    let draft = try GraphDocument.draft(path)
    let all = draft.allDiagnostics(library)
    #expect(draft.diagnostics.allSatisfy(all.contains))
    return all
  }

  @Test func survivesDamage() throws {
    let bytes = [UInt8](Self.document.utf8)
    var numbers = SeededNumbers(seed: 5)
    var found = 0
    for _ in 0..<150 { found += try diagnostics(Self.damage.applied(to: bytes, &numbers)).isEmpty ? 0 : 1 }
    #expect(found > 100)
  }

  /// A node whose values are wrong is wired all the same, and one whose filter is missing hides only itself.
  @Test func oneRunTellsAll() throws {
    let text = Self.document.replacing(
      "inputs: photo, values: { sigma: (2 + sin(time)) }", with: "inputs: { image: photo }, values: { sigma: wide }"
    )
    .replacing("vignette", with: "vignete").replacing("sets: soft.sigma", with: "sets: soft.sgima").replacing(
      "node: trail", with: "node: trial")
    #expect(
      try diagnostics([UInt8](text.utf8)).map(\.id) == [
        "render.missing-input", "input.unknown", "value.type", "library.unknown-filter", "graph.unknown-name", "graph.unknown-target",
      ])
  }
}

import EtalonDiagnostics
import EtalonGLSL
import Testing

@testable import EtalonManifest

/// Which texts are the same.
@Suite struct GeneratedSourceTests {
  private func source(
    _ kind: GeneratedSource.Piece.Kind = .token, _ text: String = "a", path: String = "x.glsl", file: String = "a + b",
    at place: Range<Int>? = 0..<1
  ) -> GeneratedSource {
    let origin = place.map { SourceRange(SourceText(path: path, text: file), $0) }
    return GeneratedSource([.init(kind, text, origin: origin), .init(.token, "+")])
  }

  @Test func textsThatWereReadTwiceAreEqual() {
    #expect(source() == source())
    #expect(source().hashValue == source().hashValue)
  }

  @Test func everyPartTellsTextsApart() {
    let different = [
      source(.space), source(.token, "b"), source(path: "y.glsl"), source(file: "a + c"), source(at: 0..<2), source(at: nil),
      GeneratedSource([.init(.token, "a+")]), GeneratedSource([GeneratedSource.Piece]()),
    ]
    #expect(Set(different + [source()]).count == different.count + 1)
  }
}

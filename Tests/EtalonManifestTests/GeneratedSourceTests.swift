import EtalonDiagnostics
import Foundation
import Testing

@testable import EtalonManifest

@Suite struct GeneratedSourceTests {
  @Test(arguments: Corpus.names(in: "filters"))
  func namesThePlaceOfEveryToken(_ name: String) throws {
    let source = try Corpus.read("filters", name).manifest.passes[0].source
    for piece in source.pieces where piece.kind == .token && piece.text != "@" {
      guard let origin = piece.origin else { continue }
      let written = String(decoding: origin.source.bytes[origin.range], as: UTF8.self)
      let isRenamed = piece.text.hasPrefix("etalon") || piece.text.hasPrefix("texture")
      let isSubstituted = piece.text.first?.isNumber == true || piece.text.hasPrefix("(") || piece.text.hasPrefix("vec")
      let isMember = ["sampler", "size", "time", "loaded"].contains(written)
      #expect(written == piece.text || isRenamed || isSubstituted || isMember, "'\(piece.text)' from '\(written)'")
    }
  }

  @Test func keepsUntouchedTextInOrder() throws {
    let text = "#define A(x) (x) /* c */\n// hello\nvoid mainImage(out vec4 c, in vec2 p)\n{\n\tc = vec4(A(p.x));\n}\n"
    let reading = try ShaderToyReader(files: NoFiles()).read(
      SourceText(path: "a.glsl", text: text), named: "a", options: ShaderToyOptions())
    #expect(reading.manifest.passes[0].rewrites.isEmpty)
    #expect(reading.manifest.passes[0].source.text.hasSuffix("}\n" + text + "\n"))
  }

  @Test func keepsDirectivesOnLinesOfTheirOwn() throws {
    for name in Corpus.names(in: "filters") {
      let pieces = try Corpus.read("filters", name).manifest.passes[0].source.pieces
      for (piece, before) in zip(pieces.dropFirst(), pieces) where piece.kind == .directive {
        #expect(piece.text.hasPrefix("#") && piece.text.hasSuffix("\n"), "\(name): \(piece.text)")
        let line = before.text.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
        #expect(before.kind == .directive || line.allSatisfy(\.isWhitespace) || line.hasSuffix("*/"), "\(name): \(before.text)")
      }
    }
  }

  @Test func lexerLosesNothing() {
    let text = "a.b+=.5e-3f*0x1Fu<<=2 /* x */ // y\n#define \\\n Q \"s\"\n1..x 3u?a:b;@"
    #expect(Lexer.tokens(ofAddedText: text).map(\.text).joined() == text)
  }

  @Test func lexerCutsNumbers() {
    let tokens = Lexer.tokens(ofAddedText: "1. .5 1e5 2.5f 0x1F 3u 1..x").filter(\.isSignificant)
    #expect(tokens.map(\.text) == ["1.", ".5", "1e5", "2.5f", "0x1F", "3u", "1.", ".", "x"])
    #expect(tokens.map(\.kind) == [.float, .float, .float, .float, .integer, .integer, .float, .punctuator, .identifier])
  }

  @Test func remembersWhatTheAuthorWrote() throws {
    let names = try Corpus.read("filters", "reserved-words").manifest.passes[0].source.authorNames
    #expect(names["etalon_half"] == "half")
    #expect(names["etalonTexture"] == "texture")
    #expect(names["fragColor"] == nil)
  }
}

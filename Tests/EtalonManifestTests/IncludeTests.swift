import EtalonDiagnostics
import EtalonGLSL
import Foundation
import Testing

@testable import EtalonManifest

@Suite struct IncludeTests {
  private struct Files: FileProvider {
    let texts: [String: String]

    func bytes(at path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
      guard let text = texts[path] else { throw .missing }
      guard text.utf8.count <= limit else { throw .tooLarge }
      return Array(text.utf8)
    }
  }

  private func expand(_ text: String, _ texts: [String: String], limits: TextLimits = TextLimits()) -> (text: String, ids: [String]) {
    var expander = IncludeExpander(path: "shaders/a.glsl", files: Files(texts: texts), limits: limits)
    let (tokens, diagnostics) = expander.expand(SourceText(path: "shaders/a.glsl", text: text))
    return (tokens.map(\.text).joined(), diagnostics.map(\.id))
  }

  @Test func looksBesideTheIncludingFile() {
    let result = expand("#include \"lib/b.glsl\"\nend", ["lib/b.glsl": "#include \"c.glsl\"\nb", "lib/c.glsl": "c"])
    #expect(result.text.split(separator: "\n") == ["c", "b", "end"])
    #expect(result.ids.isEmpty)
  }

  @Test func keepsOriginsOfIncludedText() throws {
    var expander = IncludeExpander(path: "shaders/a.glsl", files: Files(texts: ["b.glsl": "float b;"]), limits: TextLimits())
    let (tokens, _) = expander.expand(SourceText(path: "shaders/a.glsl", text: "#include \"b.glsl\"\n"))
    let origin = try #require(tokens.first { $0.isName("b") }?.origin)
    #expect(origin.source.path == "shaders/b.glsl")
    #expect(origin.range == 6..<7)
  }

  @Test func namesStandInQuotesOrInAngles() {
    #expect(expand("#include <lib/b.glsl>\n", ["lib/b.glsl": "b"]).text.split(separator: "\n") == ["b"])
    #expect(expand("#include b.glsl\n", ["b.glsl": "b"]).ids == ["glsl.include-syntax"])
    #expect(IncludeExpander.names(in: SourceText(path: "a", text: "#include <a.glsl>\n#include \"b.glsl\"\n")) == ["a.glsl", "b.glsl"])
  }

  @Test func upwardsStaysInTheFolder() {
    let texts = ["lib/a/b.glsl": "#include \"../c/d.glsl\"\n", "lib/c/d.glsl": "d"]
    #expect(expand("#include \"lib/a/b.glsl\"\n", texts).text.split(separator: "\n") == ["d"])
  }

  /// A file that guards itself is put in once, unless the first place is one that the compiler may not see.
  @Test func guardedFilesAreThereOnce() {
    let guarded = "#include \"c.glsl\"\n// b\n#ifndef B\n#define B\nb\n#endif\n"
    let texts = ["b.glsl": guarded, "c.glsl": "#ifndef C\n#define C\nc\n#endif\n"]
    func count(_ text: String, _ word: Substring) -> Int { expand(text, texts).text.split(separator: "\n").count { $0 == word } }
    #expect(count("#include \"b.glsl\"\n#include \"c.glsl\"\n#include \"b.glsl\"\n", "b") == 1)
    #expect(count("#include \"b.glsl\"\n#include \"c.glsl\"\n#include \"b.glsl\"\n", "c") == 1)
    #expect(count("#if X\n#include \"b.glsl\"\n#endif\n#include \"b.glsl\"\n", "b") == 2)
  }

  @Test(arguments: ["../b.glsl", "lib/../../b.glsl", "/b.glsl", "", "a//b.glsl", "a\\b.glsl"])
  func refusesPathsThatLeadOut(_ path: String) {
    #expect(expand("#include \"\(path)\"\n", ["b.glsl": "b"]).ids == ["glsl.include-outside"])
  }

  @Test func limitsDepthCountAndBytes() {
    let chain = Dictionary(uniqueKeysWithValues: (0..<40).map { ("f\($0).glsl", "#include \"f\($0 + 1).glsl\"\n") })
    #expect(expand("#include \"f0.glsl\"\n", chain).ids == ["limit.include-depth"])
    let many = String(repeating: "#include \"b.glsl\"\n", count: 600)
    #expect(expand(many, ["b.glsl": "b"]).ids == ["limit.includes"])
    var limits = TextLimits()
    limits.bytes = 10
    #expect(expand("#include \"b.glsl\"\n#include \"b.glsl\"\n", ["b.glsl": "123456"], limits: limits).ids == ["limit.bytes"])
  }

  @Test func staysInTheFolderThroughLinks() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("etalon-includes-\(UUID().uuidString)")
    let inside = folder.appendingPathComponent("inside")
    try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("secret".utf8).write(to: folder.appendingPathComponent("secret.glsl"))
    try Data("mine".utf8).write(to: inside.appendingPathComponent("mine.glsl"))
    try FileManager.default.createSymbolicLink(
      at: inside.appendingPathComponent("link.glsl"), withDestinationURL: folder.appendingPathComponent("secret.glsl"))
    let files = FolderFiles(inside.path)
    #expect(try files.bytes(at: "mine.glsl", atMost: 100) == Array("mine".utf8))
    #expect(throws: FileError.outside) { try files.bytes(at: "link.glsl", atMost: 100) }
    #expect(throws: FileError.missing) { try files.bytes(at: "none.glsl", atMost: 100) }
    #expect(throws: FileError.tooLarge) { try files.bytes(at: "mine.glsl", atMost: 2) }
  }
}

import Etalon
import Foundation
import Testing

/// The code of articles is compiled: it stands in functions of the same order, and is the same text.
@Suite struct SnippetTests {
  private static let root = TestShot.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String { try String(contentsOf: Self.root.appending(path: path), encoding: .utf8) }

  /// The code blocks of a language in an article.
  private func blocks(_ article: String, _ language: String) -> [String] {
    article.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
  }

  /// The bodies of the functions in a file, without what only hands the result on.
  private func bodies(_ source: String) -> [String] {
    source.components(separatedBy: "  static func ").dropFirst().map { function in
      let lines = function.components(separatedBy: "\n").dropFirst().prefix { $0 != "  }" }
      return lines.filter { !$0.hasPrefix("    return ") }.map { String($0.dropFirst(4)) }.joined(separator: "\n")
    }
  }

  @Test func theArticleHasTheSnippets() throws {
    let article = try text("Sources/Etalon/Etalon.docc/ImagesAndContexts.md")
    let source = try text("Tests/EtalonTests/Snippets/ImagesAndContexts.swift")
    let blocks = blocks(article, "swift")
    #expect(blocks.count == 12)
    #expect(blocks == bodies(source))
  }

  @Test func theSnippetsDoWhatTheArticleSays() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let masked = try await context.render(ImagesAndContexts.masks(scene.photo, scene.library))
    #expect(masked.pixels.size == PluginPicture.size)
    let card = try await context.render(ImagesAndContexts.geometry(scene.photo))
    #expect(card.pixels.size.width > 96 && card.picture.pixel(1, 1) == [0x20, 0x24, 0x2C, 255])
    var printed = ""
    try ImagesAndContexts.mistakes(scene.photo, scene.library) { printed += $0 }
    #expect(try blocks(text("Sources/Etalon/Etalon.docc/ImagesAndContexts.md"), "text") == [printed.trimmingCharacters(in: .newlines)])
  }
}

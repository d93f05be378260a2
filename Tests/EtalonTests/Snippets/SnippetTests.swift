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

  private static let articles = "Sources/Etalon/Etalon.docc"

  /// Every article with Swift in it has a file of functions here.
  @Test func theArticlesHaveTheSnippets() throws {
    let folder = Self.root.appending(path: Self.articles).path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }
    var count = 0
    for name in names.sorted() where ![Self.consumerArticle, Self.previewArticle].contains(name) {
      let blocks = try blocks(text("\(Self.articles)/\(name).md"), "swift")
      guard !blocks.isEmpty else { continue }
      #expect(try blocks == bodies(text("Tests/EtalonTests/Snippets/\(name).swift")), "\(name)")
      count += blocks.count
    }
    #expect(count >= 17)
  }

  private static let consumerArticle = "UseEtalonInYourPackage"

  /// Its snippet is compiled by the tests of the module that it shows.
  private static let previewArticle = "Preview"

  @Test func thePreviewOfTheArticleIsCompiled() throws {
    let blocks = try blocks(text("\(Self.articles)/\(Self.previewArticle).md"), "swift")
    #expect(try blocks == bodies(text("Tests/EtalonPreviewTests/PreviewSnippet.swift")))
  }

  /// `Scripts/test-consumer` builds and runs the package of the article.
  @Test func thePackageOfTheArticleIsTheConsumer() throws {
    let blocks = try blocks(text("\(Self.articles)/\(Self.consumerArticle).md"), "swift")
    #expect(try blocks.first.map { $0 + "\n" } == text("Tests/Consumer/Package.swift"))
    let program = try text("Tests/Consumer/Sources/Poster/main.swift")
    #expect(blocks.count == 5)
    for block in blocks.dropFirst() { #expect(program.contains("\n\(block)\n")) }
  }

  @Test func aDocumentIsAppliedAsTheArticleSays() async throws {
    let scene = try TestScene()
    let library = try FilterLibrary(directory: Self.root.appending(path: "samples").path)
    let spot = try GraphDocuments.spot(scene.photo, library)
    let context = try RenderContext(device: .cpu)
    let (rendered, photo) = (try await context.render(spot).pixels, try await context.render(scene.photo).pixels)
    #expect(rendered.size == PluginPicture.size && rendered != photo)
  }

  @Test func theSnippetsDoWhatTheArticleSays() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let masked = try await context.render(ImagesAndContexts.masks(scene.photo, scene.library))
    #expect(masked.pixels.size == PluginPicture.size)
    let card = try await context.render(ImagesAndContexts.geometry(scene.photo))
    #expect(card.pixels.size.width > 96 && card.picture.pixel(1, 1) == [0x20, 0x24, 0x2C, 255])
    let framed = try await context.render(ImagesAndContexts.frame(scene.photo))
    #expect(framed.pixels.size == Size(PluginPicture.size.height + 16, PluginPicture.size.width + 16))
    #expect(framed.picture.pixel(7, 7)[3] == 0 && framed.picture.pixel(8, 8)[3] > 0)
    var printed = ""
    try ImagesAndContexts.errors(scene.photo, scene.library) { printed += $0 }
    let told = printed.trimmingCharacters(in: .newlines).replacing(
      /EtalonTests\/ImagesAndContexts.swift:[0-9]+/, with: "Poster/Glow.swift:12")
    #expect(try blocks(text("Sources/Etalon/Etalon.docc/ImagesAndContexts.md"), "text") == [told])
  }
}

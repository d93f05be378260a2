import EtalonDiagnostics
import Foundation
import Testing

@testable import Etalon

@Suite struct LibraryScanTests {
  private func names(_ files: [String]) throws -> [String] {
    let library = try TemporaryLibrary(Dictionary(uniqueKeysWithValues: files.map { ($0, TemporaryLibrary.generator) }))
    return LibraryScan(library.path).candidates.map { "\($0.name) \($0.relativePath)" }.sorted()
  }

  @Test func filesAndFoldersAreFilters() throws {
    #expect(
      try names(["a.glsl", "blur/Box Blur.fs", "color/invert/invert.glsl", "color/invert/noise.inc"])
        == ["a a.glsl", "box-blur blur/Box Blur.fs", "invert color/invert/invert.glsl"])
  }

  @Test func whatBelongsToAFilterIsNone() throws {
    #expect(
      try names([
        "invert/invert.glsl", "invert/tests/case.json", "invert/parts/half.glsl", "invert/invert.json", "tests/a/case.json",
        "references/b.json",
        ".hidden.glsl", ".git/c.glsl", "invert.vs",
      ]) == ["invert invert/invert.glsl"])
  }

  @Test func aFolderWithSeveralFiltersIsACategory() throws {
    #expect(try names(["blur/blur.glsl", "blur/box.glsl"]) == ["blur blur/blur.glsl", "box blur/box.glsl"])
    #expect(try names(["blur/box.glsl"]) == ["box blur/box.glsl"])
  }

  @Test func aProjectIsAFolder() throws {
    #expect(
      try names(["fluid/project.json", "fluid/bufferA.glsl", "fluid/image.glsl", "tunnel/image.glsl"]) == ["fluid fluid", "tunnel tunnel"])
  }

  @Test func foldersAreCategories() throws {
    let library = try TemporaryLibrary(["a/b/c.glsl": "", "a/d/d.glsl": ""])
    let categories = Dictionary(uniqueKeysWithValues: LibraryScan(library.path).candidates.map { ($0.name, $0.categories) })
    #expect(categories == ["c": ["a", "b"], "d": ["a"]])
  }

  @Test func linksInTheFolderOfAFilterLeadToNoFilters() throws {
    let library = try TemporaryLibrary([
      "blur/blur.glsl": TemporaryLibrary.generator, "blur/parts/piece.glsl": TemporaryLibrary.generator,
      "box.glsl": TemporaryLibrary.generator,
    ])
    try FileManager.default.createSymbolicLink(atPath: library.path + "/blur/alias", withDestinationPath: "parts")
    #expect(LibraryScan(library.path).candidates.map(\.name).sorted() == ["blur", "box"])
  }

  @Test func linksToOtherFileSystemsAreTold() throws {
    let library = try TemporaryLibrary(["a.glsl": ""])
    try FileManager.default.createSymbolicLink(atPath: library.path + "/processes", withDestinationPath: "/proc")
    let scan = LibraryScan(library.path)
    #expect(scan.candidates.map(\.name) == ["a"] && scan.diagnostics.map(\.id) == ["library.link-elsewhere"])
  }

  @Test func linksAreFollowedIntoEachFolderOnce() throws {
    let library = try TemporaryLibrary(["a.glsl": "", "sub/b.glsl": ""])
    try Data().write(to: URL(filePath: library.base + "/outside.glsl"))
    let manager = FileManager.default
    // Outside, with a way back and around.
    try manager.createDirectory(atPath: library.base + "/far", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: library.base + "/far/c.glsl"))
    try manager.createSymbolicLink(atPath: library.base + "/far/back", withDestinationPath: library.path)
    try manager.createSymbolicLink(atPath: library.path + "/afar", withDestinationPath: "../far")
    try manager.createSymbolicLink(atPath: library.path + "/zfar", withDestinationPath: "../far")
    try manager.createSymbolicLink(atPath: library.path + "/again", withDestinationPath: "sub")
    try manager.createSymbolicLink(atPath: library.path + "/inside.glsl", withDestinationPath: "a.glsl")
    try manager.createSymbolicLink(atPath: library.path + "/loop", withDestinationPath: ".")
    try manager.createSymbolicLink(atPath: library.path + "/away.glsl", withDestinationPath: "../outside.glsl")
    try manager.createSymbolicLink(atPath: library.path + "/up", withDestinationPath: "..")
    try manager.createSymbolicLink(atPath: library.path + "/broken.glsl", withDestinationPath: "nothing")
    let scan = LibraryScan(library.path)
    #expect(scan.candidates.map(\.relativePath) == ["a.glsl", "away.glsl", "inside.glsl", "sub/b.glsl", "afar/c.glsl"])
    #expect(scan.diagnostics.map(\.id) == ["library.broken-link"])
    try manager.createSymbolicLink(atPath: library.base + "/linked", withDestinationPath: library.path)
    #expect(LibraryScan(library.base + "/linked").candidates.map(\.relativePath) == scan.candidates.map(\.relativePath))
  }

  @Test func deepFoldersAreReported() throws {
    let library = try TemporaryLibrary([(1...9).map { "f\($0)" }.joined(separator: "/") + "/a.glsl": ""])
    let scan = LibraryScan(library.path)
    #expect(scan.candidates.isEmpty)
    #expect(scan.diagnostics.map(\.id) == ["library.depth"])
  }
}

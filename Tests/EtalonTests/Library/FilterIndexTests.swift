import Foundation
import Testing

@testable import Etalon

@Suite struct FilterIndexTests {
  private let reader = CountingReader()

  private func list(_ library: TemporaryLibrary) -> [String] {
    library.library.listings(reader.indexer(cache: library.cache)).map { listing in
      switch listing.content {
      case .filter(let summary): "\(listing.name) \(summary.kind)"
      case .diagnostic(let diagnostic): "\(listing.name) \(diagnostic.id)"
      }
    }
  }

  private func indexFiles(_ library: TemporaryLibrary) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: library.cache).map { "\(library.cache)/\($0)" }
  }

  @Test func readsEachFileOnce() throws {
    let library = try TemporaryLibrary(["a.glsl": TemporaryLibrary.generator, "b.glsl": TemporaryLibrary.filter, "c.glsl": "int x;"])
    let expected = ["a generator", "b filter", "c dialect.unknown"]
    #expect(list(library) == expected)
    #expect(reader.take() == ["a.glsl", "b.glsl", "c.glsl"])
    #expect(list(library) == expected)
    #expect(reader.take() == [])
  }

  @Test func readsWhatChanged() throws {
    let library = try TemporaryLibrary(["a.glsl": TemporaryLibrary.generator, "b.glsl": TemporaryLibrary.filter])
    _ = list(library)
    _ = reader.take()
    try library.write(TemporaryLibrary.filter, to: "a.glsl")
    try FileManager.default.removeItem(atPath: library.path + "/b.glsl")
    try library.write(TemporaryLibrary.generator, to: "new.glsl")
    #expect(list(library) == ["a filter", "new generator"])
    #expect(reader.take() == ["a.glsl", "new.glsl"])
  }

  @Test func knowsWhatAFilterIncludes() throws {
    let library = try TemporaryLibrary([
      "a.glsl": "#include \"parts/read.inc\"\nvoid mainImage(out vec4 c, in vec2 p) { c = read(p); }",
      "parts/read.inc": "vec4 read(vec2 p) { return vec4(p, 0.0, 1.0); }",
    ])
    #expect(list(library) == ["a generator"])
    try library.write("vec4 read(vec2 p) { return texture(iChannel0, p); }", to: "parts/read.inc")
    #expect(list(library) == ["a filter"])
    try FileManager.default.removeItem(atPath: library.path + "/parts/read.inc")
    #expect(list(library) == ["a glsl.include-missing"])
    try library.write("vec4 read(vec2 p) { return vec4(p, 0.0, 1.0); }", to: "parts/read.inc")
    #expect(list(library) == ["a generator"])
  }

  @Test func damagedIndexesAreMadeAgain() throws {
    let library = try TemporaryLibrary(["a.glsl": TemporaryLibrary.generator])
    _ = list(library)
    let file = try #require(indexFiles(library).first)
    let whole = try Data(contentsOf: URL(filePath: file))
    var flipped = whole
    flipped[whole.count / 2] ^= 1
    for damaged in [Data(), whole.prefix(40), whole.dropLast(), flipped, Data(repeating: 0, count: 5000)] {
      try damaged.write(to: URL(filePath: file))
      _ = reader.take()
      #expect(list(library) == ["a generator"])
      #expect(reader.take() == ["a.glsl"])
      #expect(try Data(contentsOf: URL(filePath: file)).count == whole.count)
    }
  }

  @Test func anIndexThatCannotBeWrittenIsNoError() throws {
    let library = try TemporaryLibrary(["a.glsl": TemporaryLibrary.generator])
    try Data().write(to: URL(filePath: library.cache))
    #expect(list(library) == ["a generator"])
  }

  @Test func severalRunsMayShareAnIndex() async throws {
    let library = try TemporaryLibrary(
      Dictionary(uniqueKeysWithValues: (0..<40).map { ("f\($0).glsl", $0.isMultiple(of: 2) ? TemporaryLibrary.generator : "broken") }))
    let expected = list(library)
    await withTaskGroup(of: [String].self) { group in
      for run in 0..<8 {
        group.addTask {
          if run.isMultiple(of: 3) { try? FileManager.default.removeItem(atPath: library.cache) }
          return list(library)
        }
      }
      for await listed in group { #expect(listed == expected) }
    }
  }

  @Test func jsonIsAFilterOnlyWithPasses() throws {
    let library = try TemporaryLibrary(["palette.json": "{\"colors\": 3}", "a.glsl": TemporaryLibrary.generator])
    #expect(list(library) == ["a generator"])
    #expect(reader.take() == ["a.glsl"])
  }

  @Test func filesThatJustChangedAreNotRemembered() throws {
    let library = try TemporaryLibrary(["a.glsl": TemporaryLibrary.generator])
    let indexer = FilterIndexer(cacheFolder: library.cache, shortestAge: 3_600_000_000_000) { try FilterFile.read($0) }
    #expect(library.library.listings(indexer).count == 1)
    #expect(!FileManager.default.fileExists(atPath: library.cache))
  }
}

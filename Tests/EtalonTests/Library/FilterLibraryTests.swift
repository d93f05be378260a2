import EtalonDiagnostics
import Foundation
import Testing

@testable import Etalon

@Suite struct FilterLibraryTests {
  private func search(_ libraries: [TemporaryLibrary]) -> FilterLibrary {
    FilterLibrary(LibrarySearch(folders: libraries.map { LibraryFolder(path: $0.path, origin: .option) }))
  }

  private func diagnostic(_ library: FilterLibrary, _ name: String) -> Diagnostic? {
    do {
      _ = try library.location(of: name)
      return nil
    } catch {
      return error.diagnostics.first
    }
  }

  @Test func theFirstLibraryWins() throws {
    let first = try TemporaryLibrary(["a.glsl": TemporaryLibrary.generator])
    let second = try TemporaryLibrary(["x/a.fs": TemporaryLibrary.filter, "b.glsl": TemporaryLibrary.filter])
    let library = search([first, second])
    #expect(try library.location(of: "a") == first.path + "/a.glsl")
    #expect(try library.location(of: "b") == second.path + "/b.glsl")
    let listings = library.listings(FilterIndexer(cacheFolder: nil))
    #expect(listings.map(\.path) == [first.path + "/a.glsl", second.path + "/x/a.fs", second.path + "/b.glsl"])
    #expect(listings.map(\.shadowedBy) == [nil, first.path + "/a.glsl", nil])
  }

  @Test func unknownNamesGetTheNearest() throws {
    let library = try TemporaryLibrary(["gaussian-blur.glsl": TemporaryLibrary.filter])
    let diagnostic = try #require(self.diagnostic(library.library, "gausian-blur"))
    #expect(diagnostic.id == "library.unknown-filter")
    #expect(diagnostic.help == ["did you mean 'gaussian-blur'?"])
    #expect(diagnostic.notes == ["searched \(library.path) (--library)"])
    #expect(self.diagnostic(library.library, "Gaussian Blur")?.help == ["did you mean 'gaussian-blur'?"])
    #expect(self.diagnostic(library.library, "blur")?.help == ["type 'etalon list blur' for the filters of that kind"])
  }

  private func native(_ aliases: String) -> String {
    """
    /*{ "ETALON": 1, "ALIASES": [\(aliases)], "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }] }*/
    vec4 colorKernel(vec4 color) { return color; }
    """
  }

  /// Names of filters win over aliases, earlier libraries over later ones, and an alias of two filters is refused.
  @Test func aliasesLeadToFilters() throws {
    let first = try TemporaryLibrary(["soften.glsl": native("\"blur\", \"b\""), "b.glsl": TemporaryLibrary.generator])
    let second = try TemporaryLibrary(["x.glsl": native("\"blur\", \"mix\""), "y.glsl": native("\"mix\"")])
    let library = search([first, second])
    #expect(try library.location(of: "blur") == first.path + "/soften.glsl")
    #expect(try library.location(of: "b") == first.path + "/b.glsl")
    #expect(diagnostic(library, "mix")?.id == "library.duplicate")
    let wrong = try TemporaryLibrary(["z.glsl": native("\"Blur It\"")])
    #expect(throws: DiagnosticsError.self) { try Filter(contentsOf: wrong.path + "/z.glsl") }
  }

  /// Words are found where words begin.
  @Test func listsAreSearchedByWords() throws {
    let library = try TemporaryLibrary(["convolution.glsl": native("\"kernel-sum\""), "color-lut.glsl": native("")])
    func found(_ words: String...) -> [String] {
      var wanted = ListingFilter()
      wanted.words = words
      return library.library.listings(FilterIndexer(cacheFolder: nil)).filter(wanted.accepts).map(\.name)
    }
    #expect(found("lut") == ["color-lut"])
    #expect(found("kernel") == ["convolution"])
    #expect(found("sum") == ["convolution"])
    #expect(found("conv", "native") == ["convolution"])
  }

  @Test func duplicatesAreRefused() throws {
    let library = try TemporaryLibrary(["a.glsl": TemporaryLibrary.generator, "more/A.fs": TemporaryLibrary.filter, "a.json": "{}"])
    #expect(diagnostic(library.library, "a")?.id == "library.duplicate")
    let listings = library.library.listings(FilterIndexer(cacheFolder: nil))
    #expect(listings.count == 2)
    #expect(listings.allSatisfy { $0.summary == nil })
  }

  @Test func namesNeverLeadOut() throws {
    let library = try TemporaryLibrary(["a.glsl": TemporaryLibrary.generator])
    try Data(TemporaryLibrary.generator.utf8).write(to: URL(filePath: library.base + "/outside.glsl"))
    for name in ["..", "../outside", "../outside.glsl", "a.glsl", "", "/"] {
      #expect(diagnostic(library.library, name)?.id == "library.unknown-filter")
    }
  }

  @Test func findingOneOpensNoFile() throws {
    let library = try TemporaryLibrary(["a.glsl": TemporaryLibrary.generator, "b.glsl": ""])
    // A pipe is no regular file; opening it as one would fail.
    #expect(unsafe mkfifo(library.path + "/pipe.glsl", 0o600) == 0)
    #expect(try library.library.location(of: "a") == library.path + "/a.glsl")
  }

  @Test func wordsAreNamesOrPaths() throws {
    let library = try TemporaryLibrary([
      "a/a.glsl": TemporaryLibrary.generator, "b/c.glsl": TemporaryLibrary.generator, "fluid/project.json": "{}",
    ])
    #expect(try library.library.path(of: "a") == library.path + "/a/a.glsl")
    #expect(try library.library.path(of: "some/file") == "some/file")
    #expect(try library.library.path(of: "file.glsl") == "file.glsl")
    #expect(try library.library.path(of: library.path + "/a") == library.path + "/a/a.glsl")
    #expect(try library.library.path(of: library.path + "/a/") == library.path + "/a/a.glsl")
    #expect(try library.library.path(of: library.path + "/b") == library.path + "/b")
    #expect(try library.library.path(of: library.path + "/fluid") == library.path + "/fluid")
  }

  @Test func foldersComeInTheirOrder() throws {
    let option = try TemporaryLibrary()
    let environment = try TemporaryLibrary()
    let user = try TemporaryLibrary(["etalon/filters/a.glsl": TemporaryLibrary.generator])
    let search = try LibrarySearch(
      named: [option.path], environment: ["ETALON_PATH": "\(environment.path):\(option.path)::/nowhere", "XDG_DATA_HOME": user.path])
    #expect(
      search.folders.prefix(3) == [
        LibraryFolder(path: option.path, origin: .option), LibraryFolder(path: environment.path, origin: .environment),
        LibraryFolder(path: user.path + "/etalon/filters", origin: .user),
      ])
    #expect(search.folders.last?.origin == .builtIn)
    #expect(search.warnings.map(\.id) == ["library.missing"])
    #expect(throws: RenderError.self) { try LibrarySearch(named: ["/nowhere"], environment: [:]) }
  }
}
